import {
  ApiError,
  fill,
  messageOfError,
  newId,
  type Runsheet,
  texts,
  toastError,
  toastInfo,
  toastSuccess,
} from "@routewright/web";
import { useCallback, useEffect, useMemo, useState } from "react";
import { changeRecord, kept, putRecord, recordsOf, removeRecord } from "./kept.ts";
import { type Outcome, Outbox } from "./outbox.ts";
import { type KeptRecord, resultOf, withRecords } from "./record.ts";
import { SheetConnection } from "./sheet.ts";
import { alone, hearWindows, tellWindows } from "./windows.ts";

/** Milliseconds between two attempts to send what waits. */
const RETRY = 20_000;
/** Milliseconds after which the driver is told that a record waits. */
const SOON = 4_000;

interface Loaded {
  sheet: Runsheet;
  /** Milliseconds. */
  at: number;
}

export type NewRecord = Pick<KeptRecord, "kind" | "what" | "jobId" | "content" | "files">;

export interface SheetState {
  sheet: Runsheet | null;
  loadedAt: number;
  /** The office could not be reached; this is what the phone remembers. */
  offline: boolean;
  problem: string | null;
  records: readonly KeptRecord[];
  /** Keeps a record on the phone; when it resolves to true, nothing can lose it. It is sent in the background. */
  record: (record: NewRecord) => Promise<boolean>;
  discard: (id: string) => void;
  sendNow: () => void;
  /** Asks the office for the sheet as it is now. */
  reload: () => void;
  resultOf: (jobId: number) => ReturnType<typeof resultOf>;
  connection: SheetConnection;
}

/** The run sheet of a token: loaded from the office, remembered on the phone, with what was recorded on it. */
export function useSheet(runToken: string): SheetState {
  const connection = useMemo(() => new SheetConnection(runToken), [runToken]);
  const [loaded, setLoaded] = useState<Loaded | null>(null);
  const [offline, setOffline] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const [records, setRecords] = useState<readonly KeptRecord[]>([]);

  const reread = useCallback(async () => setRecords(await recordsOf(runToken)), [runToken]);

  const load = useCallback(async () => {
    const before = Date.now();
    try {
      const sheet = await connection.load();
      await keepSheet(runToken, { sheet, at: Date.now() });
      // What the office had before it was asked is in its answer.
      for (const { id, sentAt } of await recordsOf(runToken)) {
        if (sentAt !== null && sentAt < before) await removeRecord(id);
      }
      setLoaded({ sheet, at: Date.now() });
      setOffline(false);
      setProblem(null);
      await reread();
    } catch (error) {
      if (error instanceof ApiError && error.status >= 400 && error.status < 500) {
        setProblem(error.status === 401 ? texts.runsheet.invalid : error.message);
        return;
      }
      setOffline(true);
      const known = await keptSheet(runToken);
      if (known === undefined) setProblem(messageOfError(error));
    }
  }, [connection, runToken, reread]);

  const outbox = useMemo(() => {
    const changed = (): void => {
      void reread();
      tellWindows(runToken);
    };
    return new Outbox({
      read: () => recordsOf(runToken),
      put: putRecord,
      change: changeRecord,
      upload: (record, file, index) => connection.upload(record, file, index),
      deliver: (record) => connection.deliver(record),
      exclusively: (work) => alone(`runsheet-outbox-${runToken}`, work),
      changed,
    });
  }, [connection, runToken, reread]);

  const flush = useCallback(async (): Promise<Outcome> => {
    const outcome = await outbox.flush();
    if (outcome.kind === "done" && outcome.sent > 0) void load();
    return outcome;
  }, [outbox, load]);

  useEffect(() => {
    // What the phone remembers is shown at once, whatever the network does.
    void keptSheet(runToken).then((known) => setLoaded((shown) => shown ?? known ?? null));
    void reread().catch((error: unknown) => console.warn("This browser keeps nothing.", error));
    void load();
    void flush();
    const back = (): void => {
      if (document.visibilityState !== "visible") return;
      void flush();
      void load();
    };
    const timer = setInterval(() => {
      void recordsOf(runToken).then((all) => {
        if (all.some(({ sentAt }) => sentAt === null)) void flush();
      });
    }, RETRY);
    const deaf = hearWindows(runToken, () => void reread());
    window.addEventListener("online", back);
    document.addEventListener("visibilitychange", back);
    return () => {
      clearInterval(timer);
      deaf();
      window.removeEventListener("online", back);
      document.removeEventListener("visibilitychange", back);
    };
  }, [runToken, flush, load, reread]);

  const reload = useCallback(() => void load(), [load]);

  const sheet = useMemo(
    () => (loaded === null ? null : withRecords(loaded.sheet, records)),
    [loaded, records],
  );
  return {
    sheet,
    loadedAt: loaded?.at ?? 0,
    offline,
    problem,
    records,
    connection,
    record: async (record) => {
      const id = newId();
      const capturedAt = new Date().toISOString();
      try {
        await outbox.add({ ...record, id, sheet: runToken, capturedAt, sentAt: null, problem: null });
      } catch (error) {
        toastError(fill(texts.runsheet.notKept, { reason: messageOfError(error) }));
        return false;
      }
      await reread();
      void tellSoon(flush());
      return true;
    },
    discard: (id) => {
      void removeRecord(id).then(() => {
        tellWindows(runToken);
        return reread();
      });
    },
    sendNow: () => void flush().then(tellOutcome),
    reload,
    resultOf: (jobId) => {
      const job = loaded?.sheet.jobs.find(({ id }) => id === jobId);
      return job === undefined ? null : resultOf(job, records);
    },
  };
}

/** Tells what became of a record, at the latest when the driver would wonder. */
async function tellSoon(flush: Promise<Outcome>): Promise<void> {
  const outcome = await Promise.race([
    flush,
    new Promise<null>((resolve) => setTimeout(resolve, SOON, null)),
  ]);
  if (outcome?.kind === "done") toastSuccess(texts.runsheet.saved);
  else toastInfo(texts.runsheet.queued);
}

/** "Send now" always says what came of it. */
function tellOutcome(outcome: Outcome): void {
  if (outcome.kind === "done") toastSuccess(texts.runsheet.allSent);
  else if (outcome.kind === "elsewhere") toastInfo(texts.runsheet.sentElsewhere);
  else if (outcome.kind === "refused") toastError(outcome.message);
  else if (outcome.error.status === 0) toastError(texts.runsheet.unreachable);
  else if (outcome.error.status === 401) toastError(texts.runsheet.linkEnded);
  else toastError(fill(texts.runsheet.officeBusy, { reason: outcome.error.message }));
}

async function keptSheet(runToken: string): Promise<Loaded | undefined> {
  return kept()
    .then((database) => database.get("sheets", runToken))
    .catch(() => undefined);
}

async function keepSheet(runToken: string, sheet: Loaded): Promise<void> {
  await kept()
    .then((database) => database.put("sheets", sheet, runToken))
    .catch((error: unknown) => console.warn("The run sheet is not kept on this phone.", error));
}
