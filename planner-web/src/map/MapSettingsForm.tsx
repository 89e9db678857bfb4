import { Box, FormControlLabel, MenuItem, Switch, TextField, Typography } from "@mui/material";
import { MAP_STYLE_NAMES, type MapStyleName, texts } from "@routewright/web";
import type { ReactNode } from "react";
import { useMapConfig } from "../plan/queries.ts";
import { type IconColours, ICON_RADIUS, type IconSize, useMapSettings } from "./settings.ts";

const COLOUR_MODES = Object.keys(texts.map.colourModes) as IconColours[];
const SIZES = Object.keys(ICON_RADIUS) as IconSize[];

/** Content of the map settings popover. */
export function MapSettingsForm(): ReactNode {
  const settings = useMapSettings();
  const { data: config } = useMapConfig();
  const streetsAlone = config?.styles.find(({ name }) => name === settings.mapStyle)?.kind === "pmtiles";
  const set = useMapSettings.setState;
  const switches = [
    {
      label: texts.map.driverHistory,
      on: settings.driverHistory,
      set: (on: boolean) => set({ driverHistory: on }),
    },
    {
      label: texts.map.territories,
      on: settings.territories,
      set: (on: boolean) => set({ territories: on }),
    },
    {
      label: texts.map.iconSequence,
      on: settings.iconNumbers,
      set: (on: boolean) => set({ iconNumbers: on }),
    },
  ];
  return (
    <Box sx={{ p: 2, width: 280, display: "grid", gap: 1.5 }}>
      <Typography variant="subtitle1">{texts.map.settings}</Typography>
      <Box>
        {switches.map(({ label, on, set: change }) => (
          <FormControlLabel
            key={label}
            sx={{ display: "flex" }}
            control={<Switch checked={on} onChange={(_, checked) => change(checked)} />}
            label={label}
          />
        ))}
      </Box>
      <TextField
        select
        label={texts.map.iconColours}
        value={settings.iconColours}
        onChange={(event) => set({ iconColours: event.target.value as IconColours })}
      >
        {COLOUR_MODES.map((mode) => (
          <MenuItem key={mode} value={mode}>
            {texts.map.colourModes[mode]}
          </MenuItem>
        ))}
      </TextField>
      <TextField
        select
        label={texts.map.style}
        helperText={streetsAlone ? texts.map.streetsAlone : undefined}
        value={settings.mapStyle}
        onChange={(event) => set({ mapStyle: event.target.value as MapStyleName })}
      >
        {MAP_STYLE_NAMES.map((name) => (
          <MenuItem key={name} value={name}>
            {name}
          </MenuItem>
        ))}
      </TextField>
      <TextField
        select
        label={texts.map.iconSize}
        value={settings.iconSize}
        onChange={(event) => set({ iconSize: event.target.value as IconSize })}
      >
        {SIZES.map((size) => (
          <MenuItem key={size} value={size}>
            {texts.map.iconSizes[size]}
          </MenuItem>
        ))}
      </TextField>
    </Box>
  );
}
