import {
  ApiError,
  messageOfError,
  newId,
  type Runsheet,
  texts,
  toastInfo,
  toastSuccess,
} from "@routewright/web";
import { get, set, update } from "idb-keyval";
import { useCallback, useEffect, useMemo, useState } from "react";
import { Outbox, type OutboxRecord } from "./outbox.ts";
import { resultOf, SheetConnection, withWaiting } from "./sheet.ts";

const RETRY = 20_000;

interface Loaded {
  sheet: Runsheet;
  /** Milliseconds. */
  at: number;
  /** The office could not be reached; this is what the phone remembers. */
  remembered: boolean;
}

export interface SheetState {
  sheet: Runsheet | null;
  loadedAt: number;
  offline: boolean;
  problem: string | null;
  waiting: readonly OutboxRecord[];
  record: (record: Omit<OutboxRecord, "id" | "refusal">) => Promise<void>;
  discard: (id: string) => void;
  sendNow: () => void;
  resultOf: (jobId: number) => ReturnType<typeof resultOf>;
  connection: SheetConnection;
}

/** The run sheet of a token: loaded from the office, remembered on the phone, with what waits to be sent. */
export function useSheet(runToken: string): SheetState {
  const connection = useMemo(() => new SheetConnection(runToken), [runToken]);
  const [loaded, setLoaded] = useState<Loaded | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [waiting, setWaiting] = useState<readonly OutboxRecord[]>([]);

  const load = useCallback(async () => {
    const key = `runsheet:${runToken}`;
    try {
      const sheet = await connection.load();
      setLoaded({ sheet, at: Date.now(), remembered: false });
      setProblem(null);
      await set(key, { sheet, at: Date.now() });
    } catch (error) {
      if (error instanceof ApiError && error.status >= 400 && error.status < 500) {
        setProblem(error.status === 401 ? texts.runsheet.invalid : error.message);
        return;
      }
      const known = await get<{ sheet: Runsheet; at: number }>(key);
      if (known === undefined) setProblem(messageOfError(error));
      else setLoaded({ ...known, remembered: true });
    }
  }, [connection, runToken]);

  /** What the office has taken stays true on the phone, even if the connection ends before the sheet is loaded again. */
  const remember = useCallback(
    async (record: OutboxRecord) => {
      setLoaded((shown) => shown && { ...shown, sheet: withWaiting(shown.sheet, [record]) });
      await update<{ sheet: Runsheet; at: number } | undefined>(
        `runsheet:${runToken}`,
        (known) => known && { ...known, sheet: withWaiting(known.sheet, [record]) },
      );
    },
    [runToken],
  );

  const outbox = useMemo(
    () =>
      new Outbox({
        load: async () => (await get<OutboxRecord[]>(`outbox:${runToken}`)) ?? [],
        save: (records) => set(`outbox:${runToken}`, records),
        upload: ({ data, name }) => connection.upload(data, name),
        deliver: (record, body) => connection.deliver(record, body),
        onChange: setWaiting,
        onDelivered: (record) => void remember(record).then(load, load),
      }),
    [connection, runToken, load, remember],
  );

  useEffect(() => {
    void outbox.open().then(load, load);
    const retry = (): void => {
      void outbox.flush();
      void load();
    };
    const timer = setInterval(() => {
      if (outbox.records.some(({ refusal }) => refusal === null)) void outbox.flush();
    }, RETRY);
    window.addEventListener("online", retry);
    return () => {
      clearInterval(timer);
      window.removeEventListener("online", retry);
    };
  }, [outbox, load]);

  const sheet = useMemo(
    () => (loaded === null ? null : withWaiting(loaded.sheet, waiting)),
    [loaded, waiting],
  );
  return {
    sheet,
    loadedAt: loaded?.at ?? 0,
    offline: loaded?.remembered ?? false,
    problem,
    waiting,
    connection,
    record: async (record) => {
      const id = newId();
      await outbox.add({ ...record, id, refusal: null });
      await Promise.race([outbox.flush(), new Promise((resolve) => setTimeout(resolve, 4_000))]);
      const left = outbox.records.find((other) => other.id === id);
      if (left === undefined) toastSuccess(texts.runsheet.saved);
      else if (left.refusal === null) toastInfo(texts.runsheet.queued);
    },
    discard: (id) => void outbox.discard(id),
    sendNow: () => void outbox.flush().then(load, load),
    resultOf: (jobId) => {
      const job = loaded?.sheet.jobs.find(({ id }) => id === jobId);
      return job === undefined ? null : resultOf(job, waiting);
    },
  };
}
