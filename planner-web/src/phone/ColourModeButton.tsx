import { texts } from "@routewright/web";
import type { ReactNode } from "react";
import { Button } from "./Button.tsx";
import { type ColourMode, setColourMode, useColourMode } from "./colour-mode.ts";

const NEXT: Record<ColourMode, ColourMode> = { system: "light", light: "dark", dark: "system" };

/** Light, dark or as the system says, one after the other. */
export function ColourModeButton(): ReactNode {
  const mode = useColourMode();
  const { appearance, lightMode, darkMode, systemMode } = texts.common;
  const name = { light: lightMode, dark: darkMode, system: systemMode }[mode];
  return <Button icon={mode} label={`${appearance}: ${name}`} onClick={() => setColourMode(NEXT[mode])} />;
}
