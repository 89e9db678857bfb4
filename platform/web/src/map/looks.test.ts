import { namedFlavor } from "@protomaps/basemaps";
import { describe, expect, it } from "vitest";
import { MAP_STYLE_NAMES } from "../model/map.ts";
import { adjust, coloured, LOOKS } from "./looks.ts";

describe("map styles", () => {
  it("A-505 L-11 all eleven look different on the self-hosted tiles", () => {
    const looks = MAP_STYLE_NAMES.map((name) => {
      const { earth, water, major } = coloured(namedFlavor(LOOKS[name].flavour), LOOKS[name]);
      return [earth, water, major].join(" ");
    });
    expect(new Set(looks).size).toBe(11);
  });

  it("turns colours grey, leans them to a tint and leaves names alone", () => {
    expect(adjust("#ff0000", { flavour: "light", saturation: 0 })).toBe("#4c4c4c");
    expect(adjust("#000000", { flavour: "light", tint: ["#ffffff", 0.5] })).toBe("#808080");
    expect(adjust("transparent", { flavour: "light", saturation: 0 })).toBe("transparent");
  });
});
