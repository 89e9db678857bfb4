import {
  fill,
  type GpsPoint,
  type Job,
  type Proof,
  type NotificationSettings,
  renewToken,
  type Run,
  type Scenario,
  session,
  texts,
  toastInfo,
  toastWarning,
} from "@routewright/web";
import { useEffect } from "react";
import { io, type Socket } from "socket.io-client";
import { create } from "zustand";
import { endBackground } from "../optimise/task.ts";
import { keys } from "../plan/keys.ts";
import { leavesGap, type Tracks, withNewest, withPosition } from "../road/positions.ts";
import { queryClient } from "../ui/query-client.ts";
import { newlyLate } from "./late.ts";
import { useNotificationSettings } from "./notification-settings.ts";

/** Milliseconds before a refused socket tries again with a newer session. */
const REFUSED = 5_000;

/** Whether the live connection of the tracked scenario stands. */
export const useLive = create<{ connected: boolean }>(() => ({ connected: false }));

type ProofKind = "job" | "unit" | "return" | "container" | "run";

interface ProofEvent {
  scenario_id: number;
  kind: ProofKind;
  proof: Proof;
  changed?: string[];
}

interface RunEvent {
  scenario_id: number;
  run: Partial<Run> & { id: number };
  jobs: (Pick<Job, "id" | "run_id" | "seq" | "eta" | "etd" | "updated_eta"> & Partial<Job>)[];
}

interface OptimisationEvent {
  scenario_id: number;
  success: boolean;
  error: string | null;
}

/**
 * Joins the scenario's sockets: `/tracking` while it is tracked, `/optimisation` while it is planned or routed. Of the
 * plan they only tell: its rows come by its changes alone, for what is said here may be older than they are.
 */
export function useLiveScenario(scenario: Scenario | null): void {
  const id = scenario?.id ?? null;
  const tracking = scenario?.stage === "tracking";
  useNotificationSettings(tracking);
  useEffect(() => {
    if (id === null) return;
    const { socket, close } = connect(tracking ? "/tracking" : "/optimisation", id);
    if (tracking) listenTracking(socket, id);
    else {
      socket.on("broadcast_background_opt_complete", ({ scenario_id, success, error }: OptimisationEvent) => {
        if (scenario_id === id) void endBackground(id, success, error);
      });
    }
    return () => {
      close();
      useLive.setState({ connected: false });
    };
  }, [id, tracking]);
}

/** Joins with the user's own session; a session that has ended meanwhile is renewed once before it is given up. */
function connect(namespace: string, scenarioId: number): { socket: Socket; close: () => void } {
  let waiting: ReturnType<typeof setTimeout> | undefined;
  let renewed = false;
  const socket = io(namespace, {
    transports: ["websocket"],
    auth: (tell) => tell({ token: session().token, scenario_id: scenarioId }),
    reconnectionAttempts: 50,
    reconnectionDelay: 15_000,
    reconnectionDelayMax: 60_000,
  });
  socket.on("connect", () => {
    renewed = false;
  });
  socket.on("connect_error", () => {
    // The library tries again by itself unless the server has refused.
    if (socket.active || renewed) return;
    renewed = true;
    const again = (): void => void socket.connect();
    waiting = setTimeout(() => void renewToken().then(again, again), REFUSED);
  });
  return {
    socket,
    close: () => {
      clearTimeout(waiting);
      socket.disconnect();
    },
  };
}

function listenTracking(socket: Socket, scenarioId: number): void {
  let joined = false;
  socket.on("connect", () => {
    useLive.setState({ connected: true });
    // Positions missed while away are not sent again: they are loaded once.
    if (joined) void queryClient.invalidateQueries({ queryKey: keys.gps(scenarioId) });
    joined = true;
  });
  socket.on("disconnect", () => useLive.setState({ connected: false }));
  socket.on("broadcast_proof", (event: ProofEvent) => takeProof(event, scenarioId, true));
  socket.on("broadcast_proof_update", (event: ProofEvent) => takeProof(event, scenarioId, false));
  socket.on("broadcast_run_update", (event: RunEvent) => takeRun(event, scenarioId));
  socket.on("broadcast_gps_location", (point: GpsPoint & { scenario_id: number }) => {
    if (point.scenario_id === scenarioId) takePosition(point, scenarioId);
  });
}

function takeProof({ scenario_id: from, kind, proof }: ProofEvent, scenarioId: number, isNew: boolean): void {
  if (from !== scenarioId) return;
  void queryClient.invalidateQueries({ queryKey: keys.evidence });
  void queryClient.invalidateQueries({ queryKey: keys.contacts(scenarioId) });
  if (isNew && kind === "job") tellProof(scenarioId, proof);
  if (proof.job_id !== null) void queryClient.invalidateQueries({ queryKey: keys.job(proof.job_id) });
  if (proof.run_id !== null) void queryClient.invalidateQueries({ queryKey: keys.run(proof.run_id) });
}

function tellProof(scenarioId: number, { job_id: jobId }: Proof): void {
  const job = queryClient.getQueryData<Job[]>(keys.jobs(scenarioId))?.find(({ id }) => id === jobId);
  if (job !== undefined) toastInfo(fill(texts.proofs.arrived, { uid: job.uid }));
}

function takeRun({ scenario_id: from, run, jobs }: RunEvent, scenarioId: number): void {
  if (from !== scenarioId) return;
  tellLate(queryClient.getQueryData<Job[]>(keys.jobs(scenarioId)) ?? [], jobs);
  void queryClient.invalidateQueries({ queryKey: keys.run(run.id) });
  void queryClient.invalidateQueries({ queryKey: keys.contacts(scenarioId) });
}

/** Warns when a job's estimate passes the organisation's threshold. */
function tellLate(before: readonly Job[], changes: RunEvent["jobs"]): void {
  const { user } = session();
  const settings = queryClient.getQueryData<NotificationSettings>(
    keys.notifications(user?.organisation.id ?? 0),
  );
  if (settings?.eta_alert.enabled !== true) return;
  for (const { uid, minutes } of newlyLate(before, changes, settings.eta_alert.threshold_minutes)) {
    toastWarning(fill(texts.tracking.late, { uid, n: minutes }), { duration: 10_000 });
  }
}

/** Milliseconds in which several gaps are filled at once. */
const GAPS = 30_000;
let filling = false;

/** Loads the positions anew, for all that come back from a tunnel about the same time. */
function fillGaps(scenarioId: number): void {
  if (filling) return;
  filling = true;
  setTimeout(() => {
    filling = false;
    void queryClient.invalidateQueries({ queryKey: keys.tracks(scenarioId) });
  }, GAPS);
}

function takePosition(point: GpsPoint, scenarioId: number): void {
  queryClient.setQueryData<GpsPoint[]>([...keys.gps(scenarioId), "latest"], (list) =>
    withNewest(list ?? [], point),
  );
  const queryKey = keys.tracks(scenarioId);
  const gap = queryClient
    .getQueriesData<Tracks>({ queryKey })
    .some(([, tracks]) => tracks && leavesGap(tracks, point));
  queryClient.setQueriesData<Tracks>({ queryKey }, (tracks) =>
    tracks === undefined ? undefined : withPosition(tracks, point),
  );
  if (gap) fillGaps(scenarioId);
  queryClient.setQueryData<GpsPoint[]>([...keys.gps(scenarioId), "trail"], (list) =>
    list === undefined ? undefined : [...list, point],
  );
}
