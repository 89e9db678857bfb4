import { Box, MenuItem, TextField } from "@mui/material";
import { fill, SizeField, texts, useSession } from "@routewright/web";
import type { ReactNode } from "react";
import { MomentField } from "../fields/MomentField.tsx";
import { RecipientsField } from "../fields/RecipientsField.tsx";
import type { RecipientKind } from "../fields/recipients.ts";
import { TimeField } from "../fields/TimeField.tsx";
import { WordsField } from "../fields/WordsField.tsx";
import { useKnownTypes, useMeasures } from "../plan/known-words.ts";
import type { RunDraft } from "./run-draft.ts";

export interface DraftProps {
  draft: RunDraft;
  /** `null`: only shown. */
  onChange: ((part: Partial<RunDraft>) => void) | null;
  problems: Readonly<Record<string, string>>;
}

type Of<T> = {
  [K in keyof RunDraft]: RunDraft[K] extends T ? (T extends RunDraft[K] ? K : never) : never;
}[keyof RunDraft];
type TextName = Of<string>;
type MomentName = Of<string | null>;
type IdName = Of<number | null>;

function useLabel(name: string): string {
  const unit = useSession((state) => state.user?.organisation.settings.distance_unit ?? "km");
  const labels: Partial<Record<string, string>> = texts.runs.fields;
  // `vehicle_id` is labelled as the vehicle.
  return fill(labels[name] ?? labels[name.replace(/_id$/, "")] ?? name, { unit });
}

export function DraftText({ draft, onChange, problems, name }: DraftProps & { name: TextName }): ReactNode {
  const label = useLabel(name);
  return (
    <TextField
      label={label}
      value={draft[name]}
      disabled={onChange === null}
      error={problems[name] !== undefined}
      helperText={problems[name]}
      onChange={(event) => onChange?.({ [name]: event.target.value })}
    />
  );
}

interface DraftRecipientsProps extends DraftProps {
  name: "email" | "phone_number";
  kind: RecipientKind;
}

export function DraftRecipients({ draft, onChange, problems, name, kind }: DraftRecipientsProps): ReactNode {
  const label = useLabel(name);
  return (
    <RecipientsField
      kind={kind}
      label={label}
      value={draft[name]}
      disabled={onChange === null}
      problem={problems[name]}
      onChange={(value) => onChange?.({ [name]: value })}
    />
  );
}

/** What the run carries at most, one number for each measure. */
export function DraftCapacity({ draft, onChange, problems }: DraftProps): ReactNode {
  return (
    <SizeField
      label={useLabel("capacity")}
      value={draft.capacity}
      measures={useMeasures()}
      limits
      disabled={onChange === null}
      problem={problems["capacity"]}
      help={texts.runs.capacityHelp}
      onChange={(capacity) => onChange?.({ capacity })}
    />
  );
}

/** Types of jobs that the run serves. */
export function DraftTypes({ draft, onChange, problems }: DraftProps): ReactNode {
  return (
    <WordsField
      label={useLabel("spec_type")}
      value={draft.spec_type}
      known={useKnownTypes()}
      disabled={onChange === null}
      problem={problems["spec_type"]}
      onChange={(words) => onChange?.({ spec_type: words })}
    />
  );
}

export function DraftTime({ draft, onChange, problems, name }: DraftProps & { name: TextName }): ReactNode {
  const label = useLabel(name);
  return (
    <TimeField
      label={label}
      step={5}
      value={draft[name]}
      disabled={onChange === null}
      problem={problems[name]}
      onChange={(value) => onChange?.({ [name]: value })}
    />
  );
}

export function DraftMoment({
  draft,
  onChange,
  problems,
  name,
}: DraftProps & { name: MomentName }): ReactNode {
  const label = useLabel(name);
  const zone = useSession((state) => state.user?.organisation.timezone);
  return (
    <MomentField
      label={label}
      zone={zone}
      value={draft[name]}
      disabled={onChange === null}
      problem={problems[name]}
      onChange={(value) => onChange?.({ [name]: value })}
    />
  );
}

export interface IdOption {
  id: number;
  label: string;
}

export function DraftChoice(props: DraftProps & { name: IdName; options: readonly IdOption[] }): ReactNode {
  const { draft, onChange, problems, name, options } = props;
  const label = useLabel(name);
  const value = draft[name];
  // An id that the list does not hold, for example of another page, is still shown.
  const missing = value !== null && options.every(({ id }) => id !== value);
  return (
    <TextField
      select
      label={label}
      value={value ?? ""}
      disabled={onChange === null}
      error={problems[name] !== undefined}
      helperText={problems[name]}
      onChange={(event) =>
        onChange?.({ [name]: event.target.value === "" ? null : Number(event.target.value) })
      }
    >
      <MenuItem value="">{texts.common.none}</MenuItem>
      {missing && <MenuItem value={value}>#{value}</MenuItem>}
      {options.map(({ id, label: text }) => (
        <MenuItem key={id} value={id}>
          {text}
        </MenuItem>
      ))}
    </TextField>
  );
}

export function DraftGrid({ children }: { children: ReactNode }): ReactNode {
  return (
    <Box
      sx={{
        display: "grid",
        gap: 2,
        pt: 0.5,
        gridTemplateColumns: "repeat(auto-fill, minmax(max(min(210px, 100%), 30%), 1fr))",
      }}
    >
      {children}
    </Box>
  );
}
