import { createBrowserRouter } from "react-router";
import { ThrownError } from "@routewright/web";
import { useRouteError } from "react-router";
import type { ReactNode } from "react";
import { NotFound } from "./NotFound.tsx";
import { SignedIn } from "./SignedIn.tsx";

function RouteProblem(): ReactNode {
  return <ThrownError error={useRouteError()} />;
}

/** All pages of the planner. Everything under `/dashboard` belongs to the admin app. */
export const router = createBrowserRouter([
  {
    errorElement: <RouteProblem />,
    // Nothing is drawn while the first page is fetched.
    hydrateFallbackElement: <></>,
    children: [
      {
        element: <SignedIn />,
        children: [
          { index: true, lazy: async () => ({ Component: (await import("./Home.tsx")).MapHome }) },
          { path: "liveview", lazy: async () => ({ Component: (await import("./Home.tsx")).LiveView }) },
          {
            path: "customerview",
            lazy: async () => ({ Component: (await import("./Home.tsx")).CustomerView }),
          },
          {
            path: "territory-builder",
            lazy: async () => ({
              Component: (await import("../territories/TerritoryBuilderPage.tsx")).TerritoryBuilderPage,
            }),
          },
          {
            path: "progress-report/:scenarioId",
            lazy: async () => ({ Component: (await import("../progress/ProgressPage.tsx")).ProgressPage }),
          },
        ],
      },
      {
        path: "barcodes",
        lazy: async () => ({ Component: (await import("../runsheet/BarcodesPage.tsx")).BarcodesPage }),
      },
      {
        path: "qr-codes/:token",
        lazy: async () => ({ Component: (await import("../qr-codes/QrCodesPage.tsx")).QrCodesPage }),
      },
      { path: "*", element: <NotFound /> },
    ],
  },
]);
