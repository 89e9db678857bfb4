import { Map as LibreMap, type MapOptions, type StyleSpecification } from "maplibre-gl";

/**
 * The part of the `google.maps` object that google-map-react uses, over MapLibre. Google counts zoom in tiles
 * of 256 pixels, MapLibre in tiles of 512: Google's zoom is one more.
 */
const ZOOM_SHIFT = 1;

type Listener = (...args: unknown[]) => void;
interface Registration {
  target: CompatibleMap;
  name: string;
  listener: Listener;
}

class LatLng {
  readonly #lat: number;
  readonly #lng: number;

  constructor(lat: number | { lat: number; lng: number }, lng = 0) {
    this.#lat = typeof lat === "number" ? lat : lat.lat;
    this.#lng = typeof lat === "number" ? lng : lat.lng;
  }

  lat = (): number => this.#lat;
  lng = (): number => this.#lng;
}

class Point {
  constructor(
    readonly x: number,
    readonly y: number,
  ) {}
}

type LatLngLike = LatLng | { lat: number; lng: number };

function lngLat(value: LatLngLike): [number, number] {
  return value instanceof LatLng ? [value.lng(), value.lat()] : [value.lng, value.lat];
}

interface CompatibleOptions {
  center: LatLngLike;
  zoom: number;
  minZoom?: number;
  style: StyleSpecification | string;
  draggable?: boolean;
}

/** `google.maps.Map` over MapLibre; `libre` is the real map. */
export class CompatibleMap {
  readonly libre: LibreMap;
  readonly listeners = new Map<string, Set<Listener>>();

  constructor(element: HTMLElement, options: CompatibleOptions) {
    const settings: MapOptions = {
      container: element,
      style: options.style,
      center: lngLat(options.center),
      zoom: options.zoom - ZOOM_SHIFT,
      attributionControl: { compact: true },
      dragRotate: false,
      pitchWithRotate: false,
      // Fading numbers would draw the whole map again and again after each move of a job.
      fadeDuration: 0,
    };
    this.libre = new LibreMap(settings);
    this.libre.touchZoomRotate.disableRotation();
    this.libre.keyboard.disableRotation();
    this.libre.on("idle", () => this.emit("idle"));
    this.libre.on("zoom", () => this.emit("zoom_changed"));
    this.libre.on("drag", () => this.emit("drag"));
    this.libre.on("dragend", () => this.emit("dragend"));
    this.libre.on("click", () => this.emit("click"));
    this.libre.on("mouseover", () => this.emit("mouseover"));
    this.libre.on("mouseout", () => this.emit("mouseout"));
    this.libre.once("load", () => this.emit("tilesloaded"));
  }

  emit(name: string): void {
    for (const listener of [...(this.listeners.get(name) ?? [])]) listener();
  }

  get zoom(): number {
    return this.getZoom();
  }

  getCenter(): LatLng {
    const { lat, lng } = this.libre.getCenter();
    return new LatLng(lat, lng);
  }

  getZoom(): number {
    return this.libre.getZoom() + ZOOM_SHIFT;
  }

  setZoom(zoom: number): void {
    this.libre.setZoom(zoom - ZOOM_SHIFT);
  }

  setCenter(center: LatLngLike): void {
    this.libre.setCenter(lngLat(center));
  }

  panTo(center: LatLngLike): void {
    this.libre.panTo(lngLat(center));
  }

  setOptions(options: { draggable?: boolean; scrollwheel?: boolean }): void {
    if (options.draggable === true) this.libre.dragPan.enable();
    if (options.draggable === false) this.libre.dragPan.disable();
    if (options.scrollwheel === true) this.libre.scrollZoom.enable();
    if (options.scrollwheel === false) this.libre.scrollZoom.disable();
  }

  getMapTypeId(): string {
    return "roadmap";
  }

  getDiv(): HTMLElement {
    return this.libre.getContainer();
  }
}

/** `google.maps.OverlayView`: a pane over the canvas, drawn again whenever the map moves. */
class OverlayView {
  #map: CompatibleMap | null = null;
  #pane: HTMLElement | null = null;
  readonly #redraw = (): void => this.draw();

  onAdd(): void {
    // Replaced by google-map-react.
  }

  onRemove(): void {
    // Replaced by google-map-react.
  }

  draw(): void {
    // Replaced by google-map-react.
  }

  setMap(map: CompatibleMap | null): void {
    if (map === null) {
      this.#map?.libre.off("move", this.#redraw);
      this.#map?.libre.off("resize", this.#redraw);
      this.onRemove();
      this.#pane?.remove();
      this.#map = null;
      return;
    }
    this.#map = map;
    this.#pane = document.createElement("div");
    // The canvas below takes the pointer; markers that want it say so themselves.
    this.#pane.style.cssText =
      "position:absolute;left:0;top:0;width:0;height:0;overflow:visible;z-index:1;pointer-events:none";
    map.libre.getCanvasContainer().append(this.#pane);
    this.onAdd();
    map.libre.on("move", this.#redraw);
    map.libre.on("resize", this.#redraw);
    // As with Google, the first drawing comes after the caller is done.
    queueMicrotask(this.#redraw);
  }

  getPanes(): { overlayMouseTarget: HTMLElement } {
    if (this.#pane === null) throw new Error("The overlay is not on a map");
    return { overlayMouseTarget: this.#pane };
  }

  getProjection(): Projection {
    if (this.#map === null) throw new Error("The overlay is not on a map");
    return new Projection(this.#map.libre);
  }
}

class Projection {
  readonly #libre: LibreMap;

  constructor(libre: LibreMap) {
    this.#libre = libre;
  }

  fromLatLngToDivPixel(value: LatLngLike): Point {
    const { x, y } = this.#libre.project(lngLat(value));
    return new Point(x, y);
  }

  fromLatLngToContainerPixel(value: LatLngLike): Point {
    return this.fromLatLngToDivPixel(value);
  }

  fromContainerPixelToLatLng(point: { x: number; y: number }): LatLng {
    const { lat, lng } = this.#libre.unproject([point.x, point.y]);
    return new LatLng(lat, lng);
  }

  fromDivPixelToLatLng(point: { x: number; y: number }): LatLng {
    return this.fromContainerPixelToLatLng(point);
  }

  getWorldWidth(): number {
    return 512 * 2 ** this.#libre.getZoom();
  }
}

const event = {
  addListener(target: CompatibleMap, name: string, listener: Listener): Registration {
    const listeners = target.listeners.get(name) ?? new Set();
    listeners.add(listener);
    target.listeners.set(name, listeners);
    return { target, name, listener };
  },
  removeListener({ target, name, listener }: Registration): void {
    target.listeners.get(name)?.delete(listener);
  },
  clearInstanceListeners(target: CompatibleMap): void {
    target.listeners.clear();
  },
  trigger(target: CompatibleMap, name: string): void {
    if (name === "resize") target.libre.resize();
    target.emit(name);
  },
};

/** What `googleMapLoader` of google-map-react resolves to when there is no Google key. */
export const compatibleMaps = { version: "3.60.0", Map: CompatibleMap, OverlayView, LatLng, Point, event };
