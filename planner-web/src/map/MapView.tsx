import { Box } from "@mui/material";
import { texts } from "@routewright/web";
import {
  baseMapStyle,
  lookWhereLast,
  prepareMapLibre,
  rememberView,
  useDarkMode,
} from "@routewright/web/map";
import GoogleMap from "google-map-react";
import "maplibre-gl/dist/maplibre-gl.css";
import type { StyleSpecification } from "maplibre-gl";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { useMapConfig } from "../plan/queries.ts";
import { FALLBACK_CENTRE } from "./fit.ts";
import { type CompatibleMap, compatibleMaps } from "./google-compatible.ts";
import { useMapSettings } from "./settings.ts";

const FALLBACK_ZOOM = 4;

export interface MapViewProps {
  /** google-map-react markers: elements with `lat` and `lng`. */
  children?: ReactNode;
  onReady: (map: CompatibleMap) => void;
  /** Opens where the user last looked, and remembers where that is. */
  remember?: boolean;
}

/** The base map. React markers are its children; everything numerous is drawn by `PlanLayers`. */
export function MapView({ children, onReady, remember = false }: MapViewProps): ReactNode {
  const { data: config, isPending } = useMapConfig();
  const styleName = useMapSettings((settings) => settings.mapStyle);
  const dark = useDarkMode();
  const [style, setStyle] = useState<StyleSpecification | string | null>(null);
  const map = useRef<CompatibleMap | null>(null);

  useEffect(() => {
    if (isPending) return;
    let current = true;
    prepareMapLibre();
    void baseMapStyle(config, styleName, dark || styleName === "Dark").then((next) => {
      if (!current) return;
      setStyle(next);
      map.current?.libre.setStyle(next, { diff: false });
    });
    return () => {
      current = false;
    };
  }, [config, isPending, styleName, dark]);

  return (
    <Box
      role="region"
      aria-label={texts.map.label}
      sx={{ position: "absolute", inset: 0, isolation: "isolate" }}
    >
      {style !== null && (
        <GoogleMap
          googleMapLoader={() => Promise.resolve(compatibleMaps)}
          bootstrapURLKeys={{ key: "" }}
          defaultCenter={FALLBACK_CENTRE}
          defaultZoom={FALLBACK_ZOOM}
          options={{ style, minZoom: 2, minZoomOverride: true } as GoogleMap.MapOptions}
          yesIWantToUseGoogleMapApiInternals
          onGoogleApiLoaded={({ map: loaded }: { map: CompatibleMap | null }) => {
            // It is told of the same map again and again.
            if (loaded === null || loaded === map.current) return;
            map.current = loaded;
            if (remember) {
              lookWhereLast(loaded.libre);
              rememberView(loaded.libre);
            }
            onReady(loaded);
          }}
        >
          {children}
        </GoogleMap>
      )}
    </Box>
  );
}
