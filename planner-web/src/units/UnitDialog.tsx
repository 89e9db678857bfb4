import { Alert, Box, Button, Chip, LinearProgress, Typography } from "@mui/material";
import {
  fill,
  type Job,
  messageOfError,
  type Proof,
  type Refined,
  request,
  scenarioDateText,
  texts,
  type Unit,
  useLevel,
  useSession,
} from "@routewright/web";
import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { usePlanContext } from "../plan/context.ts";
import { closeAllDialogs, openDialog } from "../plan/dialogs.ts";
import { keys } from "../plan/keys.ts";
import { jobs, useReasons } from "../plan/queries.ts";
import { ItemProofDialog } from "../proofs/ItemProofDialog.tsx";
import { Section } from "../proofs/Section.tsx";
import { Steps, unitSteps } from "../proofs/Steps.tsx";
import { UnitProofs } from "../proofs/UnitProofs.tsx";
import { Facts } from "../shell/Facts.tsx";
import { Modal } from "../shell/Modal.tsx";

/** Answer of `GET /units/{id}`. */
type WholeUnit = Refined<Unit, { unit_proofs?: Proof[] }>;

interface UnitDialogProps {
  unitId: number;
  onClose: () => void;
}

/** Unit Details: where a unit belongs, and what became of it. */
export function UnitDialog({ unitId, onClose }: UnitDialogProps): ReactNode {
  const { data: unit, error } = useQuery({
    queryKey: keys.unit(unitId),
    queryFn: () => request<WholeUnit>(`/units/${unitId}`, { quiet: true }),
    staleTime: 5_000,
  });
  const jobId = unit?.job_id ?? null;
  const { data: job } = useQuery({
    queryKey: keys.job(jobId ?? 0),
    queryFn: () => jobs.get(jobId ?? 0, { quiet: true }),
    enabled: jobId !== null,
  });
  const [proofShown, setProofShown] = useState(false);
  const { data: reasonList = [] } = useReasons();
  const zone = useSession((state) => state.user?.organisation.timezone);
  const proofs = unit?.unit_proofs ?? [];
  const reasons = new Map(reasonList.map((reason) => [reason.id, reason]));
  return (
    <Modal
      title={fill(texts.units.title, { uid: unit?.uid ?? "" })}
      width={640}
      onClose={onClose}
      actions={unit !== undefined && <Buttons unit={unit} onProof={() => setProofShown(true)} />}
    >
      {unit === undefined && error === null && <LinearProgress aria-label={texts.common.loading} />}
      {error !== null && <Alert severity="error">{messageOfError(error)}</Alert>}
      {unit !== undefined && <About unit={unit} job={job} />}
      {proofs.length > 0 && (
        <Box sx={{ mt: 1 }}>
          <Section title={texts.proofs.unitTimeline}>
            <Steps steps={unitSteps(unit?.created ?? null, proofs)} zone={zone} />
          </Section>
          <Section title={texts.proofs.unitProof}>
            <UnitProofs proofs={proofs} reasons={reasons} zone={zone} />
          </Section>
        </Box>
      )}
      {proofShown && unit !== undefined && (
        <ItemProofDialog
          item={{ uid: unit.uid, proofs, steps: unitSteps(unit.created, proofs) }}
          kind="units"
          reasons={reasons}
          zone={zone}
          onClose={() => setProofShown(false)}
          onJobProof={jobId === null ? null : () => openDialog({ kind: "job-proof", jobId })}
        />
      )}
    </Modal>
  );
}

function About({ unit, job }: { unit: WholeUnit; job: Job | undefined }): ReactNode {
  const { scenario } = unit;
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
          [texts.jobs.fields.address, job?.location.address],
          [texts.jobs.fields.invoice, unit.invoice],
          [texts.jobs.fields.reference, unit.reference],
          ...Object.entries(unit.extra_fields),
        ]}
      />
      {(unit.unit_proofs ?? []).length === 0 && (
        <Typography variant="body2" color="textSecondary">
          {texts.proofs.none}
        </Typography>
      )}
    </Box>
  );
}

function Buttons({ unit, onProof }: { unit: WholeUnit; onProof: () => void }): ReactNode {
  const { scenario: active, activate } = usePlanContext();
  const seesRun = useLevel("run_detail_read");
  const seesProofs = useLevel("proofs_read");
  const { job_id: jobId, scenario } = unit;
  const runId = unit.job?.run_id ?? null;
  return (
    <>
      {jobId !== null && (
        <Button onClick={() => openDialog({ kind: "job-details", jobId })}>{texts.jobs.detailsTitle}</Button>
      )}
      {runId !== null && seesRun && (
        <Button onClick={() => openDialog({ kind: "run", runId })}>{texts.jobs.runDetails}</Button>
      )}
      {seesProofs && <Button onClick={onProof}>{texts.proofs.unitProof}</Button>}
      {scenario != null && (
        <Button
          onClick={() => {
            closeAllDialogs();
            if (scenario.id !== active?.id) activate(scenario.id);
          }}
        >
          {texts.units.viewScenario}
        </Button>
      )}
    </>
  );
}
