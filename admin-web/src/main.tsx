import { startTelemetry, watchForUpdates } from "@routewright/web";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { Dashboard } from "./app/Dashboard.tsx";

watchForUpdates();
void startTelemetry();

const root = document.getElementById("root");
if (root) {
  createRoot(root).render(
    <StrictMode>
      <Dashboard />
    </StrictMode>,
  );
}
