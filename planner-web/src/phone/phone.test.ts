// @vitest-environment node
import { readFileSync } from "node:fs";
import { theme } from "@routewright/web";
import { expect, it } from "vitest";

type Palette = Record<string, string | Record<string, string>>;
// MUI's type of a theme knows nothing of its colour schemes.
const { colorSchemes: schemes } = theme as unknown as {
  colorSchemes: Record<"light" | "dark", { palette: Palette }>;
};

it.each(["light", "dark"] as const)("the pages on the road have the theme's colours, %s", (mode) => {
  const css = readFileSync(new URL("./phone.css", import.meta.url), "utf8");
  const [light = "", dark = ""] = css.match(/:root[^{]*\{[^}]*\}/g) ?? [];
  const stated = [...(mode === "light" ? light : dark).matchAll(/--mui-palette-([\w-]+): (#\w+);/g)];
  expect(stated.length).toBeGreaterThan(10);
  const { palette } = schemes[mode];
  for (const [, name = "", colour] of stated) {
    const [group = "", shade] = name.split("-");
    const found = palette[group];
    expect([name, typeof found === "object" ? found[shade ?? "main"] : found]).toEqual([name, colour]);
  }
});
