import { Alert, Box, Button, Link, Paper, Typography } from "@mui/material";
import { fill, isPlaced, messageOfError, texts } from "@routewright/web";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { useChosenDrivers } from "../drivers/active.ts";
import { LocationField } from "../locations/LocationField.tsx";
import { optimise, POLLING_THRESHOLD, useOptimisation } from "../optimise/task.ts";
import { usePlanContext } from "../plan/context.ts";
import { openPanel, selectJobs, useSelection } from "../plan/selection.ts";
import { useChangeStage } from "../scenarios/stage.ts";
import { createDrivers, createJobs } from "./create.ts";
import { Highlight } from "./Highlight.tsx";
import { finishTutorial, goOn, useTutorial } from "./state.ts";
import { STEPS, type StepName, TARGETS } from "./steps.ts";

/** The guided tour; nothing while it is closed. */
export function Tutorial(): ReactNode {
  const step = useTutorial((state) => state.step);
  return step === null ? null : <Popup key={step} step={step} />;
}

function Popup({ step }: { step: StepName }): ReactNode {
  const [problem, setProblem] = useState<string | null>(null);
  const [working, setWorking] = useState(false);
  const act = useNext(step);
  const waiting = useWaiting(step);
  useArrangement(step);
  const depot = useTutorial((state) => state.depot);
  // What was missing is there now.
  useEffect(() => setProblem(null), [depot]);
  const popup = useRef<HTMLDivElement>(null);
  useEffect(() => popup.current?.focus(), []);
  const { title, text } = texts.tutorial.steps[step];
  const target = TARGETS[step];
  const next = async (): Promise<void> => {
    setProblem(null);
    setWorking(true);
    try {
      await act();
    } catch (error) {
      setProblem(messageOfError(error));
    }
    setWorking(false);
  };
  return (
    <>
      {target !== undefined && <Highlight target={target} />}
      <Paper
        ref={popup}
        role="dialog"
        aria-label={texts.tutorial.label}
        tabIndex={-1}
        elevation={8}
        onKeyDown={(event) => {
          if (event.key === "Escape") finishTutorial();
        }}
        sx={{
          position: "fixed",
          right: { xs: 8, sm: 24 },
          left: { xs: 8, sm: "auto" },
          // Beside what it explains.
          ...(target === "timeline" ? { top: 64 } : { bottom: { xs: 72, sm: 24 } }),
          width: { xs: "auto", sm: 380 },
          p: 2.5,
          display: "grid",
          gap: 1.5,
          zIndex: 1260,
          outline: "none",
        }}
      >
        <Typography variant="caption" color="textSecondary">
          {fill(texts.tutorial.counter, { n: STEPS.indexOf(step) + 1, total: STEPS.length })}
        </Typography>
        <Typography component="h2" variant="h6">
          {title}
        </Typography>
        <Typography>{text}</Typography>
        {step === "depot" && <Depot />}
        {step === "dispatch" && <Badges />}
        {step === "demo" && <DemoLink />}
        {problem !== null && <Alert severity="error">{problem}</Alert>}
        <Box sx={{ display: "flex", justifyContent: "space-between", gap: 1 }}>
          <Button color="inherit" onClick={finishTutorial}>
            {texts.tutorial.skip}
          </Button>
          <Button variant="contained" loading={working || waiting} onClick={() => void next()}>
            {texts.tutorial.next}
          </Button>
        </Box>
      </Paper>
    </>
  );
}

/** What Next does. A failure is thrown and shown in the popup. */
function useNext(step: StepName): () => Promise<void> | void {
  const { scenario, scenarioId, plan } = usePlanContext();
  const { drivers, chosen } = useChosenDrivers();
  const changeStage = useChangeStage();
  const depot = useTutorial((state) => state.depot);
  const go = (): void => goOn(step);
  switch (step) {
    case "depot":
      return async () => {
        if (depot === null || !isPlaced(depot)) throw new Error(texts.tutorial.chooseLocation);
        await createDrivers(depot);
        go();
      };
    case "drivers":
      return async () => {
        await createJobs(depot, scenarioId);
        go();
      };
    case "route":
      return async () => {
        if (scenarioId === null) throw new Error(texts.scenarios.none);
        if (plan.jobs.length === 0) throw new Error(texts.optimise.noJob);
        if (chosen.size === 0) throw new Error(texts.optimise.noDriver);
        await optimise({
          scenarioId,
          jobs: plan.jobs.length,
          driverIds: drivers.filter(({ id }) => chosen.has(id)).map(({ id }) => id),
          // Every driver gets a run, so that there is something to compare.
          options: { objective: "balanced" },
          threshold: POLLING_THRESHOLD,
          summary: false,
        });
      };
    case "tracking":
      return async () => {
        if (scenario !== null && scenario.stage !== "tracking") await changeStage("tracking");
        go();
      };
    case "finish":
      return finishTutorial;
    default:
      return go;
  }
}

/** Two steps go on by themselves: when the optimisation is done, and when the scenario is tracked. */
function useWaiting(step: StepName): boolean {
  const { scenario, scenarioId, plan } = usePlanContext();
  const running = useOptimisation((state) => state.scenarioId === scenarioId && scenarioId !== null);
  const ran = useRef(false);
  const routed = plan.runs.length > 0;
  const tracked = scenario?.stage === "tracking";
  // Proofs move a scenario on by themselves: the step is shown all the same.
  const trackedBefore = useRef(tracked);
  useEffect(() => {
    if (step !== "route") return;
    if (running) ran.current = true;
    else if (ran.current && routed) goOn("route");
  }, [step, running, routed]);
  useEffect(() => {
    if (step === "tracking" && tracked && !trackedBefore.current) goOn("tracking");
  }, [step, tracked]);
  return step === "route" && running;
}

/** Opens what the step is about. */
function useArrangement(step: StepName): void {
  const { plan } = usePlanContext();
  const jobs = plan.jobs;
  useEffect(() => {
    if (step === "drivers" || step === "jobs" || step === "runs") openPanel(step);
    if (step === "route") selectJobs(jobs.map(({ id }) => id));
    if (step === "timeline") useSelection.setState({ timelineOpen: true });
  }, [step, jobs]);
}

function Depot(): ReactNode {
  const depot = useTutorial((state) => state.depot);
  return (
    <LocationField
      label={texts.tutorial.depot}
      required
      value={depot}
      onChange={(place) => useTutorial.setState({ depot: place })}
    />
  );
}

/** Links where the installation says where its app is; else pictures: the run sheet needs no installed app. */
function Badges(): ReactNode {
  const stores = [
    { url: import.meta.env.VITE_IOS_APP_URL, src: "/badge-ios.svg", alt: texts.tutorial.iosApp },
    { url: import.meta.env.VITE_ANDROID_APP_URL, src: "/badge-android.svg", alt: texts.tutorial.androidApp },
  ];
  return (
    <Box sx={{ display: "flex", gap: 1 }}>
      {stores.map(({ url, src, alt }) => {
        const badge = <Box key={src} component="img" src={src} alt={alt} sx={{ height: 40 }} />;
        if (url === undefined || url === "") return badge;
        return (
          <Link key={src} href={url} target="_blank" rel="noopener noreferrer">
            {badge}
          </Link>
        );
      })}
    </Box>
  );
}

/** Hidden where the installation names no address to book at. */
function DemoLink(): ReactNode {
  const url = import.meta.env.VITE_BOOK_DEMO_URL;
  if (url === undefined || url === "") return null;
  return (
    <Link href={url} target="_blank" rel="noopener noreferrer">
      {texts.tutorial.bookDemo}
    </Link>
  );
}
