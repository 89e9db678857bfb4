import { getContrastRatio } from "@mui/material/styles";

const DARK = "#16222a";
const LIGHT = "#ffffff";
/** The darker ground that run colours are seen on in the dark mode. */
const NIGHT = "#1c272e";
/** Least contrast of graphics to what is around them (WCAG 1.4.11). */
const GRAPHICS = 3;

/** Of a dark and a white text the one that is read better on a colour (`#rrggbb`). */
export const inkOn = remembered((colour: string) =>
  getContrastRatio(colour, DARK) > getContrastRatio(colour, LIGHT) ? DARK : LIGHT,
);

/** The colour, made lighter as far as it must be to be seen on a dark map. */
export const atNight = remembered((colour: string) => {
  for (let white = 0; white < 1; white += 0.05) {
    const lifted = mixed(colour, white);
    if (getContrastRatio(lifted, NIGHT) >= GRAPHICS) return lifted;
  }
  return LIGHT;
});

/** The colour with a share of white in it. */
function mixed(colour: string, white: number): string {
  const parts = [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16));
  const hex = parts.map((part) =>
    Math.round(part + (255 - part) * white)
      .toString(16)
      .padStart(2, "0"),
  );
  return `#${hex.join("")}`;
}

/** Thousands of jobs share a few colours. For what is no colour of six digits the answer is white. */
function remembered(of: (colour: string) => string): (colour: string) => string {
  const known = new Map<string, string>();
  return (colour) => {
    let found = known.get(colour);
    if (found === undefined) {
      found = /^#[0-9a-f]{6}$/i.test(colour) ? of(colour) : LIGHT;
      known.set(colour, found);
    }
    return found;
  };
}
