import { ApiError, type Schemas, texts, toastError, toastSuccess } from "@routewright/web";
import { useCallback, useEffect, useRef, useState } from "react";
import type { SheetState } from "./use-sheet.ts";

type Answer = Schemas["ContactAnswer"];
export type Changes = NonNullable<Answer["changes"]>;

/** Milliseconds between two reports while the page is looked at. */
const AGAIN = 60_000;

interface Contact {
  /** What the office changed and the driver has not confirmed. */
  changes: Changes | null;
  confirm: () => void;
}

/** Tells the office that the phone is there and how much waits on it, and hears what the office has changed. */
export function useContact(state: SheetState): Contact {
  const { connection, reload } = state;
  const [changes, setChanges] = useState<Changes | null>(null);
  const known = useRef(0);
  const waiting = state.records.filter(({ sentAt }) => sentAt === null).length;
  const open = state.sheet !== null;
  const report = useCallback(
    async (confirmed: number | null) => {
      const body = { waiting, confirmed };
      const response = await connection.send("/v2/runsheet/contact", { method: "POST", body });
      const answer = (await response.json()) as Answer;
      setChanges(answer.changes);
      const number = answer.changes?.number ?? 0;
      if (number !== 0 && number !== known.current) reload();
      known.current = number;
    },
    [connection, reload, waiting],
  );
  useEffect(() => {
    if (!open) return;
    const tell = (): void => {
      // Without a connection it is told with the next one.
      if (document.visibilityState === "visible") void report(null).catch(() => undefined);
    };
    tell();
    const timer = setInterval(tell, AGAIN);
    document.addEventListener("visibilitychange", tell);
    window.addEventListener("online", tell);
    return () => {
      clearInterval(timer);
      document.removeEventListener("visibilitychange", tell);
      window.removeEventListener("online", tell);
    };
  }, [open, report]);
  const confirm = async (number: number): Promise<void> => {
    try {
      await report(number);
      toastSuccess(texts.runsheet.confirmed);
    } catch (error) {
      const away = !(error instanceof ApiError) || error.status === 0;
      toastError(away ? texts.runsheet.confirmLater : error.message);
    }
  };
  return { changes, confirm: () => void (changes !== null && confirm(changes.number)) };
}
