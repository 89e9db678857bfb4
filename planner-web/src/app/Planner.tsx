import {
  AppTheme,
  ErrorBoundary,
  onReconnected,
  startTelemetry,
  Toasts,
  watchForUpdates,
} from "@routewright/web";
import { QueryClientProvider } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { RouterProvider } from "react-router";
import { queryClient } from "../ui/query-client.ts";
import { router } from "./router.tsx";

// What could not be loaded without a connection is asked for again.
onReconnected(() => void queryClient.refetchQueries({ predicate: ({ state }) => state.status === "error" }));
watchForUpdates();
void startTelemetry();

/** The planner's pages. */
export function Planner(): ReactNode {
  return (
    <AppTheme>
      <ErrorBoundary>
        <QueryClientProvider client={queryClient}>
          <RouterProvider router={router} />
        </QueryClientProvider>
        <Toasts />
      </ErrorBoundary>
    </AppTheme>
  );
}
