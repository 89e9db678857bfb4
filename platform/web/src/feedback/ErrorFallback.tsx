import { Component, type CSSProperties, type ErrorInfo, type ReactNode, useEffect, useState } from "react";
import { texts } from "../texts/index.ts";
import { reportError } from "./telemetry.ts";
import { isPartGone, reloadForUpdate } from "./update.ts";

/** Plain elements: the pages without the theme, and a broken theme, have it too. */
export function ErrorFallback({ message }: { message: string }): ReactNode {
  return (
    <div role="alert" style={{ padding: 32, display: "grid", gap: 16, justifyItems: "start", maxWidth: 720 }}>
      <h2 style={{ margin: 0, fontSize: "1.05rem", fontWeight: 650 }}>{texts.errors.fallbackTitle}</h2>
      <pre style={{ margin: 0, whiteSpace: "pre-wrap", overflowWrap: "anywhere", fontSize: "0.875rem" }}>
        {message}
      </pre>
      <button type="button" style={RELOAD} onClick={() => window.location.reload()}>
        {texts.errors.reload}
      </button>
    </div>
  );
}

const RELOAD: CSSProperties = {
  minHeight: 36,
  padding: "6px 16px",
  border: 0,
  borderRadius: 6,
  background: "var(--mui-palette-primary-main)",
  color: "var(--mui-palette-primary-contrastText)",
  font: "inherit",
  fontWeight: 600,
  cursor: "pointer",
};

/** What a screen threw: logged, reported and shown. A part of the app that is gone reloads the page instead. */
export function ThrownError({ error, stack }: { error: unknown; stack?: string | undefined }): ReactNode {
  const [updating, setUpdating] = useState(() => isPartGone(error));
  useEffect(() => {
    console.error(error, stack ?? "");
    reportError(error);
    if (isPartGone(error)) setUpdating(reloadForUpdate());
  }, [error, stack]);
  return <ErrorFallback message={updating ? texts.errors.reloadingForUpdate : messageOf(error)} />;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

interface State {
  error: Error | null;
  stack: string | undefined;
}

/** Catches what the screen below it throws. */
export class ErrorBoundary extends Component<{ children: ReactNode }, State> {
  override state: State = { error: null, stack: undefined };

  static getDerivedStateFromError(error: unknown): Partial<State> {
    return { error: error instanceof Error ? error : new Error(String(error)) };
  }

  override componentDidCatch(_: Error, { componentStack }: ErrorInfo): void {
    this.setState({ stack: componentStack ?? undefined });
  }

  override render(): ReactNode {
    const { error, stack } = this.state;
    return error === null ? this.props.children : <ThrownError error={error} stack={stack} />;
  }
}
