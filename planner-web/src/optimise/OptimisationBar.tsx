import CloseIcon from "@mui/icons-material/Close";
import { Box, Button, IconButton, LinearProgress, Paper, Typography } from "@mui/material";
import { texts } from "@routewright/web";
import { type ReactNode, useEffect } from "react";
import { useScenarioContext } from "../plan/context.ts";
import { openDialog } from "../plan/dialogs.ts";
import {
  cancelOptimisation,
  closeEnded,
  improveFurther,
  mayOptimise,
  useOptimisation,
  watchBackground,
} from "./task.ts";

/** Progress of the running optimisation over the map, and what may follow when it ended. */
export function OptimisationBar(): ReactNode {
  const { scenario } = useScenarioContext();
  const { scenarioId, progress, status, endedId } = useOptimisation();
  const background = scenario?.background_status ?? null;
  const id = scenario?.id ?? null;
  // A task that another window or an earlier visit started is followed as well.
  useEffect(() => {
    if (id !== null && (background === "queued" || background === "running")) watchBackground(id);
  }, [id, background]);
  if (id === null) return null;
  if (scenarioId !== id) return endedId === id ? <Ended scenarioId={id} /> : null;
  return (
    <Notice>
      <Box sx={{ display: "flex", alignItems: "center", gap: 1, mb: 1 }}>
        <Typography variant="subtitle2" sx={{ flex: 1 }}>
          {status === "queued" ? texts.optimise.queued : texts.optimise.running}
        </Typography>
        {progress !== null && <Typography variant="body2">{Math.round(progress)} %</Typography>}
        <Button onClick={() => void cancelOptimisation()}>{texts.optimise.cancel}</Button>
      </Box>
      <LinearProgress
        aria-label={texts.optimise.running}
        {...(progress === null ? {} : { variant: "determinate", value: progress })}
      />
    </Notice>
  );
}

/** What may follow an optimisation that ended. */
function Ended({ scenarioId }: { scenarioId: number }): ReactNode {
  return (
    <Notice>
      <Box sx={{ display: "flex", alignItems: "center", flexWrap: "wrap", gap: 1 }}>
        <Typography variant="subtitle2" sx={{ flex: 1 }}>
          {texts.optimise.ended}
        </Typography>
        <Button onClick={() => openDialog({ kind: "optimisation-summary" })}>
          {texts.optimise.summaryTitle}
        </Button>
        {mayOptimise(scenarioId) && (
          <Button title={texts.optimise.improveHelp} onClick={() => void improveFurther(scenarioId)}>
            {texts.optimise.improve}
          </Button>
        )}
        <IconButton aria-label={texts.optimise.endedClose} onClick={closeEnded}>
          <CloseIcon fontSize="small" />
        </IconButton>
      </Box>
    </Notice>
  );
}

function Notice({ children }: { children: ReactNode }): ReactNode {
  return (
    <Paper
      role="status"
      elevation={4}
      sx={{
        position: "absolute",
        top: 12,
        left: "50%",
        transform: "translateX(-50%)",
        width: 440,
        maxWidth: "90%",
        p: 1.5,
        zIndex: 500,
      }}
    >
      {children}
    </Paper>
  );
}
