/** Maps of both web apps. MapLibre is large: pages load this part when a map is shown. */
export { archiveOf, baseMapStyle, MAP_WORKER, prepareMapLibre, readArchive } from "./base-map.ts";
export { useDarkMode } from "./dark-mode.ts";
export { KeptSource } from "./kept-source.ts";
export { lookWhereLast, rememberView } from "./last-view.ts";
export { type MapPoint, PinMap, type PinMapProps } from "./PinMap.tsx";
export { PlaceOnMap, type PlaceOnMapProps } from "./PlaceOnMap.tsx";
export { placeOfZone } from "./zone-place.ts";
