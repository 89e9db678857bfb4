import { Alert, Button, LinearProgress } from "@mui/material";
import { fill, messageOfError, request, texts, useLevel, useSession } from "@routewright/web";
import { UnitDetails, unitSteps, type WholeUnit } from "@routewright/web/proofs";
import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { usePlanContext } from "../plan/context.ts";
import { closeAllDialogs, openDialog } from "../plan/dialogs.ts";
import { keys } from "../plan/keys.ts";
import { jobs, useReasons } from "../plan/queries.ts";
import { ItemProofDialog } from "../proofs/ItemProofDialog.tsx";
import { Modal } from "../ui/Modal.tsx";

interface UnitDialogProps {
  unitId: number;
  onClose: () => void;
}

/** Unit Details, with the ways from there to the rest of the plan. */
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
      {unit !== undefined && (
        <UnitDetails unit={unit} address={job?.location.address} reasons={reasons} zone={zone} />
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
