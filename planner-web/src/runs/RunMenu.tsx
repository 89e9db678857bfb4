import MoreIcon from "@mui/icons-material/MoreVert";
import { IconButton, Menu, MenuItem } from "@mui/material";
import { fill, type Job, type Run, texts, useLevel, useModule } from "@routewright/web";
import { type ReactNode, useState } from "react";
import { withReason } from "../moves/reasons.ts";
import { openDialog } from "../plan/dialogs.ts";
import { selectJobs } from "../plan/selection.ts";
import { ConfirmDialog } from "../ui/ConfirmDialog.tsx";
import { useMayEdit } from "../ui/view.ts";
import { callForwarder, deleteRun, reverseRun } from "./actions.ts";

/** What can be done with one run. */
export function RunMenu({ run, stops }: { run: Run; stops: readonly Job[] }): ReactNode {
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const [deleting, setDeleting] = useState(false);
  const edits = useMayEdit();
  const writes = useLevel("runs_write") && edits;
  const details = useLevel("run_detail_read");
  const bills = useLevel("billing_rates_read");
  const forwarder = useModule("gefco");
  const open = run.validated_at === null;
  const dialog =
    (kind: "run" | "delay" | "advanced-routing" | "run-sheet" | "start-route" | "finish-run") => () =>
      openDialog({ kind, runId: run.id });
  const items = [
    { label: texts.runs.detailsTitle, act: dialog("run"), shown: details },
    {
      label: texts.runs.advancedRouting,
      act: dialog("advanced-routing"),
      shown: writes && open && stops.length > 1,
    },
    { label: texts.runs.delay, act: dialog("delay"), shown: writes && open && stops.length > 0 },
    {
      label: texts.runs.reverse,
      act: () =>
        void withReason(
          run.dispatched ? [run] : [],
          (reasonId) => void reverseRun(run.id, reasonId).catch(() => undefined),
        ),
      shown: writes && open && stops.length > 1,
    },
    { label: texts.runs.startRoute, act: dialog("start-route"), shown: writes && run.status === "pending" },
    { label: texts.runs.finish, act: dialog("finish-run"), shown: writes && run.status !== "closed" },
    { label: texts.dispatch.sheetTitle, act: dialog("run-sheet"), shown: writes },
    {
      label: texts.runs.validation.validate,
      act: () => openDialog({ kind: "validate", runIds: [run.id] }),
      shown: writes && bills && open && run.status === "closed",
    },
    {
      label: texts.runs.selectJobs,
      act: () => selectJobs(stops.map(({ id }) => id)),
      shown: edits && stops.length > 0,
    },
    {
      label: texts.runs.runLoad,
      act: () => void callForwarder("/gefco/run_load", run),
      shown: writes && forwarder,
    },
    {
      label: texts.runs.modelUpdate,
      act: () => void callForwarder("/gefco/model_update", run),
      shown: writes && forwarder,
    },
    { label: texts.runs.delete, act: () => setDeleting(true), shown: writes && stops.length === 0 },
  ].filter((item) => item.shown);
  return (
    <>
      <IconButton
        aria-label={`${texts.common.more} ${run.uid}`}
        disabled={items.length === 0}
        onClick={(event) => setAnchor(event.currentTarget)}
      >
        <MoreIcon fontSize="small" />
      </IconButton>
      {anchor !== null && (
        <Menu open anchorEl={anchor} onClose={() => setAnchor(null)}>
          {items.map(({ label, act }) => (
            <MenuItem
              key={label}
              onClick={() => {
                setAnchor(null);
                act();
              }}
            >
              {label}
            </MenuItem>
          ))}
        </Menu>
      )}
      {deleting && <DeleteRun run={run} onClose={() => setDeleting(false)} />}
    </>
  );
}

interface DeleteRunProps {
  run: Run;
  onClose: () => void;
  onDeleted?: () => void;
}

/** Are you sure delete run '{uid}'? */
export function DeleteRun({ run, onClose, onDeleted }: DeleteRunProps): ReactNode {
  return (
    <ConfirmDialog
      title={texts.runs.delete}
      text={fill(texts.runs.deleteText, { uid: run.uid })}
      cancel={texts.common.no}
      onClose={onClose}
      choices={[
        {
          label: texts.common.yes,
          colour: "error",
          act: () => {
            onClose();
            void deleteRun(run).then(onDeleted, () => undefined);
          },
        },
      ]}
    />
  );
}
