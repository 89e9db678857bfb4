import { fill, texts } from "@routewright/web";
import { Box, TextField } from "@mui/material";
import { type BoundProps, useBound } from "./bound.ts";

/** Colour `#rrggbb`, by the browser's colour chooser or typed. */
export function ColourInput(props: BoundProps) {
  const bound = useBound(props);
  const value = typeof bound.value === "string" ? bound.value : "";
  return (
    <TextField
      {...bound.field}
      value={value}
      placeholder="#34495e"
      onChange={(event) => bound.set(event.target.value || null)}
      slotProps={{
        inputLabel: { shrink: true },
        input: {
          startAdornment: (
            <Box
              component="input"
              type="color"
              aria-label={fill(texts.admin.shared.chooseColour, { label: bound.label })}
              value={/^#[0-9a-f]{6}$/i.test(value) ? value : "#34495e"}
              onChange={(event) => bound.set(event.target.value)}
              sx={{ width: 28, height: 28, p: 0, mr: 1, border: 0, background: "none", cursor: "pointer" }}
            />
          ),
        },
      }}
    />
  );
}
