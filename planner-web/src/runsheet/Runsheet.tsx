import { ErrorBoundary, PlainToasts, startTelemetry, watchForUpdates } from "@routewright/web";
import type { ReactNode } from "react";
import "../phone/phone.css";
import { followColourMode, useDark } from "../phone/colour-mode.ts";
import { RunsheetPage } from "./RunsheetPage.tsx";

watchForUpdates();
void startTelemetry();
followColourMode();

/** The run sheet alone: phones on the road fetch nothing of the planner, nor its component library. */
export function Runsheet(): ReactNode {
  return (
    <ErrorBoundary>
      <RunsheetPage />
      <PlainToasts dark={useDark()} />
    </ErrorBoundary>
  );
}
