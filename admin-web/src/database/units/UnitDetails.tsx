import {
  Alert,
  Button,
  Dialog,
  DialogActions,
  DialogContent,
  DialogTitle,
  LinearProgress,
} from "@mui/material";
import {
  answer,
  fill,
  mayCall,
  messageOfError,
  quietApi,
  requestAll,
  session,
  texts,
  useLevel,
} from "@routewright/web";
import type { Reason } from "@routewright/web/model";
import { ItemProofs, UnitDetails, unitSteps, type WholeUnit } from "@routewright/web/proofs";
import { useQuery } from "@tanstack/react-query";
import { type MouseEvent, useState } from "react";
import { Link, useCreatePath, useRecordContext } from "react-admin";
import { useTimezone } from "../../data/organisation.ts";

/** Opens Unit Details of the row or record around it. */
export function UnitDetailsButton() {
  const unit = useRecordContext<{ id: number }>();
  const [open, setOpen] = useState(false);
  if (!unit) return null;
  // A click within the row, also one in the dialog, must not open the row's page.
  const stay = (event: MouseEvent) => event.stopPropagation();
  return (
    <span onClick={stay}>
      <Button size="small" onClick={() => setOpen(true)}>
        {texts.admin.units.details}
      </Button>
      {open && <UnitDetailsDialog id={unit.id} onClose={() => setOpen(false)} />}
    </span>
  );
}

function UnitDetailsDialog({ id, onClose }: { id: number; onClose: () => void }) {
  const { unit, address, reasons, error } = useUnit(id);
  const [proofShown, setProofShown] = useState(false);
  const zone = useTimezone();
  const title = proofShown ? `${texts.proofs.unitProof} – {uid}` : texts.units.title;
  const proofs = unit?.unit_proofs ?? [];
  return (
    <Dialog open fullWidth maxWidth="sm" onClose={onClose} aria-labelledby="unit-details">
      <DialogTitle id="unit-details">{fill(title, { uid: unit?.uid ?? "" })}</DialogTitle>
      <DialogContent dividers>
        {unit === undefined && error === null && <LinearProgress aria-label={texts.common.loading} />}
        {error !== null && <Alert severity="error">{messageOfError(error)}</Alert>}
        {unit !== undefined && !proofShown && (
          <UnitDetails unit={unit} address={address} reasons={reasons} zone={zone} />
        )}
        {unit !== undefined && proofShown && (
          <ItemProofs steps={unitSteps(unit.created, proofs)} proofs={proofs} reasons={reasons} zone={zone} />
        )}
      </DialogContent>
      <DialogActions sx={{ flexWrap: "wrap", rowGap: 0.5 }}>
        {proofShown ? (
          <Button onClick={() => setProofShown(false)}>{texts.common.back}</Button>
        ) : (
          unit !== undefined && <Ways unit={unit} onProof={() => setProofShown(true)} />
        )}
        <Button onClick={onClose}>{texts.common.close}</Button>
      </DialogActions>
    </Dialog>
  );
}

/** From the unit to its job, run, proof and scenario. */
function Ways({ unit, onProof }: { unit: WholeUnit; onProof: () => void }) {
  const createPath = useCreatePath();
  const seesRun = useLevel("run_detail_read");
  const seesProofs = useLevel("proofs_read");
  const runId = unit.job?.run_id ?? null;
  const page = (resource: string, id: number) => createPath({ resource, type: "edit", id });
  return (
    <>
      {unit.job_id !== null && (
        <Button component={Link} to={page("database/jobs", unit.job_id)}>
          {texts.jobs.detailsTitle}
        </Button>
      )}
      {runId !== null && seesRun && (
        <Button component={Link} to={page("database/runs", runId)}>
          {texts.jobs.runDetails}
        </Button>
      )}
      {seesProofs && <Button onClick={onProof}>{texts.proofs.unitProof}</Button>}
      {unit.scenario != null && (
        <Button href={`/?active_scenario=${unit.scenario.id}`}>{texts.units.viewScenario}</Button>
      )}
    </>
  );
}

function useUnit(id: number) {
  const { data: unit, error } = useQuery({
    queryKey: ["unit details", id],
    queryFn: () => answer(quietApi.GET("/units/{id}", { params: { path: { id } } })) as Promise<WholeUnit>,
    // A proof may arrive at any time.
    staleTime: 0,
  });
  const jobId = unit?.job_id ?? null;
  const { data: job } = useQuery({
    queryKey: ["unit details", "job", jobId],
    queryFn: () => answer(quietApi.GET("/jobs/{id}", { params: { path: { id: jobId ?? 0 } } })),
    enabled: jobId !== null && mayCall("GET", "/jobs/{id}", session().user),
  });
  const { data: reasons = [] } = useQuery({
    queryKey: ["unit details", "reasons"],
    queryFn: () => requestAll<Reason>("/reasons"),
    enabled: (unit?.unit_proofs ?? []).length > 0 && mayCall("GET", "/reasons", session().user),
  });
  return {
    unit,
    address: job?.location.address,
    reasons: new Map(reasons.map((reason) => [reason.id, reason])),
    error,
  };
}
