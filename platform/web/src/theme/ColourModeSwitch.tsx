import DarkIcon from "@mui/icons-material/DarkModeOutlined";
import LightIcon from "@mui/icons-material/LightModeOutlined";
import SystemIcon from "@mui/icons-material/SettingsBrightnessOutlined";
import { ToggleButton, ToggleButtonGroup, Tooltip } from "@mui/material";
import { useColorScheme } from "@mui/material/styles";
import type { ReactNode } from "react";
import { texts } from "../texts/index.ts";

const MODES = [
  { mode: "light", label: texts.common.lightMode, Icon: LightIcon },
  { mode: "system", label: texts.common.systemMode, Icon: SystemIcon },
  { mode: "dark", label: texts.common.darkMode, Icon: DarkIcon },
] as const;

/** Light, dark, or as the system says. */
export function ColourModeSwitch(): ReactNode {
  const { mode, setMode } = useColorScheme();
  return (
    <ToggleButtonGroup
      exclusive
      size="small"
      value={mode ?? "system"}
      aria-label={texts.common.appearance}
      onChange={(_, chosen: "light" | "dark" | "system" | null) => {
        if (chosen !== null) setMode(chosen);
      }}
    >
      {MODES.map(({ mode: value, label, Icon }) => (
        <ToggleButton key={value} value={value} aria-label={label}>
          <Tooltip title={label}>
            <Icon fontSize="small" />
          </Tooltip>
        </ToggleButton>
      ))}
    </ToggleButtonGroup>
  );
}
