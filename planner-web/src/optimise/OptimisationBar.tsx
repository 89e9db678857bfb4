import { Box, Button, LinearProgress, Paper, Typography } from "@mui/material";
import { texts } from "@routewright/web";
import { type ReactNode, useEffect } from "react";
import { useScenarioContext } from "../plan/context.ts";
import { cancelOptimisation, useOptimisation, watchBackground } from "./task.ts";

/** Progress of the running optimisation over the map. */
export function OptimisationBar(): ReactNode {
  const { scenario } = useScenarioContext();
  const { scenarioId, progress, status } = useOptimisation();
  const background = scenario?.background_status ?? null;
  const id = scenario?.id ?? null;
  // A task that another window or an earlier visit started is followed as well.
  useEffect(() => {
    if (id !== null && (background === "queued" || background === "running")) watchBackground(id);
  }, [id, background]);
  if (scenarioId === null || scenarioId !== id) return null;
  return (
    <Paper
      role="status"
      elevation={4}
      sx={{
        position: "absolute",
        top: 12,
        left: "50%",
        transform: "translateX(-50%)",
        width: 340,
        maxWidth: "90%",
        p: 1.5,
        zIndex: 500,
      }}
    >
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
    </Paper>
  );
}
