import DiceIcon from "@mui/icons-material/CasinoOutlined";
import { Box, Button, IconButton, InputAdornment, TextField, Tooltip, Typography } from "@mui/material";
import { type Job, texts, randomUid } from "@routewright/web";
import { type ReactNode, useState } from "react";
import { type ExtraField, extraFieldProblems, ExtraFieldsEditor } from "../fields/ExtraFieldsEditor.tsx";
import { ConfirmDialog } from "../ui/ConfirmDialog.tsx";
import { useChanged, useUnsaved } from "../ui/unsaved.tsx";
import { type Attachment, deleteAttachment, saveAttachment, uidProblem } from "./attachments.ts";
import { textOrNull } from "../fields/text.ts";

interface AttachmentFormProps {
  kind: "units" | "returns";
  job: Job;
  attachment: Attachment | null;
  onDone: () => void;
}

/** 'Add unit' / 'Edit unit', 'Add return' / 'Edit return'. */
export function AttachmentForm({ kind, job, attachment, onDone }: AttachmentFormProps): ReactNode {
  const [uid, setUid] = useState(attachment?.uid ?? "");
  const [fields, setFields] = useState({
    name: attachment?.name ?? "",
    invoice: attachment?.invoice ?? "",
    reference: attachment?.reference ?? "",
    comments: attachment?.comments ?? "",
  });
  const [extra, setExtra] = useState<ExtraField[]>(
    Object.entries(attachment?.extra_fields ?? {}).map(([name, value]) => ({ name, value })),
  );
  const [checked, setChecked] = useState(false);
  const [asking, setAsking] = useState(false);
  const [saving, setSaving] = useState(false);
  useUnsaved(useChanged({ uid, fields, extra }));
  const problem = uidProblem(uid);
  // A repeated name is ignored here; only a missing one has to be repaired.
  const extraProblems = extraFieldProblems(extra).map((text) =>
    text === texts.checks.fieldName ? text : undefined,
  );
  const unit = kind === "units";
  const inputs = unit ? (["name", "invoice", "reference"] as const) : (["comments"] as const);
  const labels = {
    name: texts.attachments.unitName,
    invoice: texts.jobs.fields.invoice,
    reference: texts.jobs.fields.reference,
    comments: texts.attachments.comments,
  };
  const save = async (): Promise<void> => {
    setChecked(true);
    if (problem !== null || extraProblems.some((text) => text !== undefined)) return;
    setSaving(true);
    try {
      await saveAttachment(kind, job, attachment, {
        uid: uid.trim(),
        name: textOrNull(fields.name),
        invoice: textOrNull(fields.invoice),
        reference: textOrNull(fields.reference),
        comments: textOrNull(fields.comments),
        extra_fields: firstOfEachName(extra),
      });
      onDone();
    } catch {
      setSaving(false);
    }
  };
  const title = titleOf(unit, attachment === null);
  return (
    <Box sx={{ display: "grid", gap: 1.5, p: 1.5, border: 1, borderColor: "divider", borderRadius: 1 }}>
      <Typography variant="subtitle2">{title}</Typography>
      <Box sx={{ display: "grid", gap: 1.5, gridTemplateColumns: { xs: "1fr", sm: "1fr 1fr" } }}>
        <TextField
          autoFocus
          required
          label={unit ? texts.attachments.unitUid : texts.jobs.fields.uid}
          value={uid}
          onChange={(event) => setUid(event.target.value)}
          error={checked && problem !== null}
          helperText={checked ? problem : undefined}
          slotProps={{
            input: {
              endAdornment: unit && (
                <InputAdornment position="end">
                  <Tooltip title={texts.attachments.generateUid}>
                    <IconButton
                      aria-label={texts.attachments.generateUid}
                      onClick={() => setUid(randomUid())}
                    >
                      <DiceIcon fontSize="small" />
                    </IconButton>
                  </Tooltip>
                </InputAdornment>
              ),
            },
          }}
        />
        {inputs.map((name) => (
          <TextField
            key={name}
            label={labels[name]}
            value={fields[name]}
            onChange={(event) => setFields({ ...fields, [name]: event.target.value })}
          />
        ))}
      </Box>
      <ExtraFieldsEditor fields={extra} onChange={setExtra} problems={checked ? extraProblems : []} />
      <Box sx={{ display: "flex", gap: 1, justifyContent: "flex-end" }}>
        {/* Returns are deleted in the list. */}
        {unit && attachment !== null && (
          <Button color="error" sx={{ mr: "auto" }} onClick={() => setAsking(true)}>
            {texts.common.delete}
          </Button>
        )}
        <Button onClick={onDone}>{texts.common.cancel}</Button>
        <Button variant="contained" loading={saving} onClick={() => void save()}>
          {texts.common.save}
        </Button>
      </Box>
      {asking && attachment !== null && (
        <ConfirmDialog
          title={texts.attachments.deleteQuestion}
          text={attachment.uid}
          onClose={() => setAsking(false)}
          choices={[
            {
              label: texts.common.delete,
              colour: "error",
              act: () => void deleteAttachment(kind, job, attachment.id).then(onDone, () => setAsking(false)),
            },
          ]}
        />
      )}
    </Box>
  );
}

function titleOf(unit: boolean, isNew: boolean): string {
  if (unit) return isNew ? texts.attachments.addUnit : texts.attachments.editUnit;
  return isNew ? texts.attachments.addReturn : texts.attachments.editReturn;
}

function firstOfEachName(fields: readonly ExtraField[]): Record<string, string> {
  const result: Record<string, string> = {};
  for (const { name, value } of fields) result[name.trim()] ??= value;
  return result;
}
