import {
  Box,
  Button,
  Checkbox,
  FormControlLabel,
  FormGroup,
  Tab,
  Tabs,
  TextField,
  ToggleButton,
  ToggleButtonGroup,
  Typography,
} from "@mui/material";
import {
  COPY_ITEMS,
  type CopyItem,
  DAYS_OF_WEEK,
  type DayOfWeek,
  DayField,
  dismissToast,
  messageOfError,
  request,
  type Scenario,
  type ScenarioCopy,
  texts,
  toastError,
  toastLoading,
  toastSuccess,
} from "@routewright/web";
import { type ReactNode, useState } from "react";
import { usePlanContext } from "../plan/context.ts";
import { unlessDriverBusy } from "../plan/driver-busy.ts";
import { keys } from "../plan/keys.ts";
import { useScenario } from "../plan/queries.ts";
import { Modal } from "../ui/Modal.tsx";
import { useChanged } from "../ui/unsaved.tsx";
import { queryClient } from "../ui/query-client.ts";

interface DuplicateDialogProps {
  scenarioId: number;
  onClose: () => void;
}

export function DuplicateDialog({ scenarioId, onClose }: DuplicateDialogProps): ReactNode {
  const { data } = useScenario(scenarioId);
  return data === undefined ? null : <DuplicateForm scenario={data} onClose={onClose} />;
}

interface Draft {
  name: string;
  copies: string;
  date: string;
  from: string;
  until: string;
  days: readonly DayOfWeek[];
  items: readonly CopyItem[];
}

/** Two modes: copies on one date, or fixed runs on weekdays of a range. */
function DuplicateForm({ scenario, onClose }: { scenario: Scenario; onClose: () => void }): ReactNode {
  const { activate } = usePlanContext();
  const [fixed, setFixed] = useState(false);
  const [working, setWorking] = useState(false);
  const [draft, setDraft] = useState<Draft>({
    name: scenario.name,
    copies: "1",
    date: scenario.scheduled_date,
    from: "",
    until: "",
    days: [],
    items: ["jobs", "units", "returns"],
  });
  const unsaved = useChanged(draft);
  const change = (part: Partial<Draft>): void => setDraft({ ...draft, ...part });
  const copies = Number(draft.copies);
  const common =
    Number.isInteger(copies) && copies >= 1 && draft.items.length > 0 && draft.name.trim() !== "";
  const ready = fixed
    ? common && draft.days.length > 0 && draft.from !== "" && draft.until >= draft.from
    : common && draft.date !== "";

  const run = async (): Promise<void> => {
    setWorking(true);
    const id = toastLoading(fixed ? texts.scenarios.creatingFixed : texts.scenarios.duplicating);
    try {
      const create = fixed ? createFixed : duplicate;
      const created = await unlessDriverBusy((force) => create(scenario.id, draft, force));
      if (created === null) {
        dismissToast(id);
        setWorking(false);
        return;
      }
      await queryClient.invalidateQueries({ queryKey: keys.scenarios });
      const [first] = created;
      if (first === undefined) {
        toastError(texts.scenarios.noneCreated, { id });
        setWorking(false);
        return;
      }
      toastSuccess(fixed ? texts.scenarios.createdFixed : texts.scenarios.duplicated, { id });
      onClose();
      if (!fixed) activate(first.id);
    } catch (error) {
      toastError(messageOfError(error), { id });
      setWorking(false);
    }
  };

  return (
    <Modal
      title={fixed ? texts.scenarios.fixedRuns : texts.scenarios.duplicate}
      width={520}
      unsaved={unsaved}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{texts.common.cancel}</Button>
          <Button variant="contained" disabled={!ready} loading={working} onClick={() => void run()}>
            {fixed ? texts.scenarios.fixedRuns : texts.scenarios.duplicate}
          </Button>
        </>
      }
    >
      <Tabs value={fixed ? 1 : 0} onChange={(_, value: number) => setFixed(value === 1)} sx={{ mb: 2 }}>
        <Tab label={texts.scenarios.duplicate} />
        <Tab label={texts.scenarios.fixedRuns} />
      </Tabs>
      <Box sx={{ display: "grid", gap: 2, gridTemplateColumns: "2fr 1fr" }}>
        <TextField
          label={texts.scenarios.name}
          value={draft.name}
          onChange={(event) => change({ name: event.target.value })}
        />
        <TextField
          type="number"
          label={texts.scenarios.copies}
          value={draft.copies}
          onChange={(event) => change({ copies: event.target.value })}
          slotProps={{ htmlInput: { min: 1 } }}
        />
        {fixed ? (
          <>
            <DateInput
              label={texts.scenarios.from}
              value={draft.from}
              onChange={(from) => change({ from })}
            />
            <DateInput
              label={texts.scenarios.until}
              value={draft.until}
              onChange={(until) => change({ until })}
            />
            <Days value={draft.days} onChange={(days) => change({ days })} />
          </>
        ) : (
          <DateInput label={texts.scenarios.date} value={draft.date} onChange={(date) => change({ date })} />
        )}
        <Items value={draft.items} onChange={(items) => change({ items })} />
      </Box>
    </Modal>
  );
}

function duplicate(id: number, draft: Draft, force: boolean): Promise<ScenarioCopy[]> {
  return request<ScenarioCopy[]>(`/scenarios/${id}/duplicate`, {
    method: "POST",
    body: {
      copy_items: draft.items,
      scheduled_date: draft.date,
      number_of_copies: Number(draft.copies),
      scenario_name: draft.name.trim(),
      ...(force ? { force } : {}),
    },
    quiet: true,
  });
}

function createFixed(id: number, draft: Draft, force: boolean): Promise<ScenarioCopy[]> {
  return request<ScenarioCopy[]>(`/scenarios/${id}/create_fixed_runs`, {
    method: "POST",
    body: {
      copy_items: draft.items,
      from_date: draft.from,
      to_date: draft.until,
      number_of_copies: Number(draft.copies),
      days: draft.days,
      scenario_name: draft.name.trim(),
      ...(force ? { force } : {}),
    },
    quiet: true,
  });
}

interface InputProps<T> {
  value: T;
  onChange: (value: T) => void;
}

function DateInput({ label, value, onChange }: InputProps<string> & { label: string }): ReactNode {
  return <DayField label={label} value={value} onChange={onChange} />;
}

function Days({ value, onChange }: InputProps<readonly DayOfWeek[]>): ReactNode {
  return (
    <Box sx={{ gridColumn: "1 / -1" }}>
      <Typography variant="subtitle2" sx={{ mb: 0.5 }}>
        {texts.scenarios.weekdays}
      </Typography>
      <ToggleButtonGroup
        size="small"
        value={[...value]}
        aria-label={texts.scenarios.weekdays}
        onChange={(_, days: DayOfWeek[]) => onChange(days)}
      >
        {DAYS_OF_WEEK.map((day) => (
          <ToggleButton key={day} value={day} sx={{ textTransform: "capitalize" }}>
            {day.slice(0, 3)}
          </ToggleButton>
        ))}
      </ToggleButtonGroup>
    </Box>
  );
}

function Items({ value, onChange }: InputProps<readonly CopyItem[]>): ReactNode {
  return (
    <FormGroup row sx={{ gridColumn: "1 / -1" }} aria-label={texts.scenarios.copyItems}>
      {COPY_ITEMS.map((item) => (
        <FormControlLabel
          key={item}
          control={
            <Checkbox
              checked={value.includes(item)}
              onChange={(_, checked) =>
                onChange(checked ? [...value, item] : value.filter((other) => other !== item))
              }
            />
          }
          label={texts.scenarios.items[item]}
        />
      ))}
    </FormGroup>
  );
}
