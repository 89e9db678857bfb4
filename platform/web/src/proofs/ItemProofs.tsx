import type { ReactNode } from "react";
import type { Proof, Reason } from "../model/index.ts";
import { texts } from "../texts/index.ts";
import { Section } from "./Section.tsx";
import { Steps, type TimelineStep } from "./Steps.tsx";
import { UnitProofs } from "./UnitProofs.tsx";

interface ItemProofsProps {
  steps: readonly TimelineStep[];
  proofs: readonly Proof[];
  reasons: ReadonlyMap<number, Reason>;
  zone: string | null | undefined;
  /** The item is a return. */
  isReturn?: boolean;
}

/** Timeline and proofs of one unit, return or container. */
export function ItemProofs({ steps, proofs, reasons, zone, isReturn = false }: ItemProofsProps): ReactNode {
  return (
    <>
      <Section title={isReturn ? texts.proofs.returnTimeline : texts.proofs.unitTimeline}>
        <Steps steps={steps} zone={zone} />
      </Section>
      <Section title={isReturn ? texts.proofs.returnProof : texts.proofs.unitProof}>
        <UnitProofs proofs={proofs} reasons={reasons} zone={zone} />
      </Section>
    </>
  );
}
