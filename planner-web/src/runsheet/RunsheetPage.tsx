import { type Runsheet, scenarioDateText, texts } from "@routewright/web";
import { type ReactNode, useEffect, useState } from "react";
import { ColourModeButton } from "../phone/ColourModeButton.tsx";
import { Notice } from "../phone/Notice.tsx";
import { ChangesNotice } from "./ChangesNotice.tsx";
import { lastSheet } from "./kept.ts";
import { List, type Screen } from "./List.tsx";
import { Notices } from "./Notices.tsx";
import { useOfflinePage } from "./offline.ts";
import { usePosition } from "./position.ts";
import { ProofForm } from "./ProofForm.tsx";
import { RouteForm } from "./RouteForm.tsx";
import { useContact } from "./use-contact.ts";
import { useSheet } from "./use-sheet.ts";

/** The driver's run sheet on a phone. Works on while there is no connection. */
export function RunsheetPage(): ReactNode {
  const [token, setToken] = useState(() => new URLSearchParams(window.location.search).get("token"));
  useEffect(() => {
    if (token === null) void lastSheet().then(setToken, () => setToken(""));
  }, [token]);
  return token === null ? null : <Page token={token} />;
}

function Page({ token }: { token: string }): ReactNode {
  const state = useSheet(token);
  const [screen, setScreen] = useState<Screen>({ kind: "list" });
  usePosition(state.sheet, state.connection);
  useOfflinePage(state.sheet);
  const { changes, confirm } = useContact(state);
  const { sheet, problem } = state;
  if (sheet === null) {
    return (
      <main className="ph-center">
        {problem === null ? (
          <div className="ph-spinner" role="progressbar" aria-label={texts.common.loading} />
        ) : (
          <Notice tone="error">{problem}</Notice>
        )}
      </main>
    );
  }
  const back = (): void => setScreen({ kind: "list" });
  return (
    <main className="ph-page">
      <Head sheet={sheet} />
      <div className="ph-body ph-stack">
        {sheet.organisation.rehearsal === true && <Notice tone="warning">{texts.rehearsal.banner}</Notice>}
        <Notices state={state} zone={sheet.organisation.timezone} />
        {changes !== null && (
          <ChangesNotice changes={changes} zone={sheet.organisation.timezone} onConfirm={confirm} />
        )}
        {screen.kind === "list" && <List state={state} sheet={sheet} onOpen={setScreen} />}
        {(screen.kind === "start" || screen.kind === "end") && (
          <RouteForm kind={screen.kind} sheet={sheet} state={state} onDone={back} />
        )}
        {screen.kind === "proof" && (
          <ProofForm jobId={screen.jobId} sheet={sheet} state={state} onDone={back} />
        )}
      </div>
    </main>
  );
}

function Head({ sheet }: { sheet: Runsheet }): ReactNode {
  return (
    <header className="ph-head">
      <div className="ph-grow">
        <h1 className="ph-cut">
          {sheet.run.uid} · {sheet.scenario.name}
        </h1>
        <p className="ph-quiet ph-cut">
          {sheet.organisation.name} · {scenarioDateText(sheet.scenario.scheduled_date)}
          {sheet.run.vehicle !== null && ` · ${sheet.run.vehicle.uid}`}
        </p>
      </div>
      <ColourModeButton />
    </header>
  );
}
