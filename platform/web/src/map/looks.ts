import type { MapStyleName } from "../model/map.ts";

/** How a style name changes the colours of the self-hosted tiles. */
export interface Look {
  /** Colours that it starts from. */
  flavour: "light" | "dark" | "white" | "grayscale" | "black";
  /** 0: grey, 1: as they are, above: stronger. */
  saturation?: number;
  /** A colour that all others lean to, and how far: 0 not at all, 1 wholly. */
  tint?: readonly [colour: string, amount: number];
  /** 1: as it is, above: light and dark further apart. */
  contrast?: number;
}

export const LOOKS: Record<MapStyleName, Look> = {
  Tarot: { flavour: "grayscale", tint: ["#c9a66b", 0.28] },
  Basic: { flavour: "light", saturation: 0.45 },
  Streets: { flavour: "light" },
  Hybrid: { flavour: "dark", saturation: 1.2, tint: ["#23402c", 0.3] },
  Bright: { flavour: "white", saturation: 1.5 },
  Outdoor: { flavour: "light", saturation: 1.25, tint: ["#8fbf73", 0.14] },
  Toner: { flavour: "grayscale", saturation: 0, contrast: 1.7 },
  Topo: { flavour: "light", tint: ["#d9b382", 0.16] },
  Topographique: { flavour: "white", saturation: 1.2, tint: ["#b98b5e", 0.2] },
  Voyager: { flavour: "light", saturation: 0.75, tint: ["#f2efe9", 0.35] },
  Dark: { flavour: "dark" },
};

type Colours = { [name: string]: string | Colours | undefined };

/** All colours of a flavour in a look. */
export function coloured<T extends object>(colours: T, look: Look): T {
  const result: Colours = {};
  for (const [name, value] of Object.entries(colours as Colours)) {
    if (typeof value === "string") result[name] = adjust(value, look);
    else if (value !== undefined) result[name] = coloured(value, look);
  }
  return { ...colours, ...result };
}

/** One colour in a look; names and transparent colours stay. */
export function adjust(colour: string, { saturation = 1, tint, contrast = 1 }: Look): string {
  const channels = channelsOf(colour);
  if (channels === null) return colour;
  const grey = 0.299 * channels[0] + 0.587 * channels[1] + 0.114 * channels[2];
  const lean = tint === undefined ? null : channelsOf(tint[0]);
  const amount = tint?.[1] ?? 0;
  const hex = channels.map((channel, index) => {
    let value = grey + (channel - grey) * saturation;
    value = 128 + (value - 128) * contrast;
    if (lean !== null) value += ((lean[index] ?? 0) - value) * amount;
    return Math.round(Math.min(255, Math.max(0, value)))
      .toString(16)
      .padStart(2, "0");
  });
  return `#${hex.join("")}`;
}

function channelsOf(colour: string): [number, number, number] | null {
  const match = /^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})$/i.exec(colour);
  if (match === null) return null;
  const [, red = "0", green = "0", blue = "0"] = match;
  return [parseInt(red, 16), parseInt(green, 16), parseInt(blue, 16)];
}
