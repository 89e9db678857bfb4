import { clockText, fill, texts } from "@routewright/web";
import type { ReactNode } from "react";
import { Button } from "../phone/Button.tsx";
import { Notice } from "../phone/Notice.tsx";
import type { Changes } from "./use-contact.ts";

interface ChangesNoticeProps {
  changes: Changes;
  zone: string;
  onConfirm: () => void;
}

/** What the office changed of the run since its driver last knew it; it stays until he confirms it. */
export function ChangesNotice({ changes, zone, onConfirm }: ChangesNoticeProps): ReactNode {
  return (
    <Notice
      tone="warning"
      title={texts.runsheet.changed}
      action={
        <Button kind="filled" grow onClick={onConfirm}>
          {texts.runsheet.confirm}
        </Button>
      }
    >
      <ul className="ph-list">
        {changes.stops.map((stop) => (
          <li key={stop.job_id}>{lineOf(stop, zone)}</li>
        ))}
      </ul>
    </Notice>
  );
}

export function lineOf(stop: Changes["stops"][number], zone: string): string {
  const { kind, name, uid, seq, eta, eta_before: before } = stop;
  const time = (at: string | null): string => (at === null ? "–" : clockText(at, zone));
  return fill(texts.runsheet.changes[kind], {
    name: name === uid ? uid : `${name} (${uid})`,
    seq: seq ?? 0,
    time: time(eta),
    before: time(before),
  });
}
