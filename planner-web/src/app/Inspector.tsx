import { Box } from "@mui/material";
import { texts } from "@routewright/web";
import { type ReactNode, Suspense, useEffect, useState } from "react";
import {
  beginInspecting,
  closeInspected,
  type Details,
  endInspecting,
  keepInspected,
  openDialog,
  useDialogs,
} from "../plan/dialogs.ts";
import { useSelection } from "../plan/selection.ts";
import { DockContext } from "../ui/dock.ts";
import { UnsavedScope, useLeave } from "../ui/unsaved.tsx";
import { DialogPart } from "./Dialogs.tsx";

/** Details of a job or a run beside the map that they are about. */
export function Inspector(): ReactNode {
  useEffect(() => {
    beginInspecting();
    return endInspecting;
  }, []);
  useFollowSelection();
  const wanted = useDialogs(({ inspected }) => inspected) ?? null;
  return (
    <UnsavedScope>
      <Shown wanted={wanted} />
    </UnsavedScope>
  );
}

/** What is shown stays while typing in it would be lost; closing has asked already. */
function Shown({ wanted }: { wanted: Details | null }): ReactNode {
  const leave = useLeave();
  const [held, setHeld] = useState(wanted);
  useEffect(() => {
    if (wanted === null || held === null) setHeld(wanted);
    else if (wanted !== held)
      leave(
        () => setHeld(wanted),
        () => keepInspected(held),
      );
  }, [leave, wanted, held]);
  // Who closes it has asked, or has saved.
  const close = (): void => {
    closeInspected();
    setHeld(useDialogs.getState().inspected ?? null);
  };
  if (wanted === null || held === null) return null;
  return (
    <Box
      component="aside"
      aria-label={texts.map.inspector}
      sx={{
        flex: "none",
        width: { md: 380, lg: 440 },
        minHeight: 0,
        bgcolor: "background.paper",
        borderLeft: 1,
        borderColor: "divider",
        containerType: "inline-size",
      }}
    >
      <DockContext value="beside">
        <Suspense fallback={null}>
          <DialogPart key={keyOf(held)} dialog={held} onClose={close} />
        </Suspense>
      </DockContext>
    </Box>
  );
}

function keyOf(details: Details): string {
  return `${details.kind}-${details.kind === "run" ? details.runId : details.jobId}`;
}

/** While it shows a job, it shows the one that is marked. */
function useFollowSelection(): void {
  const marked = useSelection(({ jobIds }) => (jobIds.size === 1 ? [...jobIds][0] : undefined));
  useEffect(() => {
    const { inspected } = useDialogs.getState();
    if (marked === undefined || inspected?.kind !== "job-details" || inspected.jobId === marked) return;
    openDialog({ kind: "job-details", jobId: marked });
  }, [marked]);
}
