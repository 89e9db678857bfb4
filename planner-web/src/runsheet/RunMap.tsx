import "maplibre-gl/dist/maplibre-gl.css";
import "./run-map.css";
import polyline from "@mapbox/polyline";
import { fill, type Runsheet, type RunsheetJob, texts } from "@routewright/web";
import { baseMapStyle, prepareMapLibre } from "@routewright/web/map";
import { LngLatBounds, Map as LibreMap, Marker } from "maplibre-gl";
import { type ReactNode, useEffect, useEffectEvent, useRef } from "react";
import { useDark } from "../phone/colour-mode.ts";
import { keptArchive } from "./keep-map.ts";
import { lastPosition } from "./position.ts";
import { placesOf } from "./run-places.ts";

interface RunMapProps {
  sheet: Runsheet;
  /** What became of a stop; `null` while it is open. */
  resultOf: (jobId: number) => "done" | "failed" | null;
  /** The stop that is driven to. */
  next: RunsheetJob | null;
  onStop: (jobId: number) => void;
}

/** Milliseconds between two looks at where the phone is. */
const LOOK = 5_000;
const WAY = "way";

/** The run on a map that works without a connection where it was seen before: its way, its stops, and the phone. */
export function RunMap({ sheet, resultOf, next, onStop }: RunMapProps): ReactNode {
  const dark = useDark();
  const box = useRef<HTMLDivElement>(null);
  const map = useRef<LibreMap | null>(null);
  const press = useEffectEvent(onStop);
  const { jobs, run, map: config } = sheet;

  // The view stays where the driver moved it, whatever of the sheet changes.
  const draw = useEffectEvent((container: HTMLElement): LibreMap => {
    prepareMapLibre();
    keptArchive(config);
    const libre = new LibreMap({
      container,
      style: { version: 8, sources: {}, layers: [] },
      attributionControl: { compact: true },
      dragRotate: false,
      pitchWithRotate: false,
      cooperativeGestures: true,
    });
    libre.touchZoomRotate.disableRotation();
    const bounds = new LngLatBounds();
    for (const { lat, lon } of placesOf(sheet)) bounds.extend([lon, lat]);
    if (!bounds.isEmpty()) libre.fitBounds(bounds, { padding: 36, maxZoom: 15, animate: false });
    return libre;
  });
  useEffect(() => {
    if (box.current === null) return;
    const libre = draw(box.current);
    map.current = libre;
    return () => {
      map.current = null;
      libre.remove();
    };
  }, []);

  useEffect(() => {
    let current = true;
    const line = (run.route?.legs ?? []).flatMap(({ geometry }) => polyline.toGeoJSON(geometry).coordinates);
    const data = { type: "LineString" as const, coordinates: line };
    void baseMapStyle(config, "Streets", dark).then((style) => {
      const libre = map.current;
      if (!current || libre === null) return;
      libre.setStyle(style, { diff: false });
      libre.once("style.load", () => {
        libre.addSource(WAY, { type: "geojson", data });
        libre.addLayer({
          id: WAY,
          type: "line",
          source: WAY,
          layout: { "line-join": "round", "line-cap": "round" },
          paint: { "line-color": dark ? "#6fc3d8" : "#0f5f74", "line-width": 4, "line-opacity": 0.8 },
        });
      });
    });
    return () => {
      current = false;
    };
  }, [config, dark, run.route]);

  const nextId = next?.id;
  useEffect(() => {
    const libre = map.current;
    if (libre === null) return;
    const pins: Marker[] = [];
    for (const depot of [run.start_location, run.end_location]) {
      if (depot !== null) pins.push(pinAt(libre, depot, element("span", "rm-depot", texts.runsheet.depot)));
    }
    for (const job of jobs) {
      const name = fill(texts.runsheet.stop, { seq: job.seq });
      const button = element("button", "rm-stop", `${name}: ${job.customer_name ?? job.uid}`);
      button.textContent = String(job.seq);
      button.dataset["state"] = resultOf(job.id) ?? (job.id === nextId ? "next" : "open");
      button.addEventListener("click", () => press(job.id));
      pins.push(pinAt(libre, job.location, button));
    }
    return () => pins.forEach((pin) => pin.remove());
  }, [jobs, nextId, resultOf, run.start_location, run.end_location]);

  useEffect(() => {
    let here: Marker | null = null;
    const look = (): void => {
      const { lat, lon } = lastPosition();
      const libre = map.current;
      if (libre === null || lat === null || lon === null) return;
      here ??= pinAt(libre, { lat, lon }, element("span", "rm-here", texts.runsheet.here));
      here.setLngLat([lon, lat]);
    };
    look();
    const timer = setInterval(look, LOOK);
    return () => {
      clearInterval(timer);
      here?.remove();
    };
  }, []);

  return (
    <section className="rm-map" aria-label={texts.map.label}>
      {/* MapLibre's own style decides how its container is placed. */}
      <div ref={box} className="rm-canvas" />
    </section>
  );
}

function element(tag: "button" | "span", look: string, name: string): HTMLElement {
  const made = document.createElement(tag);
  made.className = look;
  made.title = name;
  made.setAttribute("aria-label", name);
  if (tag === "span") made.setAttribute("role", "img");
  return made;
}

function pinAt(map: LibreMap, { lat, lon }: { lat: number; lon: number }, pin: HTMLElement): Marker {
  return new Marker({ element: pin }).setLngLat([lon, lat]).addTo(map);
}
