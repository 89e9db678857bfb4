import { Table, TableBody, TableCell, TableHead, TableRow, Typography } from "@mui/material";
import { fill, type Job, type JobInput, texts } from "@routewright/web";
import type { ReactNode } from "react";
import { ConfirmDialog } from "../ui/ConfirmDialog.tsx";

interface DuplicateUidDialogProps {
  found: Job;
  /** What "Edit Existing" would write. */
  changes: JobInput;
  onEdit: () => void;
  onCreate: () => void;
  onClose: () => void;
}

/** Asks whether a job of the same uid is meant, and shows what would become of it. */
export function DuplicateUidDialog(props: DuplicateUidDialogProps): ReactNode {
  const { found, changes, onEdit, onCreate, onClose } = props;
  const rows = Object.entries(changes);
  return (
    <ConfirmDialog
      title={fill(texts.jobs.duplicateTitle, { uid: found.uid })}
      text={texts.jobs.duplicateText}
      width={640}
      onClose={onClose}
      choices={[
        { label: texts.jobs.createNew, primary: false, act: onCreate },
        { label: texts.jobs.editExisting, act: onEdit },
      ]}
    >
      {rows.length === 0 ? (
        <Typography color="textSecondary" sx={{ mt: 1 }}>
          {texts.jobs.nothingTyped}
        </Typography>
      ) : (
        <Table aria-label={texts.jobs.changesTitle} sx={{ mt: 1.5 }}>
          <TableHead>
            <TableRow>
              <TableCell>{texts.jobs.changesField}</TableCell>
              <TableCell>{texts.jobs.changesOld}</TableCell>
              <TableCell>{texts.jobs.changesNew}</TableCell>
            </TableRow>
          </TableHead>
          <TableBody>
            {rows.map(([name, value]) => (
              <TableRow key={name}>
                <TableCell>{labelOf(name)}</TableCell>
                <TableCell>{shown((found as unknown as Record<string, unknown>)[name])}</TableCell>
                <TableCell>{shown(value)}</TableCell>
              </TableRow>
            ))}
          </TableBody>
        </Table>
      )}
    </ConfirmDialog>
  );
}

function labelOf(name: string): string {
  if (name === "extra_fields") return texts.jobs.extraFields;
  if (name === "client_id") return texts.jobs.client;
  return (texts.jobs.fields as Readonly<Record<string, string>>)[name] ?? name;
}

/** A value as a person reads it. */
function shown(value: unknown): string {
  if (value === null || value === undefined || value === "") return "–";
  if (typeof value === "boolean") return value ? texts.common.yes : texts.common.no;
  if (typeof value === "string") return value;
  if (typeof value === "number") return String(value);
  if (typeof value !== "object") return "";
  if ("address" in value && typeof value.address === "string") return value.address;
  return Object.entries(value)
    .map(([name, text]) => `${name}: ${String(text)}`)
    .join("; ");
}
