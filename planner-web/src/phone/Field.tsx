import { type ReactNode, useId } from "react";

interface Common {
  label: string;
  value: string;
  required?: boolean;
  /** Why it cannot stay as it is; empty where that is told elsewhere. */
  error?: string | null;
  onChange: (value: string) => void;
}

interface FieldProps extends Common {
  type?: "text" | "date" | "time";
  inputMode?: "decimal" | "numeric";
  multiline?: boolean;
}

/** A text under its label. */
export function Field({ type = "text", inputMode, multiline = false, ...common }: FieldProps): ReactNode {
  const { value, required = false, onChange } = common;
  return (
    <Labelled {...common}>
      {(state) =>
        multiline ? (
          <textarea
            {...state}
            rows={2}
            value={value}
            required={required}
            onChange={(event) => onChange(event.target.value)}
          />
        ) : (
          <input
            {...state}
            type={type}
            inputMode={inputMode}
            value={value}
            required={required}
            onChange={(event) => onChange(event.target.value)}
          />
        )
      }
    </Labelled>
  );
}

interface SelectProps extends Common {
  options: readonly { value: string; text: string }[];
}

/** A choice, or none, by the phone's own list. */
export function Select({ options, ...common }: SelectProps): ReactNode {
  const { value, required = false, onChange } = common;
  return (
    <Labelled {...common}>
      {(state) => (
        <select
          {...state}
          className="ph-select"
          value={value}
          required={required}
          onChange={(event) => onChange(event.target.value)}
        >
          <option value="">–</option>
          {options.map((option) => (
            <option key={option.value} value={option.value}>
              {option.text}
            </option>
          ))}
        </select>
      )}
    </Labelled>
  );
}

interface State {
  "aria-invalid": boolean;
  "aria-describedby": string | undefined;
}

interface LabelledProps extends Pick<Common, "label" | "required" | "error"> {
  children: (state: State) => ReactNode;
}

function Labelled({ label, required = false, error = null, children }: LabelledProps): ReactNode {
  const told = useId();
  const wrong = error !== null;
  const shown = wrong && error !== "";
  return (
    <div className="ph-field">
      <label className="ph-field">
        <span>{required ? `${label} *` : label}</span>
        {children({ "aria-invalid": wrong, "aria-describedby": shown ? told : undefined })}
      </label>
      {shown && (
        <span id={told} className="ph-error">
          {error}
        </span>
      )}
    </div>
  );
}
