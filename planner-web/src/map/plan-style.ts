import type { ExpressionSpecification, LayerSpecification } from "maplibre-gl";

/** Source of what stands out, drawn once more above the rest. */
export const LIT = "plan-lit";
/** Nothing fades in: the map is drawn once for a change. */
const AT_ONCE = { duration: 0 };

export interface PlanLook {
  /** Pixels. */
  radius: number;
  numbers: boolean;
  /** Pixels; `null`: jobs stay single. */
  clusterRadius: number | null;
  territoryOpacity: number;
  dark: boolean;
}

/** How the sources of a plan are drawn, from the ground up. */
export function planStyle(look: PlanLook, opacity: number): LayerSpecification[] {
  const { radius, numbers, territoryOpacity, dark } = look;
  const halo = dark ? "#10171c" : "#ffffff";
  // Dark dots on a dark map are told from the ground by their rim.
  const rim = dark ? "#aebfca" : "#ffffff";
  const alarm = dark ? "#f2857d" : "#b3261e";
  const day: ExpressionSpecification = ["get", "colour"];
  const colour: ExpressionSpecification = dark ? ["coalesce", ["get", "night"], day] : day;
  const ink: ExpressionSpecification = ["coalesce", ["get", dark ? "nightInk" : "ink"], "#ffffff"];
  return [
    {
      id: "plan-territories",
      type: "fill",
      source: "plan-territories",
      paint: { "fill-color": colour, "fill-opacity": territoryOpacity },
    },
    {
      id: "plan-territory-outlines",
      type: "line",
      source: "plan-territories",
      paint: { "line-color": colour, "line-width": 1.5, "line-opacity": 0.8 },
    },
    {
      id: "plan-territory-names",
      type: "symbol",
      source: "plan-territories",
      filter: ["==", ["geometry-type"], "Point"],
      layout: { "text-field": ["get", "name"], "text-size": 12 },
      paint: {
        "text-color": dark ? "#e7edf1" : "#16222a",
        "text-halo-color": halo,
        "text-halo-width": 1.5,
      },
    },
    {
      id: "plan-trails",
      type: "line",
      source: "plan-trails",
      paint: {
        "line-color": colour,
        "line-width": 2,
        "line-dasharray": [2, 1.5],
        "line-opacity": opacity,
        "line-opacity-transition": AT_ONCE,
      },
    },
    {
      id: "plan-route-halos",
      type: "line",
      source: "plan-routes",
      layout: { "line-join": "round", "line-cap": "round" },
      paint: {
        "line-color": halo,
        "line-width": 5,
        "line-opacity": opacity,
        "line-opacity-transition": AT_ONCE,
      },
    },
    {
      id: "plan-routes",
      type: "line",
      source: "plan-routes",
      layout: { "line-join": "round", "line-cap": "round" },
      paint: {
        "line-color": colour,
        "line-width": 3,
        "line-opacity": opacity,
        "line-opacity-transition": AT_ONCE,
      },
    },
    {
      id: "plan-clusters",
      type: "circle",
      source: "plan-jobs",
      filter: ["has", "point_count"],
      paint: {
        "circle-color": dark ? "#6fc3d8" : "#0f5f74",
        "circle-radius": ["interpolate", ["linear"], ["get", "point_count"], 2, 12, 50, 20, 500, 30],
        "circle-opacity": 0.88,
        "circle-stroke-color": ["case", ["==", ["get", "marked"], true], alarm, halo],
        "circle-stroke-width": 2,
      },
    },
    {
      id: "plan-cluster-counts",
      type: "symbol",
      source: "plan-jobs",
      filter: ["has", "point_count"],
      layout: {
        "text-field": ["get", "point_count_abbreviated"],
        "text-size": 12,
        "text-allow-overlap": true,
      },
      paint: { "text-color": dark ? "#06222b" : "#ffffff" },
    },
    {
      // A ring around what wants a look: told from the others without its colour.
      id: "plan-job-marks",
      type: "circle",
      source: "plan-jobs",
      filter: ["all", ["!", ["has", "point_count"]], ["==", ["get", "marked"], true]],
      paint: {
        "circle-color": halo,
        "circle-radius": radius + 4,
        "circle-stroke-color": alarm,
        "circle-stroke-width": 2.5,
        "circle-opacity": opacity,
        "circle-stroke-opacity": opacity,
      },
    },
    {
      id: "plan-jobs",
      type: "circle",
      source: "plan-jobs",
      filter: ["!", ["has", "point_count"]],
      paint: {
        "circle-color": colour,
        "circle-radius": radius,
        "circle-stroke-color": rim,
        "circle-stroke-width": dark ? 1 : 1.5,
        "circle-opacity": opacity,
        "circle-stroke-opacity": opacity,
        "circle-opacity-transition": AT_ONCE,
        "circle-stroke-opacity-transition": AT_ONCE,
      },
    },
    {
      id: "plan-job-numbers",
      type: "symbol",
      source: "plan-jobs",
      minzoom: 11,
      filter: ["!", ["has", "point_count"]],
      layout: {
        "text-field": numbers ? ["get", "label"] : "",
        "text-size": Math.max(9, radius * 1.15),
        "text-allow-overlap": true,
      },
      paint: { "text-color": ink, "text-opacity": opacity, "text-opacity-transition": AT_ONCE },
    },
    {
      id: "plan-lit-halos",
      type: "line",
      source: LIT,
      layout: { "line-join": "round", "line-cap": "round" },
      paint: { "line-color": halo, "line-width": 8 },
    },
    {
      id: "plan-lit-routes",
      type: "line",
      source: LIT,
      layout: { "line-join": "round", "line-cap": "round" },
      paint: { "line-color": colour, "line-width": 5 },
    },
    {
      id: "plan-lit-jobs",
      type: "circle",
      source: LIT,
      filter: ["==", ["geometry-type"], "Point"],
      paint: {
        "circle-color": colour,
        "circle-radius": radius,
        "circle-stroke-color": rim,
        "circle-stroke-width": dark ? 1 : 1.5,
      },
    },
    {
      id: "plan-lit-numbers",
      type: "symbol",
      source: LIT,
      minzoom: 11,
      filter: ["==", ["geometry-type"], "Point"],
      layout: {
        "text-field": numbers ? ["get", "label"] : "",
        "text-size": Math.max(9, radius * 1.15),
        "text-allow-overlap": true,
      },
      paint: { "text-color": ink },
    },
  ];
}
