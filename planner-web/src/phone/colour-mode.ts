import { useSyncExternalStore } from "react";

export type ColourMode = "light" | "system" | "dark";

/** Where the planner's theme keeps the choice too. */
const KEY = "mui-mode";
const ATTRIBUTE = "data-mui-color-scheme";
const night = window.matchMedia("(prefers-color-scheme: dark)");
const heard = new Set<() => void>();

function chosen(): ColourMode {
  const mode = localStorage.getItem(KEY);
  return mode === "light" || mode === "dark" ? mode : "system";
}

function isDark(): boolean {
  const mode = chosen();
  return mode === "dark" || (mode === "system" && night.matches);
}

function apply(): void {
  document.documentElement.setAttribute(ATTRIBUTE, isDark() ? "dark" : "light");
  heard.forEach((tell) => tell());
}

/** Shows the page light or dark as the user chose or as the system says, from now on. */
export function followColourMode(): void {
  apply();
  night.addEventListener("change", apply);
}

export function setColourMode(mode: ColourMode): void {
  localStorage.setItem(KEY, mode);
  apply();
}

function hear(tell: () => void): () => void {
  heard.add(tell);
  return () => heard.delete(tell);
}

export function useColourMode(): ColourMode {
  return useSyncExternalStore(hear, chosen);
}

export function useDark(): boolean {
  return useSyncExternalStore(hear, isDark);
}
