import { renewToken, session } from "@routewright/web";
import { useEffect } from "react";
import { io, type Socket } from "socket.io-client";
import { catchUp, hear, setOpen } from "./follow.ts";
import { type Person, repeat, speakThrough, usePresence } from "./presence.ts";

/** Pause before a refused socket tries again with a newer session. */
const REFUSED = 5_000;

interface Changed {
  scenario_id: number;
  version: number;
}

interface People {
  scenario_id: number;
  people: Person[];
}

/**
 * Keeps the open plan as the server has it: every change is heard by the socket of the plan, and asked for when the
 * page comes back, whether from another window, from sleep or from being offline.
 */
export function useFollow(scenarioId: number | null): void {
  useEffect(() => {
    if (scenarioId === null) return;
    setOpen(scenarioId);
    const close = listen(scenarioId);
    const back = (): void => {
      if (document.visibilityState === "visible") void catchUp(scenarioId);
    };
    window.addEventListener("focus", back);
    window.addEventListener("online", back);
    document.addEventListener("visibilitychange", back);
    return () => {
      setOpen(null);
      close();
      window.removeEventListener("focus", back);
      window.removeEventListener("online", back);
      document.removeEventListener("visibilitychange", back);
    };
  }, [scenarioId]);
}

function listen(scenarioId: number): () => void {
  let waiting: ReturnType<typeof setTimeout> | undefined;
  const socket: Socket = io("/plan", {
    transports: ["websocket"],
    // Its own connection: tokens and pauses of the others are not those of this one.
    forceNew: true,
    auth: (tell) => tell({ token: session().token, scenario_id: scenarioId }),
    reconnectionDelay: 500,
    reconnectionDelayMax: 10_000,
  });
  speakThrough(socket);
  socket.on("connect", () => {
    usePresence.setState({ connected: true });
    repeat();
    void catchUp(scenarioId);
  });
  socket.on("disconnect", (reason) => {
    usePresence.setState({ connected: false, people: [] });
    // The server ended it; the library comes back by itself only from what was lost. Why it did is told to whoever asks for
    // the plan: one whose organisation is suspended is signed out.
    if (reason === "io server disconnect") {
      void catchUp(scenarioId);
      waiting = setTimeout(() => socket.connect(), REFUSED);
    }
  });
  const connect = (): void => void socket.connect();
  socket.on("connect_error", () => {
    if (socket.active) return;
    waiting = setTimeout(() => void renewToken().then(connect, connect), REFUSED);
  });
  socket.on("plan_changed", ({ scenario_id: of, version }: Changed) => {
    if (of === scenarioId) hear(scenarioId, version);
  });
  socket.on("presence", ({ scenario_id: of, people }: People) => {
    if (of === scenarioId) usePresence.setState({ people });
  });
  return () => {
    clearTimeout(waiting);
    speakThrough(null);
    socket.disconnect();
  };
}
