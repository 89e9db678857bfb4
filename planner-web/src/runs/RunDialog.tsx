import FlagIcon from "@mui/icons-material/VerifiedOutlined";
import { Alert, Box, Button, Tab, Tabs, Tooltip } from "@mui/material";
import {
  fill,
  request,
  type Run,
  type RunPatch,
  scenarioDateText,
  texts,
  toastError,
  useLevel,
  useModule,
  withToast,
} from "@routewright/web";
import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { PhoneContact } from "../contact/PhoneContact.tsx";
import { usePlanContext } from "../plan/context.ts";
import { StraightLinesMark } from "../plan/StraightLines.tsx";
import { useDriverName } from "../plan/DriverName.tsx";
import { openDialog } from "../plan/dialogs.ts";
import { asksWhetherMeant, ifMeant } from "../plan/driver-busy.ts";
import { keys } from "../plan/keys.ts";
import { runs } from "../plan/queries.ts";
import { ReasonChoice } from "../scenarios/ReasonChoice.tsx";
import { failureText } from "../ui/failure.ts";
import { Modal } from "../ui/Modal.tsx";
import { Waiting } from "../ui/Waiting.tsx";
import { useMayEdit } from "../ui/view.ts";
import { refreshRun } from "./actions.ts";
import { ActualsTab } from "./ActualsTab.tsx";
import { BillingTab } from "./BillingTab.tsx";
import { PerformanceTab } from "./PerformanceTab.tsx";
import { PlanningTab } from "./PlanningTab.tsx";
import { patchOf, runDraftOf, type RunDraft, runProblems } from "./run-draft.ts";
import { DeleteRun } from "./RunMenu.tsx";
import { RunProofsTab } from "./RunProofsTab.tsx";
import { conflictsOf, nothingTyped, type Typing, typeInto } from "./typing.ts";
import { canValidate } from "./validation.ts";

type TabName = "planning" | "actuals" | "performance" | "billing" | "proofs";

interface RunDialogProps {
  runId: number;
  onClose: () => void;
}

/** Run Details: constraints, actuals, performance, billing and proofs of one run. */
export function RunDialog({ runId, onClose }: RunDialogProps): ReactNode {
  const { data: run, error } = useQuery({
    queryKey: keys.run(runId),
    queryFn: () => runs.get(runId, { quiet: true }),
    staleTime: 5_000,
  });
  if (run === undefined) return <Waiting title={texts.runs.detailsTitle} error={error} onClose={onClose} />;
  return <Details run={run} onClose={onClose} />;
}

function Details({ run, onClose }: { run: Run; onClose: () => void }): ReactNode {
  const [tab, setTab] = useState<TabName>("planning");
  const [typing, setTyping] = useState<Typing | null>(null);
  const [problems, setProblems] = useState<Record<string, string>>({});
  const [saving, setSaving] = useState(false);
  const [why, setWhy] = useState<number | null>(null);
  const bills = useLevel("billing_rates_read");
  const stored = runDraftOf(run);
  // Whoever else changes the run: what was typed stays, the other fields follow.
  const draft = typing === null ? null : { ...stored, ...typing.typed };
  const shown = draft ?? stored;
  const conflicts = typing === null ? [] : conflictsOf(typing, stored);
  const change =
    typing === null
      ? null
      : (part: Partial<RunDraft>) => setTyping((now) => typeInto(now ?? typing, stored, part));

  const save = async (): Promise<void> => {
    if (draft === null) return;
    const found = runProblems(draft);
    setProblems(found);
    const [first] = Object.values(found);
    if (first !== undefined) {
      toastError(first);
      return;
    }
    setSaving(true);
    try {
      const changes = patchOf(stored, draft);
      const reasoned: RunPatch = why === null ? changes : { ...changes, scenario_reason_id: why };
      if (Object.keys(changes).length > 0) {
        const changed = await ifMeant((force) =>
          runs.change(run.id, force ? { ...reasoned, force } : reasoned, asksWhetherMeant),
        );
        if (changed === null) return;
      }
      if (draft.territory_ids.join() !== stored.territory_ids.join()) {
        await request<Run>(`/runs/${run.id}/territories`, {
          method: "PUT",
          body: { territory_ids: draft.territory_ids },
        });
      }
      await refreshRun(run);
      setTyping(null);
    } catch {
      // Told by the toast; the form keeps what was typed.
    } finally {
      setSaving(false);
    }
  };

  return (
    <Modal
      title={<Title run={run} />}
      width="70%"
      sticky
      unsaved={draft !== null && JSON.stringify(draft) !== JSON.stringify(stored)}
      onClose={onClose}
      actions={
        <Buttons
          run={run}
          editing={draft !== null}
          saving={saving}
          onEdit={() => {
            setProblems({});
            setTyping(typing === null ? nothingTyped : null);
          }}
          onSave={() => void save()}
          onClose={onClose}
        />
      }
    >
      {draft !== null && (
        <Alert severity="warning" sx={{ mb: 2 }}>
          {texts.runs.reoptimise}
        </Alert>
      )}
      {conflicts.length > 0 && (
        <Alert severity="error" sx={{ mb: 2 }}>
          {fill(texts.runs.changedMeanwhile, {
            fields: conflicts.map((name) => name.replaceAll("_", " ")).join(", "),
          })}
        </Alert>
      )}
      {draft !== null && run.dispatched && (
        <Box sx={{ mb: 2 }}>
          <ReasonChoice value={why} onChange={setWhy} />
        </Box>
      )}
      <PhoneContact run={run} />
      <Tabs value={tab} variant="scrollable" onChange={(_, value: TabName) => setTab(value)} sx={{ mb: 2 }}>
        <Tab value="planning" label={texts.runs.tabPlanning} />
        <Tab value="actuals" label={texts.runs.tabActuals} />
        <Tab value="performance" label={texts.runs.tabPerformance} />
        <Tab value="billing" label={texts.runs.tabBilling} disabled={!bills} />
        <Tab value="proofs" label={texts.runs.tabProofs} />
      </Tabs>
      {tab === "planning" && <PlanningTab draft={shown} onChange={change} problems={problems} />}
      {tab === "actuals" && <ActualsTab draft={shown} onChange={change} problems={problems} />}
      {tab === "performance" && <PerformanceTab run={run} />}
      {tab === "billing" && <BillingTab run={run} draft={shown} onChange={change} problems={problems} />}
      {tab === "proofs" && <RunProofsTab run={run} />}
    </Modal>
  );
}

function Title({ run }: { run: Run }): ReactNode {
  const { scenario } = usePlanContext();
  const shown = run.scenario ?? scenario;
  const name = useDriverName()(run);
  return (
    <Box sx={{ display: "flex", alignItems: "center", gap: 1 }}>
      <span>
        {texts.runs.detailsTitle} – {run.uid}
        {name !== null && ` (${name})`}
        {shown !== null && ` · ${shown.name} · ${scenarioDateText(shown.scheduled_date)}`}
      </span>
      <StraightLinesMark run={run} />
      {run.validated_at !== null && (
        <Tooltip title={texts.runs.validated}>
          <FlagIcon color="success" fontSize="small" titleAccess={texts.runs.validated} />
        </Tooltip>
      )}
    </Box>
  );
}

interface ButtonsProps {
  run: Run;
  editing: boolean;
  saving: boolean;
  onEdit: () => void;
  onSave: () => void;
  onClose: () => void;
}

/** Only with the runs write level, and not in the live and customer views. */
function Buttons({ run, editing, saving, onEdit, onSave, onClose }: ButtonsProps): ReactNode {
  const { plan } = usePlanContext();
  const [deleting, setDeleting] = useState(false);
  const mayEdit = useMayEdit();
  const holdsLevel = useLevel("runs_write");
  const bills = useLevel("billing_rates_read");
  const forwarder = useModule("gefco");
  const allValidated = plan.runs.length > 0 && plan.runs.every((item) => item.validated_at !== null);
  if (!mayEdit || !holdsLevel) return null;
  return (
    <>
      {forwarder && allValidated && (
        <Button sx={{ mr: "auto" }} onClick={() => void sendDeliveryOut(run.id)}>
          {texts.runs.deliveryOut}
        </Button>
      )}
      {run.status !== "closed" && (
        <Button onClick={() => openDialog({ kind: "finish-run", runId: run.id })}>{texts.runs.finish}</Button>
      )}
      {run.status === "pending" && (
        <Button onClick={() => openDialog({ kind: "start-route", runId: run.id })}>
          {texts.runs.startRoute}
        </Button>
      )}
      {bills && run.validated_at === null && (
        <Button
          disabled={!canValidate(run)}
          onClick={() => openDialog({ kind: "validate", runIds: [run.id] })}
        >
          {texts.runs.validation.validate}
        </Button>
      )}
      <Button color="error" disabled={run.jobs.length > 0} onClick={() => setDeleting(true)}>
        {texts.runs.delete}
      </Button>
      <Button onClick={onEdit}>{editing ? texts.common.cancel : texts.common.edit}</Button>
      {editing && (
        <Button variant="contained" loading={saving} onClick={onSave}>
          {texts.common.save}
        </Button>
      )}
      {deleting && <DeleteRun run={run} onClose={() => setDeleting(false)} onDeleted={onClose} />}
    </>
  );
}

interface Sent {
  success: boolean;
  description: string;
}

async function sendDeliveryOut(runId: number): Promise<void> {
  await withToast(request<Sent>(`/gefco/delivery_out/${runId}`, { method: "POST", quiet: true }), {
    loading: texts.tracking.sending,
    success: ({ description }) => description || texts.tracking.sent,
    failure: failureText(texts.runs.deliveryOutFailed),
  }).catch(() => undefined);
}
