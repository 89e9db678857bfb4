import { Typography } from "@mui/material";
import type { ReactNode } from "react";
import type { Proof, Reason } from "../model/index.ts";
import { texts } from "../texts/index.ts";
import { latestByStage, STAGES } from "./proof-rules.ts";
import { ProofCard } from "./ProofCard.tsx";
import { Section } from "./Section.tsx";

interface UnitProofsProps {
  proofs: readonly Proof[];
  reasons: ReadonlyMap<number, Reason>;
  zone: string | null | undefined;
}

/** The latest proof of each stage; the older ones are folded away. */
export function UnitProofs({ proofs, reasons, zone }: UnitProofsProps): ReactNode {
  const { latest, older } = latestByStage(proofs);
  return (
    <>
      {proofs.length === 0 && <Typography color="textSecondary">{texts.proofs.none}</Typography>}
      {STAGES.map((stage) => {
        const proof = latest[stage];
        return proof === undefined ? null : (
          <ProofCard key={stage} proof={proof} reasons={reasons} zone={zone} />
        );
      })}
      {older.length > 0 && (
        <Section title={texts.proofs.older} closed>
          {older.map((proof) => (
            <ProofCard key={proof.id} proof={proof} reasons={reasons} zone={zone} />
          ))}
        </Section>
      )}
    </>
  );
}
