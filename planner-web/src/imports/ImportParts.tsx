import { Alert, Button, MenuItem, TextField, Tooltip } from "@mui/material";
import WarningIcon from "@mui/icons-material/WarningAmber";
import { fill, type MissingClient, texts } from "@routewright/web";
import { type ReactNode, useEffect, useRef } from "react";
import type { OnDuplicate } from "./upload.ts";

/** Beside the button while a column goes nowhere complete. */
export function UndefinedIcon(): ReactNode {
  return (
    <Tooltip title={texts.imports.notAllDefined}>
      <WarningIcon fontSize="small" titleAccess={texts.imports.notAllDefined} />
    </Tooltip>
  );
}

interface FailureAlertProps {
  /** Nothing was imported. */
  refused: boolean;
  missingClients: readonly MissingClient[];
  onCreateClients: () => void;
}

/** Why rows were not imported, and the way out when clients are missing. */
export function FailureAlert({ refused, missingClients, onCreateClients }: FailureAlertProps): ReactNode {
  const alert = useRef<HTMLDivElement>(null);
  // The import button was disabled while it worked and lost the focus: the reader goes on at the reason.
  useEffect(() => alert.current?.focus(), []);
  return (
    <>
      {refused && (
        <Alert ref={alert} severity="error" tabIndex={-1}>
          {texts.imports.failed}
        </Alert>
      )}
      {missingClients.length > 0 && (
        <Alert
          severity="warning"
          action={
            <Button color="inherit" onClick={onCreateClients}>
              {texts.imports.createClients}
            </Button>
          }
        >
          {texts.imports.missingClients}
        </Alert>
      )}
    </>
  );
}

/** Imported rows stand where the address search took them to be. */
export function ToConfirmAlert({ n, onLook }: { n: number; onLook: () => void }): ReactNode {
  return (
    <Alert
      severity="warning"
      action={
        <Button color="inherit" onClick={onLook}>
          {texts.imports.lookAtAddresses}
        </Button>
      }
    >
      {fill(texts.imports.toConfirm, { n })}
    </Alert>
  );
}

interface DuplicateChoiceProps {
  value: OnDuplicate;
  onChange: (value: OnDuplicate) => void;
}

/** What happens with jobs that are there already. */
export function DuplicateChoice({ value, onChange }: DuplicateChoiceProps): ReactNode {
  const options = Object.keys(texts.imports.onDuplicate) as OnDuplicate[];
  return (
    <TextField
      select
      label={texts.imports.duplicates}
      value={value}
      onChange={(event) => onChange(event.target.value as OnDuplicate)}
      sx={{ mr: "auto", width: 220 }}
    >
      {options.map((option) => (
        <MenuItem key={option} value={option}>
          {texts.imports.onDuplicate[option]}
        </MenuItem>
      ))}
    </TextField>
  );
}
