import { type ComponentType, StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { isSheetPage } from "./runsheet/kept-files.ts";

/** What the address asks for. Who drives or waits for a delivery fetches nothing of the planner. */
async function page(): Promise<ComponentType> {
  if (isSheetPage(window.location.pathname)) return (await import("./runsheet/Runsheet.tsx")).Runsheet;
  return (await import("./app/Planner.tsx")).Planner;
}

const root = document.getElementById("root");
if (root !== null) {
  void page().then((Page) =>
    createRoot(root).render(
      <StrictMode>
        <Page />
      </StrictMode>,
    ),
  );
}
