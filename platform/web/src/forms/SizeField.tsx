import AddIcon from "@mui/icons-material/Add";
import {
  Box,
  Button,
  FormHelperText,
  IconButton,
  Popover,
  TextField,
  Tooltip,
  Typography,
} from "@mui/material";
import { type SubmitEvent, type ReactNode, useState } from "react";
import { fill, texts } from "../texts/index.ts";
import { amountsOf, isMeasure, type SizeAmounts, sizeOfAmounts, UNNAMED } from "./size-amounts.ts";

export interface SizeFieldProps {
  label: string;
  /** As the API writes it: `boxes:3&weight:12`; empty without an amount. */
  value: string;
  onChange: (value: string) => void;
  /** Measures that the organisation counts in; others can be added. */
  measures: readonly string[];
  /** It limits: a bare `0` means no limit, and so does nothing. */
  limits?: boolean;
  required?: boolean;
  disabled?: boolean;
  problem?: string | undefined;
  help?: ReactNode;
  onBlur?: () => void;
}

/** A size or capacity as one number for each measure; alternatives stand below each other. */
export function SizeField(props: SizeFieldProps): ReactNode {
  const { label, value, onChange, measures, limits = false, disabled = false, problem, help } = props;
  const [typed, setTyped] = useState<{ text: string; amounts: SizeAmounts[] } | null>(null);
  const [added, setAdded] = useState<readonly string[]>([]);
  // What was typed stands until another text comes from outside.
  const amounts = typed?.text === value ? typed.amounts : amountsOf(value, limits);
  const shown = shownMeasures(amounts ?? [], [...measures, ...added]);
  if (amounts === null) {
    return (
      <TextField
        label={label}
        value={value}
        disabled={disabled}
        required={props.required ?? false}
        error={problem !== undefined}
        helperText={problem ?? help}
        onChange={(event) => onChange(event.target.value)}
        onBlur={props.onBlur}
      />
    );
  }
  const change = (index: number, measure: string, amount: string): void => {
    const next = amounts.map((alternative, at) =>
      at === index ? { ...alternative, [measure]: amount } : alternative,
    );
    const text = sizeOfAmounts(next, shown);
    setTyped({ text, amounts: next });
    onChange(text);
  };
  return (
    <Box role="group" aria-label={label} sx={{ minWidth: 0 }}>
      {amounts.map((alternative, index) => (
        <Box key={index}>
          {index > 0 && (
            <Typography variant="caption" color="textSecondary">
              {texts.common.or}
            </Typography>
          )}
          <Box sx={{ display: "flex", flexWrap: "wrap", gap: 1, alignItems: "center" }}>
            {shown.map((measure) => (
              <TextField
                key={measure}
                label={labelOf(label, measure)}
                value={alternative[measure] ?? ""}
                required={(props.required ?? false) && shown.length === 1}
                disabled={disabled}
                error={problem !== undefined}
                sx={{ flex: "1 1 84px", minWidth: 84 }}
                slotProps={{ htmlInput: { inputMode: "decimal" } }}
                onChange={(event) => change(index, measure, event.target.value)}
                onBlur={props.onBlur}
              />
            ))}
            {!disabled && index === 0 && (
              <AddMeasure label={label} known={shown} onAdd={(measure) => setAdded([...added, measure])} />
            )}
          </Box>
        </Box>
      ))}
      {(problem ?? help) !== undefined && (
        <FormHelperText error={problem !== undefined} sx={{ mx: 1.75 }}>
          {problem ?? help}
        </FormHelperText>
      )}
    </Box>
  );
}

/** `Size`, `Size (boxes)`. */
function labelOf(label: string, measure: string): string {
  return measure === UNNAMED ? label : fill(texts.common.ofMeasure, { label, measure });
}

/** The measures that are known or used; one without a name where there is none, or where it is used. */
function shownMeasures(amounts: readonly SizeAmounts[], known: readonly string[]): string[] {
  const all = new Set([...known, ...amounts.flatMap((alternative) => Object.keys(alternative))]);
  const used = amounts.some((alternative) => UNNAMED in alternative);
  if (!used && all.size > 1) all.delete(UNNAMED);
  return all.size === 0 ? [UNNAMED] : [...all];
}

interface AddMeasureProps {
  label: string;
  known: readonly string[];
  onAdd: (measure: string) => void;
}

/** A measure that nobody has counted in so far. */
function AddMeasure({ label, known, onAdd }: AddMeasureProps): ReactNode {
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const [name, setName] = useState("");
  const measure = name.trim();
  const fits = isMeasure(measure) && !known.includes(measure);
  const title = fill(texts.common.addMeasure, { label });
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    // The form around it is not meant.
    event.stopPropagation();
    if (!fits) return;
    onAdd(measure);
    setName("");
    setAnchor(null);
  };
  return (
    <>
      <Tooltip title={title}>
        <IconButton aria-label={title} size="small" onClick={(event) => setAnchor(event.currentTarget)}>
          <AddIcon fontSize="small" />
        </IconButton>
      </Tooltip>
      <Popover
        open={anchor !== null}
        anchorEl={anchor}
        onClose={() => setAnchor(null)}
        anchorOrigin={{ vertical: "bottom", horizontal: "right" }}
        transformOrigin={{ vertical: "top", horizontal: "right" }}
      >
        <Box component="form" onSubmit={submit} sx={{ p: 1.5, display: "flex", gap: 1, alignItems: "start" }}>
          <TextField
            autoFocus
            label={texts.common.measureName}
            value={name}
            error={measure !== "" && !fits}
            helperText={measure !== "" && !fits ? texts.checks.measure : texts.common.measureHelp}
            onChange={(event) => setName(event.target.value)}
          />
          <Button type="submit" disabled={!fits}>
            {texts.common.add}
          </Button>
        </Box>
      </Popover>
    </>
  );
}
