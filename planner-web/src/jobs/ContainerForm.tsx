import { Autocomplete, Box, Button, TextField, Typography } from "@mui/material";
import { type Job, texts } from "@routewright/web";
import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { type ExtraField, extraFieldProblems, ExtraFieldsEditor } from "../fields/ExtraFieldsEditor.tsx";
import { useChanged, useUnsaved } from "../ui/unsaved.tsx";
import { type Attachment, saveContainer, uidProblem, unitsKey, units } from "./attachments.ts";

interface ContainerFormProps {
  job: Job;
  container: Attachment | null;
  onDone: () => void;
}

/** A container and which of the job's units are in it. Through them it belongs to the job. */
export function ContainerForm({ job, container, onDone }: ContainerFormProps): ReactNode {
  // A container that was made stays the same one when putting units into it fails and is tried again.
  const [id, setId] = useState(container?.id ?? null);
  const [uid, setUid] = useState(container?.uid ?? "");
  const [picked, setPicked] = useState<number[] | null>(null);
  const [extra, setExtra] = useState<ExtraField[]>(
    Object.entries(container?.extra_fields ?? {}).map(([name, value]) => ({ name, value })),
  );
  const [checked, setChecked] = useState(false);
  const [saving, setSaving] = useState(false);
  useUnsaved(useChanged({ uid, picked, extra }));
  const { data: choices = [] } = useQuery({
    queryKey: unitsKey(job.id),
    queryFn: () => units.all({ job_id: job.id }),
  });
  const before = choices.filter((unit) => id !== null && unit.container_id === id).map((unit) => unit.id);
  const chosen = picked ?? before;
  const problem = uidProblem(uid);
  const empty = chosen.length === 0;
  const extraProblems = extraFieldProblems(extra);
  const save = async (): Promise<void> => {
    setChecked(true);
    if (problem !== null || empty || extraProblems.some((text) => text !== undefined)) return;
    setSaving(true);
    const fields = {
      uid: uid.trim(),
      extra_fields: Object.fromEntries(extra.map(({ name, value }) => [name.trim(), value])),
    };
    try {
      await saveContainer(job, id, fields, { before, after: chosen }, setId);
      onDone();
    } catch {
      setSaving(false);
    }
  };
  return (
    <Box sx={{ display: "grid", gap: 1.5, p: 1.5, border: 1, borderColor: "divider", borderRadius: 1 }}>
      <Typography variant="subtitle2">
        {container === null ? texts.attachments.addContainer : texts.attachments.editContainer}
      </Typography>
      <TextField
        autoFocus
        required
        label={texts.jobs.fields.uid}
        value={uid}
        onChange={(event) => setUid(event.target.value)}
        error={checked && problem !== null}
        helperText={checked ? problem : undefined}
      />
      <Autocomplete
        multiple
        disableCloseOnSelect
        options={choices}
        value={choices.filter((unit) => chosen.includes(unit.id))}
        getOptionLabel={(unit) => unit.uid}
        noOptionsText={texts.attachments.noUnits}
        onChange={(_, value) => setPicked(value.map((unit) => unit.id))}
        renderInput={(parameters) => (
          <TextField
            {...parameters}
            required
            label={texts.attachments.units}
            error={checked && empty}
            helperText={checked && empty ? texts.attachments.unitNeeded : undefined}
          />
        )}
      />
      <ExtraFieldsEditor fields={extra} onChange={setExtra} problems={checked ? extraProblems : []} />
      <Box sx={{ display: "flex", gap: 1, justifyContent: "flex-end" }}>
        <Button onClick={onDone}>{texts.common.cancel}</Button>
        <Button variant="contained" loading={saving} onClick={() => void save()}>
          {texts.common.save}
        </Button>
      </Box>
    </Box>
  );
}
