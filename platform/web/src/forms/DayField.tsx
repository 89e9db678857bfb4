import CalendarIcon from "@mui/icons-material/CalendarTodayOutlined";
import { Box, IconButton, InputAdornment, TextField, type TextFieldProps } from "@mui/material";
import { type ReactNode, useRef, useState } from "react";
import { texts } from "../texts/index.ts";
import { dateText, parseDay, parseWallClock, wallClockText } from "../units/time.ts";

export interface DayFieldProps extends Omit<
  TextFieldProps,
  "value" | "onChange" | "type" | "slotProps" | "onBlur"
> {
  /** Wire date, or wall clock `YYYY-MM-DDTHH:mm` where there is a time; empty for none. */
  value: string;
  /** Gets the same, or what was typed where it is no day. */
  onChange: (value: string) => void;
  onBlur?: () => void;
  /** The day has a time, too. */
  withTime?: boolean;
  /** First and last wire date that the calendar offers; what is typed is judged by whoever asks. */
  min?: string;
  max?: string;
}

/**
 * A day as it is written everywhere else (`2026/11/22 14:05`), whatever the browser's language is; the calendar beside it
 * is the browser's own.
 */
export function DayField({
  value,
  onChange,
  onBlur,
  withTime = false,
  min,
  max,
  ...field
}: DayFieldProps): ReactNode {
  const [typed, setTyped] = useState<string>();
  const picker = useRef<HTMLInputElement>(null);
  const parse = withTime ? parseWallClock : parseDay;
  const known = parse(value);
  const wrong = typed !== undefined && typed.trim() !== "" && parse(typed) === null;
  const shown = known === null ? value : withTime ? wallClockText(known) : dateText(known);
  const [left, setLeft] = useState(false);
  const problem = withTime ? texts.checks.moment : texts.checks.day;
  return (
    <TextField
      placeholder={withTime ? "YYYY/MM/DD HH:mm" : "YYYY/MM/DD"}
      {...field}
      value={typed ?? shown}
      error={field.error === true || (wrong && left)}
      helperText={wrong && left ? problem : field.helperText}
      onChange={(event) => {
        setTyped(event.target.value);
        onChange(parse(event.target.value) ?? event.target.value.trim());
      }}
      onFocus={() => setLeft(false)}
      onBlur={() => {
        setLeft(true);
        // What is no day stays to be corrected.
        if (!wrong) setTyped(undefined);
        onBlur?.();
      }}
      slotProps={{
        inputLabel: { shrink: true },
        htmlInput: { autoComplete: "off" },
        input: {
          endAdornment: (
            <InputAdornment position="end">
              <IconButton
                edge="end"
                disabled={field.disabled}
                aria-label={texts.common.openCalendar}
                onClick={() => picker.current?.showPicker()}
              >
                <CalendarIcon fontSize="small" />
              </IconButton>
              <Box
                component="input"
                type={withTime ? "datetime-local" : "date"}
                ref={picker}
                min={min}
                max={max}
                tabIndex={-1}
                aria-hidden
                value={known ?? ""}
                onChange={(event) => {
                  setTyped(undefined);
                  onChange(event.target.value);
                }}
                sx={{
                  position: "absolute",
                  right: 0,
                  bottom: 0,
                  width: "1px",
                  height: "1px",
                  opacity: 0,
                  border: 0,
                  p: 0,
                }}
              />
            </InputAdornment>
          ),
        },
      }}
    />
  );
}
