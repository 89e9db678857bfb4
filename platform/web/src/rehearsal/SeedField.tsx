import { TextField } from "@mui/material";
import type { ReactNode } from "react";
import { texts } from "../texts/index.ts";
import { LARGEST_SEED } from "./rehearsal.ts";

/** What was typed as a seed: a number, `null` for one by chance, `undefined` for neither. */
export function seedOf(typed: string): number | null | undefined {
  const text = typed.trim();
  if (text === "") return null;
  const seed = Number(text);
  return /^\d+$/.test(text) && seed <= LARGEST_SEED ? seed : undefined;
}

interface SeedFieldProps {
  typed: string;
  type: (typed: string) => void;
}

export function SeedField({ typed, type }: SeedFieldProps): ReactNode {
  const wrong = seedOf(typed) === undefined;
  return (
    <TextField
      label={texts.rehearsal.seed}
      value={typed}
      onChange={(event) => type(event.target.value)}
      error={wrong}
      helperText={wrong ? texts.rehearsal.seedWrong : texts.rehearsal.seedHelp}
      slotProps={{ htmlInput: { inputMode: "numeric" } }}
      size="small"
      fullWidth
      margin="normal"
    />
  );
}
