import { Autocomplete, Chip, TextField } from "@mui/material";
import { type ReactNode, useState } from "react";

interface WordsFieldProps {
  label: string;
  /** Comma-separated, without spaces. */
  value: string;
  onChange: (value: string) => void;
  /** Words that are known; others can be typed. */
  known: readonly string[];
  required?: boolean;
  disabled?: boolean;
  problem?: string | undefined;
  help?: string | undefined;
}

/** Several words as chips, known ones offered; a comma or Enter ends one, and so does leaving the field. */
export function WordsField(props: WordsFieldProps): ReactNode {
  const { label, value, onChange, known, required = false, disabled = false, problem, help } = props;
  /** What is being typed; it counts already, so that nothing typed is lost. */
  const [text, setText] = useState("");
  const all = wordsOf(value);
  const words = text !== "" && all.at(-1) === text.trim() ? all.slice(0, -1) : all;
  const type = (typed: string): void => {
    const parts = typed.split(",");
    const rest = parts.pop() ?? "";
    const whole = [...words, ...wordsOf(parts.join(","))];
    setText(rest);
    onChange(joined([...whole, rest]));
  };
  return (
    <Autocomplete
      multiple
      freeSolo
      disabled={disabled}
      filterSelectedOptions
      options={known}
      value={words}
      inputValue={text}
      onInputChange={(_, typed, reason) => {
        if (reason === "input") type(typed);
      }}
      onChange={(_, next) => {
        setText("");
        onChange(joined(next));
      }}
      onBlur={() => setText("")}
      renderValue={(values, getItemProps) =>
        values.map((word, index) => {
          const { key, ...item } = getItemProps({ index });
          return <Chip key={key} {...item} label={word} />;
        })
      }
      renderInput={(parameters) => (
        <TextField
          {...parameters}
          label={label}
          required={required}
          error={problem !== undefined}
          helperText={problem ?? help}
        />
      )}
    />
  );
}

function wordsOf(text: string): string[] {
  return text
    .split(",")
    .map((word) => word.trim())
    .filter((word) => word !== "");
}

/** Each word once. */
function joined(words: readonly string[]): string {
  return [...new Set(words.map((word) => word.trim()).filter((word) => word !== ""))].join(",");
}
