import { AppTheme, ErrorBoundary, onSignOut, startTelemetry, Toasts } from "@routewright/web";
import { QueryClientProvider } from "@tanstack/react-query";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { RouterProvider } from "react-router";
import { queryClient } from "./ui/query-client.ts";
import { router } from "./app/router.tsx";

// A sign-out drops everything that was loaded.
onSignOut(() => queryClient.clear());

void startTelemetry();

const root = document.getElementById("root");
if (root !== null) {
  createRoot(root).render(
    <StrictMode>
      <AppTheme>
        <ErrorBoundary>
          <QueryClientProvider client={queryClient}>
            <RouterProvider router={router} />
          </QueryClientProvider>
          <Toasts />
        </ErrorBoundary>
      </AppTheme>
    </StrictMode>,
  );
}
