import { Box, TextField } from "@mui/material";
import type { ReactNode } from "react";

export interface ColourFieldProps {
  label: string;
  /** `#rrggbb`. */
  value: string;
  onChange: (value: string) => void;
  disabled?: boolean;
}

export function ColourField({ label, value, onChange, disabled = false }: ColourFieldProps): ReactNode {
  return (
    <TextField
      type="color"
      label={label}
      value={value}
      disabled={disabled}
      onChange={(event) => onChange(event.target.value)}
      slotProps={{ inputLabel: { shrink: true }, htmlInput: { style: { height: 23, padding: "8px 10px" } } }}
    />
  );
}

/** A small square of a colour. */
export function Swatch({ colour, size = 10 }: { colour: string; size?: number }): ReactNode {
  return (
    <Box
      component="span"
      aria-hidden
      sx={{
        display: "inline-block",
        width: size,
        height: size,
        borderRadius: 0.5,
        bgcolor: colour,
        flex: "none",
        // A colour like the ground keeps its shape.
        boxShadow: "0 0 0 1px var(--mui-palette-divider)",
      }}
    />
  );
}
