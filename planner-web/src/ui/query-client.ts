import { ApiError } from "@routewright/web";
import { QueryClient } from "@tanstack/react-query";

/** Answers of the server. Errors are toasted where the call is made, therefore nothing is toasted here. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 30_000,
      refetchOnWindowFocus: false,
      retry: (count, error) => count < 2 && error instanceof ApiError && error.status === 0,
    },
    mutations: { retry: false },
  },
});
