import { Alert, AlertTitle, Box, Button, CircularProgress, LinearProgress, Typography } from "@mui/material";
import { clockText, ColourModeSwitch, fill, type Runsheet, scenarioDateText, texts } from "@routewright/web";
import { type ReactNode, useState } from "react";
import { useSearchParams } from "react-router";
import { JobCard } from "./JobCard.tsx";
import { useOfflinePage } from "./offline.ts";
import { usePosition } from "./position.ts";
import { ProofForm } from "./ProofForm.tsx";
import { RouteForm } from "./RouteForm.tsx";
import { type SheetState, useSheet } from "./use-sheet.ts";

type Screen = { kind: "list" } | { kind: "start" } | { kind: "end" } | { kind: "proof"; jobId: number };

/** The driver's run sheet on a phone. Works on while there is no connection. */
export function RunsheetPage(): ReactNode {
  const [parameters] = useSearchParams();
  const state = useSheet(parameters.get("token") ?? "");
  const [screen, setScreen] = useState<Screen>({ kind: "list" });
  usePosition(state.sheet, state.connection);
  useOfflinePage();
  const { sheet, problem } = state;
  if (sheet === null) {
    return (
      <Box component="main" sx={{ p: 3, display: "grid", placeItems: "center", minHeight: "60dvh" }}>
        {problem === null ? (
          <CircularProgress aria-label={texts.common.loading} />
        ) : (
          <Alert severity="error">{problem}</Alert>
        )}
      </Box>
    );
  }
  const back = (): void => setScreen({ kind: "list" });
  return (
    <Box component="main" sx={{ maxWidth: 640, mx: "auto", minHeight: "100dvh", pb: 4, fontSize: "1rem" }}>
      <Head sheet={sheet} />
      <Box sx={{ p: 2, display: "grid", gap: 2 }}>
        <Notices state={state} />
        {screen.kind === "list" && <List state={state} sheet={sheet} onOpen={setScreen} />}
        {(screen.kind === "start" || screen.kind === "end") && (
          <RouteForm kind={screen.kind} sheet={sheet} state={state} onDone={back} />
        )}
        {screen.kind === "proof" && (
          <ProofForm jobId={screen.jobId} sheet={sheet} state={state} onDone={back} />
        )}
      </Box>
    </Box>
  );
}

function Head({ sheet }: { sheet: Runsheet }): ReactNode {
  return (
    <Box
      component="header"
      sx={{
        position: "sticky",
        top: 0,
        zIndex: 2,
        bgcolor: "background.paper",
        borderBottom: 1,
        borderColor: "divider",
        px: 2,
        py: 1.25,
        display: "flex",
        alignItems: "center",
        gap: 1,
      }}
    >
      <Box sx={{ flex: 1, minWidth: 0 }}>
        <Typography component="h1" variant="h6" noWrap>
          {sheet.run.uid} · {sheet.scenario.name}
        </Typography>
        <Typography variant="body2" color="textSecondary" noWrap>
          {sheet.organisation.name} · {scenarioDateText(sheet.scenario.scheduled_date)}
          {sheet.run.vehicle !== null && ` · ${sheet.run.vehicle.uid}`}
        </Typography>
      </Box>
      <ColourModeSwitch />
    </Box>
  );
}

function Notices({ state }: { state: SheetState }): ReactNode {
  const { waiting, offline, loadedAt, problem } = state;
  const pending = waiting.filter(({ refusal }) => refusal === null);
  const refused = waiting.filter(({ refusal }) => refusal !== null);
  return (
    <>
      {problem !== null && <Alert severity="error">{problem}</Alert>}
      {offline && (
        <Alert severity="warning">
          {fill(texts.runsheet.offline, { time: new Date(loadedAt).toLocaleTimeString() })}
        </Alert>
      )}
      {pending.length > 0 && (
        <Alert
          severity="info"
          action={
            <Button color="inherit" onClick={state.sendNow}>
              {texts.runsheet.sendNow}
            </Button>
          }
        >
          {fill(texts.runsheet.waiting, { n: pending.length })}
        </Alert>
      )}
      {refused.map(({ id, what, refusal }) => (
        <Alert
          key={id}
          severity="error"
          action={
            <Button color="inherit" onClick={() => state.discard(id)}>
              {texts.runsheet.discard}
            </Button>
          }
        >
          <AlertTitle>{texts.runsheet.refused}</AlertTitle>
          {fill(texts.runsheet.refusedText, { what, message: refusal ?? "" })}
        </Alert>
      ))}
    </>
  );
}

interface ListProps {
  state: SheetState;
  sheet: Runsheet;
  onOpen: (screen: Screen) => void;
}

function List({ state, sheet, onOpen }: ListProps): ReactNode {
  const jobs = [...sheet.jobs].sort((a, b) => a.seq - b.seq);
  const done = jobs.filter((job) => state.resultOf(job.id) !== null).length;
  const next = jobs.find((job) => state.resultOf(job.id) === null);
  const { actual_start_time: started, actual_end_time: ended } = sheet.run;
  const zone = sheet.organisation.timezone;
  const anyOrder = sheet.settings.app_settings.allow_out_of_sequence;
  return (
    <>
      <Box>
        <Typography variant="body2" color="textSecondary" sx={{ mb: 0.5 }}>
          {fill(texts.runsheet.progress, { done, total: jobs.length })}
          {started !== null && ` · ${fill(texts.runsheet.started, { time: clockText(started, zone) })}`}
          {ended !== null && ` · ${fill(texts.runsheet.ended, { time: clockText(ended, zone) })}`}
        </Typography>
        <LinearProgress
          aria-label={fill(texts.runsheet.progress, { done, total: jobs.length })}
          variant="determinate"
          value={jobs.length === 0 ? 0 : (done / jobs.length) * 100}
          sx={{ height: 8, borderRadius: 4 }}
        />
      </Box>
      {started === null && (
        <Button variant="contained" size="large" onClick={() => onOpen({ kind: "start" })}>
          {texts.runsheet.start}
        </Button>
      )}
      {started !== null && ended === null && next === undefined && (
        <Alert severity="success">{texts.runsheet.allDone}</Alert>
      )}
      {jobs.map((job) => (
        <JobCard
          key={job.id}
          job={job}
          zone={zone}
          result={state.resultOf(job.id)}
          next={job.id === next?.id}
          showPhone={sheet.settings.app_settings.show_customer_phone}
          onProof={
            started !== null && ended === null && (anyOrder || job.id === next?.id)
              ? () => onOpen({ kind: "proof", jobId: job.id })
              : null
          }
        />
      ))}
      {started !== null && ended === null && (
        <Button
          variant={next === undefined ? "contained" : "outlined"}
          size="large"
          onClick={() => onOpen({ kind: "end" })}
        >
          {texts.runsheet.end}
        </Button>
      )}
    </>
  );
}
