import { Box, Button, Paper, Typography } from "@mui/material";
import { texts, useLevel, useMayRehearse } from "@routewright/web";
import type { ReactNode } from "react";
import { usePlanContext } from "../plan/context.ts";
import { openDialog } from "../plan/dialogs.ts";
import { startTutorial, useTutorial } from "../tutorial/state.ts";
import { useMayEdit } from "../ui/view.ts";

/** What to do first, in the middle of a map or a list that has nothing to show yet. */
export function EmptyDay(): ReactNode {
  const { plan, scenario, scenarioId, loading, error } = usePlanContext();
  const edits = useMayEdit();
  const writesJobs = useLevel("jobs_write");
  const writesScenarios = useLevel("scenarios_write");
  const learning = useTutorial((state) => state.step !== null);
  // What the tour makes.
  const learns = useLevel("drivers_write") && writesJobs;
  const { enter: rehearses } = useMayRehearse();
  if (!edits || learning || loading || error !== null || plan.jobs.length > 0) return null;
  if (scenarioId !== null && scenario === null) return null;
  const first = scenario === null;
  if (!(first ? writesScenarios : writesJobs)) return null;
  return (
    <Paper
      elevation={4}
      sx={{
        position: "absolute",
        left: "50%",
        top: "50%",
        transform: "translate(-50%, -50%)",
        width: 380,
        maxWidth: "90%",
        p: 2,
        zIndex: 300,
      }}
    >
      <Typography variant="subtitle1" component="h2">
        {first ? texts.map.noDay : texts.map.emptyDay}
      </Typography>
      <Typography variant="body2" color="textSecondary" sx={{ mb: 1.5 }}>
        {first ? texts.map.noDayHelp : texts.map.emptyDayHelp}
      </Typography>
      <Box sx={{ display: "flex", flexWrap: "wrap", gap: 1 }}>
        {first ? (
          <>
            <Button variant="contained" onClick={() => openDialog({ kind: "scenario", scenarioId: null })}>
              {texts.map.firstDay}
            </Button>
            {learns && <Button onClick={startTutorial}>{texts.tutorial.offer}</Button>}
            {rehearses && (
              <Button onClick={() => openDialog({ kind: "rehearsal" })}>{texts.rehearsal.offer}</Button>
            )}
          </>
        ) : (
          <>
            <Button variant="contained" onClick={() => openDialog({ kind: "import-jobs" })}>
              {texts.map.importFile}
            </Button>
            <Button onClick={() => openDialog({ kind: "job", jobId: null })}>{texts.map.firstJob}</Button>
            {learns && <Button onClick={startTutorial}>{texts.tutorial.offer}</Button>}
            {rehearses && (
              <Button onClick={() => openDialog({ kind: "rehearsal" })}>{texts.rehearsal.offer}</Button>
            )}
          </>
        )}
      </Box>
    </Paper>
  );
}
