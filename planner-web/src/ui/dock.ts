import { createContext } from "react";
import { persisted } from "./persisted.ts";

/** Whether details stand beside the map, as the user wants it in this browser. */
export const useDock = persisted("dock", { beside: false });

export function dock(beside: boolean): void {
  useDock.setState({ beside });
}

/** Where a frame stands: over the page or beside the map; `null` for what cannot change between the two. */
export const DockContext = createContext<"over" | "beside" | null>(null);
