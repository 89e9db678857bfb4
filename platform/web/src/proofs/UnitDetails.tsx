import { Box, Chip, Typography } from "@mui/material";
import type { ReactNode } from "react";
import { Facts } from "../layout/Facts.tsx";
import type { Proof, Reason, Refined, Unit } from "../model/index.ts";
import { texts } from "../texts/index.ts";
import { scenarioDateText } from "../units/time.ts";
import { ItemProofs } from "./ItemProofs.tsx";
import { unitSteps } from "./Steps.tsx";

/** Answer of `GET /units/{id}`. */
export type WholeUnit = Refined<Unit, { unit_proofs?: Proof[] }>;

interface UnitDetailsProps {
  unit: WholeUnit;
  /** Address of its job; absent until that is known. */
  address: string | undefined;
  reasons: ReadonlyMap<number, Reason>;
  zone: string | null | undefined;
}

/** Where a unit belongs, and what became of it. */
export function UnitDetails({ unit, address, reasons, zone }: UnitDetailsProps): ReactNode {
  const { scenario } = unit;
  const proofs = unit.unit_proofs ?? [];
  return (
    <Box sx={{ display: "grid", gap: 1.5 }}>
      {unit.job_id === null && <Chip label={texts.units.inPool} color="info" sx={{ justifySelf: "start" }} />}
      <Facts
        facts={[
          [texts.attachments.unitUid, unit.uid],
          [texts.attachments.unitName, unit.name],
          [
            texts.scenarios.scenario,
            scenario == null ? null : `${scenario.name} · ${scenarioDateText(scenario.scheduled_date)}`,
          ],
          [texts.units.job, unit.job?.uid],
          [texts.jobs.fields.customer_name, unit.job?.customer_name],
          [texts.jobs.fields.address, address],
          [texts.jobs.fields.invoice, unit.invoice],
          [texts.jobs.fields.reference, unit.reference],
          ...Object.entries(unit.extra_fields),
        ]}
      />
      {proofs.length === 0 ? (
        <Typography variant="body2" color="textSecondary">
          {texts.proofs.none}
        </Typography>
      ) : (
        <ItemProofs steps={unitSteps(unit.created, proofs)} proofs={proofs} reasons={reasons} zone={zone} />
      )}
    </Box>
  );
}
