import { getContrastRatio } from "@mui/material/styles";
import { describe, expect, it } from "vitest";
import { atNight, inkOn } from "./ink.ts";
import { ROUTE_PALETTE } from "./theme.ts";

describe("W-114: colours that are read", () => {
  it.each([...ROUTE_PALETTE, "#3cb44b", "#f58231"])("numbers on %s", (colour) => {
    expect(getContrastRatio(inkOn(colour), colour)).toBeGreaterThanOrEqual(4);
  });

  it.each(ROUTE_PALETTE)("%s on the dark map", (colour) => {
    expect(getContrastRatio(atNight(colour), "#1c272e")).toBeGreaterThanOrEqual(3);
  });

  it("leaves light colours alone at night", () => {
    expect(atNight("#f58231")).toBe("#f58231");
    expect(atNight("#000075")).not.toBe("#000075");
  });
});
