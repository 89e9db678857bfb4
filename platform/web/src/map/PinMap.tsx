import { Box } from "@mui/material";
import { type LngLat, Map as LibreMap, Marker } from "maplibre-gl";
import "maplibre-gl/dist/maplibre-gl.css";
import { type ReactNode, useEffect, useEffectEvent, useRef } from "react";
import { request } from "../api/request.ts";
import type { MapConfig, MapStyleName } from "../model/map.ts";
import { session } from "../session/store.ts";
import { texts } from "../texts/index.ts";
import { baseMapStyle, prepareMapLibre } from "./base-map.ts";
import { useDarkMode } from "./dark-mode.ts";
import { lookWhereLast } from "./last-view.ts";
import { placeOfZone } from "./zone-place.ts";

/** Near enough to hit a door. */
const NEAR = 16;
/** A part of the town, to find the street in. */
const AROUND = 14;
/** A town with what is around it. */
const TOWN = 10;
/** Decimals of a coordinate: about a decimetre. */
const DECIMALS = 6;
/** Pixels that an arrow key moves the pin by. */
const STEP = 8;
const ARROWS: Readonly<Record<string, readonly [x: number, y: number]>> = {
  ArrowLeft: [-STEP, 0],
  ArrowRight: [STEP, 0],
  ArrowUp: [0, -STEP],
  ArrowDown: [0, STEP],
};

/** Degrees. */
export interface MapPoint {
  lat: number;
  lon: number;
}

export interface PinMapProps {
  /** Where the pin is; none without. */
  point: MapPoint | null;
  /** The pin was put there: by a click, by dragging it, or by arrow keys while it has the focus. */
  onMove: (point: MapPoint) => void;
  styleName?: MapStyleName;
}

/**
 * A map with one pin. It opens where the pin is, else where the user last looked, else on the town of the organisation's time
 * zone, and follows a pin that somebody else moves.
 */
export function PinMap({ point, onMove, styleName = "Streets" }: PinMapProps): ReactNode {
  const dark = useDarkMode();
  const box = useRef<HTMLDivElement>(null);
  const map = useRef<LibreMap | null>(null);
  const pin = useRef<Marker | null>(null);
  /** The point that the map itself told last. */
  const told = useRef<MapPoint | null>(null);
  const put = useEffectEvent(({ lat, lng }: LngLat) => {
    told.current = { lat: Number(lat.toFixed(DECIMALS)), lon: Number(lng.toFixed(DECIMALS)) };
    onMove(told.current);
  });
  const look = useEffectEvent((libre: LibreMap) => {
    if (point !== null) return;
    const before = libre.getZoom();
    lookWhereLast(libre, AROUND);
    const zone = session().user?.organisation.timezone;
    if (libre.getZoom() !== before || zone === undefined) return;
    void placeOfZone(zone).then((place) => {
      if (place !== null && map.current === libre && pin.current === null) {
        libre.jumpTo({ center: [place.lon, place.lat], zoom: TOWN });
      }
    });
  });

  useEffect(() => {
    if (box.current === null) return;
    prepareMapLibre();
    const libre = new LibreMap({
      container: box.current,
      style: { version: 8, sources: {}, layers: [] },
      attributionControl: { compact: true },
      dragRotate: false,
      pitchWithRotate: false,
    });
    libre.touchZoomRotate.disableRotation();
    libre.keyboard.disableRotation();
    libre.getCanvas().style.cursor = "crosshair";
    libre.on("click", ({ lngLat }) => put(lngLat));
    map.current = libre;
    look(libre);
    return () => {
      map.current = null;
      pin.current = null;
      libre.remove();
    };
  }, []);

  useEffect(() => {
    let current = true;
    void request<MapConfig>("/map/config", { quiet: true })
      .catch(() => undefined)
      .then((config) => baseMapStyle(config, styleName, dark || styleName === "Dark"))
      .then((style) => {
        if (current) map.current?.setStyle(style, { diff: false });
      });
    return () => {
      current = false;
    };
  }, [styleName, dark]);

  const lat = point?.lat ?? null;
  const lon = point?.lon ?? null;
  useEffect(() => {
    const libre = map.current;
    if (libre === null) return;
    if (lat === null || lon === null) {
      pin.current?.remove();
      pin.current = null;
      return;
    }
    if (pin.current === null) {
      const marker = new Marker({ draggable: true }).setLngLat([lon, lat]).addTo(libre);
      const element = marker.getElement();
      element.tabIndex = 0;
      element.setAttribute("aria-label", texts.map.pin);
      marker.on("dragend", () => put(marker.getLngLat()));
      element.addEventListener("keydown", (event) => {
        const by = ARROWS[event.key];
        if (by === undefined) return;
        event.preventDefault();
        event.stopPropagation();
        const { x, y } = libre.project(marker.getLngLat());
        put(libre.unproject([x + by[0], y + by[1]]));
      });
      pin.current = marker;
    }
    pin.current.setLngLat([lon, lat]);
    const own = told.current !== null && told.current.lat === lat && told.current.lon === lon;
    if (!own) libre.jumpTo({ center: [lon, lat], zoom: NEAR });
  }, [lat, lon]);

  return (
    <Box
      role="region"
      aria-label={texts.map.label}
      sx={{ position: "absolute", inset: 0, isolation: "isolate" }}
    >
      {/* MapLibre's own style decides how its container is placed. */}
      <Box ref={box} sx={{ width: "100%", height: "100%" }} />
    </Box>
  );
}
