import { Box } from "@mui/material";
import type { Job, Run, Territory } from "@routewright/web";
import { useDarkMode } from "@routewright/web/map";
import { type ReactNode, useEffect, useMemo, useRef, useState } from "react";
import { boundsOf, jobFeatures, territoryFeatures } from "../map/features.ts";
import { fitMap, setMap } from "../map/fit.ts";
import type { CompatibleMap } from "../map/google-compatible.ts";
import { MapControls } from "../map/MapControls.tsx";
import { MapView } from "../map/MapView.tsx";
import { PlanLayers } from "../map/plan-layers.ts";
import type { PlanLook } from "../map/plan-style.ts";
import { ICON_RADIUS } from "../map/settings.ts";
import { useUiSettings } from "../settings/ui-settings.ts";
import { Drawing, type Tool } from "./drawing.ts";
import { partsOf } from "./geometry.ts";

const NO_RUNS: ReadonlyMap<number, Run> = new Map();

interface TerritoryMapProps {
  territories: readonly Territory[];
  jobs: readonly Job[];
  tool: Tool;
  onOpen: (id: number) => void;
}

/** Territories, the active scenario's jobs as small dots, and what is being drawn. */
export function TerritoryMap({ territories, jobs, tool, onOpen }: TerritoryMapProps): ReactNode {
  const [parts, setParts] = useState<{ layers: PlanLayers; drawing: Drawing } | null>(null);
  const look = useTerritoryLook();
  const firstLook = useRef(look);
  const open = useRef(onOpen);
  useEffect(() => {
    open.current = tool.kind === "none" ? onOpen : () => undefined;
  }, [onOpen, tool]);

  const takeMap = (map: CompatibleMap): void => {
    setMap(map.libre);
    const layers = new PlanLayers(map.libre, firstLook.current, {
      onHoverJob: () => undefined,
      onHoverRun: () => undefined,
      onClickJob: () => undefined,
      onClickRun: () => undefined,
      onClickTerritory: (id) => open.current(id),
    });
    setParts({ layers, drawing: new Drawing(map.libre) });
  };
  useEffect(() => parts?.layers.setLook(look), [parts, look]);
  useEffect(
    () => parts?.layers.setData("plan-territories", territoryFeatures(territories)),
    [parts, territories],
  );
  useEffect(() => parts?.layers.setData("plan-jobs", jobFeatures(jobs, NO_RUNS, "jobColor")), [parts, jobs]);
  useEffect(() => parts?.drawing.take(tool), [parts, tool]);
  useEffect(
    () => () => {
      parts?.layers.remove();
      parts?.drawing.remove();
    },
    [parts],
  );
  const placed = [
    ...territories.flatMap(({ geometry }) =>
      partsOf(geometry)
        .flat(2)
        .map(([lon, lat]) => ({ lat, lon })),
    ),
    ...jobs.map((job) => job.location),
  ];
  useFirstView(parts !== null, placed);
  return (
    <Box component="main" sx={{ flex: 1, minWidth: 0, minHeight: 0, position: "relative" }}>
      <MapView onReady={takeMap} remember />
      <MapControls onFit={() => fitMap(boundsOf(placed))} />
    </Box>
  );
}

/** Looks at everything once it is there. */
function useFirstView(ready: boolean, placed: readonly { lat: number; lon: number }[]): void {
  const done = useRef(false);
  useEffect(() => {
    if (!ready || done.current || placed.length === 0) return;
    done.current = true;
    fitMap(boundsOf(placed), false);
  }, [ready, placed]);
}

function useTerritoryLook(): PlanLook {
  const territoryOpacity = useUiSettings((ui) => ui["map.territoryOpacity"]);
  const dark = useDarkMode();
  return useMemo(
    () => ({
      radius: ICON_RADIUS.small,
      numbers: false,
      clusterRadius: null,
      territoryOpacity,
      dark,
    }),
    [territoryOpacity, dark],
  );
}
