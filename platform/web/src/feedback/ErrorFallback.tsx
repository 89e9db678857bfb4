import { Box, Button, Typography } from "@mui/material";
import { Component, type ErrorInfo, type ReactNode } from "react";
import { texts } from "../texts/index.ts";
import { reportError } from "./telemetry.ts";

export function ErrorFallback({ message }: { message: string }): ReactNode {
  return (
    <Box role="alert" sx={{ p: 4, display: "grid", gap: 2, justifyItems: "start", maxWidth: 720 }}>
      <Typography variant="h6">{texts.errors.fallbackTitle}</Typography>
      <Typography component="pre" sx={{ whiteSpace: "pre-wrap", overflowWrap: "anywhere" }}>
        {message}
      </Typography>
      <Button variant="contained" onClick={() => window.location.reload()}>
        {texts.errors.reload}
      </Button>
    </Box>
  );
}

interface State {
  error: Error | null;
}

/** Catches what the screen below it throws, logs it and offers to reload. */
export class ErrorBoundary extends Component<{ children: ReactNode }, State> {
  override state: State = { error: null };

  static getDerivedStateFromError(error: unknown): State {
    return { error: error instanceof Error ? error : new Error(String(error)) };
  }

  override componentDidCatch(error: Error, info: ErrorInfo): void {
    console.error(error, info.componentStack);
    reportError(error);
    if (isChunkFailure(error)) reloadForUpdate();
  }

  override render(): ReactNode {
    const { error } = this.state;
    if (error === null) return this.props.children;
    return (
      <ErrorFallback message={isChunkFailure(error) ? texts.errors.reloadingForUpdate : error.message} />
    );
  }
}

function isChunkFailure(error: Error): boolean {
  return /dynamically imported module|Importing a module script failed|Loading chunk/i.test(error.message);
}

/** A part of the app that is gone from the server means that a new version is out. */
function reloadForUpdate(): void {
  setTimeout(() => window.location.reload(), 100);
}
