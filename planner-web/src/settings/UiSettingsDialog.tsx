import {
  Box,
  FormControlLabel,
  MenuItem,
  Slider,
  Switch,
  Tab,
  Tabs,
  TextField,
  Typography,
} from "@mui/material";
import { ColourModeSwitch, texts } from "@routewright/web";
import { type ReactNode, useState } from "react";
import { ColourField } from "../fields/ColourField.tsx";
import { Modal } from "../ui/Modal.tsx";
import { type UiSettings, useUiSettings } from "./ui-settings.ts";

const TABS = ["general", "panels", "contextMenus", "territory", "timeline"] as const;
type TabName = (typeof TABS)[number];
type Flag = { [K in keyof UiSettings]: UiSettings[K] extends boolean ? K : never }[keyof UiSettings];
type Amount = { [K in keyof UiSettings]: UiSettings[K] extends number ? K : never }[keyof UiSettings];

/** Settings of the screen; they apply at once. */
export function UiSettingsDialog({ onClose }: { onClose: () => void }): ReactNode {
  const [tab, setTab] = useState<TabName>("general");
  const { ui } = texts.map;
  return (
    <Modal title={texts.map.uiSettings} width={600} onClose={onClose}>
      <Tabs value={tab} variant="scrollable" onChange={(_, value: TabName) => setTab(value)} sx={{ mb: 2 }}>
        {TABS.map((name) => (
          <Tab key={name} value={name} label={ui[name]} />
        ))}
      </Tabs>
      <Box sx={{ display: "grid", gap: 2, minHeight: 220, alignContent: "start" }}>
        {tab === "general" && (
          <>
            <Box sx={{ display: "flex", alignItems: "center", gap: 2 }}>
              <Typography>{texts.common.appearance}</Typography>
              <ColourModeSwitch />
            </Box>
            <FlagInput name="ui.customScrollbars" label={ui.customScrollbars} />
            <FlagInput name="map.clusterMarkers" label={ui.clusterMarkers} />
            <AmountInput name="map.clusterRadius" label={ui.clusterRadius} min={10} max={120} step={5} />
          </>
        )}
        {tab === "panels" && (
          <>
            <FlagInput name="panels.runs.show-route-start" label={ui.showRouteStart} />
            <FlagInput name="panels.runs.show-route-end" label={ui.showRouteEnd} />
            <FlagInput name="panels.runs.useJobVirtualList" label={ui.virtualList} />
            <Orientation />
          </>
        )}
        {tab === "contextMenus" && (
          <FlagInput name="context-menu.enable-selected-items-actions" label={ui.selectedActions} />
        )}
        {tab === "territory" && (
          <AmountInput name="map.territoryOpacity" label={ui.territoryOpacity} min={0} max={1} step={0.05} />
        )}
        {tab === "timeline" && (
          <>
            <GlowColour />
            <AmountInput
              name="timeline.selectedJobGlowBlurRadius"
              label={ui.glowBlur}
              min={0}
              max={100}
              step={1}
            />
            <AmountInput
              name="timeline.selectedJobGlowSpreadRadius"
              label={ui.glowSpread}
              min={0}
              max={100}
              step={1}
            />
          </>
        )}
      </Box>
    </Modal>
  );
}

function FlagInput({ name, label }: { name: Flag; label: string }): ReactNode {
  const on = useUiSettings((state) => state[name]);
  return (
    <FormControlLabel
      control={<Switch checked={on} onChange={(_, checked) => useUiSettings.setState({ [name]: checked })} />}
      label={label}
    />
  );
}

interface AmountInputProps {
  name: Amount;
  label: string;
  min: number;
  max: number;
  step: number;
}

function AmountInput({ name, label, min, max, step }: AmountInputProps): ReactNode {
  const value = useUiSettings((state) => state[name]);
  return (
    <Box>
      <Typography variant="body2">
        {label}: {value}
      </Typography>
      <Slider
        aria-label={label}
        value={value}
        min={min}
        max={max}
        step={step}
        onChange={(_, next) => useUiSettings.setState({ [name]: next })}
      />
    </Box>
  );
}

function Orientation(): ReactNode {
  const value = useUiSettings((state) => state["panels.orientation"]);
  return (
    <TextField
      select
      label={texts.map.ui.orientation}
      value={value}
      onChange={(event) =>
        useUiSettings.setState({
          "panels.orientation": event.target.value === "vertical" ? "vertical" : "horizontal",
        })
      }
    >
      <MenuItem value="horizontal">{texts.map.ui.horizontal}</MenuItem>
      <MenuItem value="vertical">{texts.map.ui.vertical}</MenuItem>
    </TextField>
  );
}

function GlowColour(): ReactNode {
  const value = useUiSettings((state) => state["timeline.selectedJobGlowColor"]);
  return (
    <ColourField
      label={texts.map.ui.glowColor}
      value={value}
      onChange={(colour) => useUiSettings.setState({ "timeline.selectedJobGlowColor": colour })}
    />
  );
}
