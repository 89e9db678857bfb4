import type { ViewName } from "@routewright/web";
import { createContext, useContext } from "react";

/** In which full-screen view the page stands. */
export const ViewContext = createContext<ViewName>("map");

export function useView(): ViewName {
  return useContext(ViewContext);
}

/** Editing is allowed only on the map. */
export function useMayEdit(): boolean {
  return useView() === "map";
}
