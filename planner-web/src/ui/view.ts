import { texts, type ViewName } from "@routewright/web";
import { createContext, useContext } from "react";

/** In which full-screen view the page stands. */
export const ViewContext = createContext<ViewName>("map");

export function useView(): ViewName {
  return useContext(ViewContext);
}

/** What the full-screen views are called. */
export const VIEW_TITLES: Partial<Record<ViewName, string>> = {
  live: texts.map.menu.liveOverview,
  customer: texts.map.menu.customerView,
};

/** Editing is allowed only on the map. */
export function useMayEdit(): boolean {
  return useView() === "map";
}
