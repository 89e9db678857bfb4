import { clockText, fill, texts } from "@routewright/web";
import { type ReactNode, useState } from "react";
import { Button } from "../phone/Button.tsx";
import { Notice } from "../phone/Notice.tsx";
import { PhoneDialog } from "../phone/PhoneDialog.tsx";
import type { SheetState } from "./use-sheet.ts";

/** What stands between the phone and the office: no connection, records that wait, records that were refused. */
export function Notices({ state, zone }: { state: SheetState; zone: string }): ReactNode {
  const [dropping, setDropping] = useState<string | null>(null);
  const { records, offline, loadedAt, problem } = state;
  const waiting = records.filter(({ sentAt }) => sentAt === null);
  const refused = waiting.filter((record) => record.problem !== null);
  return (
    <>
      {problem !== null && <Notice tone="error">{problem}</Notice>}
      {offline && (
        <Notice tone="warning">
          {fill(texts.runsheet.offline, { time: clockText(new Date(loadedAt).toISOString(), zone) })}
        </Notice>
      )}
      {waiting.length > 0 && (
        <Notice tone="info" action={<Button onClick={state.sendNow}>{texts.runsheet.sendNow}</Button>}>
          {fill(texts.runsheet.waiting, { n: waiting.length })}
        </Notice>
      )}
      {refused.map(({ id, what, problem: told }) => (
        <Notice
          key={id}
          tone="error"
          title={texts.runsheet.refused}
          action={
            <Button tone="error" onClick={() => setDropping(id)}>
              {texts.runsheet.discard}
            </Button>
          }
        >
          {fill(texts.runsheet.refusedText, { what, message: told ?? "" })}
        </Notice>
      ))}
      {dropping !== null && (
        <PhoneDialog
          title={texts.runsheet.discardQuestion}
          onClose={() => setDropping(null)}
          actions={
            <>
              <Button onClick={() => setDropping(null)}>{texts.runsheet.keep}</Button>
              <Button
                tone="error"
                onClick={() => {
                  state.discard(dropping);
                  setDropping(null);
                }}
              >
                {texts.runsheet.discard}
              </Button>
            </>
          }
        />
      )}
    </>
  );
}
