import { Alert, Box, Button, MenuItem, TextField, Tooltip, Typography } from "@mui/material";
import WarningIcon from "@mui/icons-material/WarningAmber";
import { fill, type ImportFailure, texts } from "@routewright/web";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { usePlanContext } from "../plan/context.ts";
import { reloadPlan } from "../plan/queries.ts";
import { selectJobs } from "../plan/selection.ts";
import { Modal } from "../shell/Modal.tsx";
import { CreateClientsDialog } from "./CreateClientsDialog.tsx";
import { FileChooser } from "./FileChooser.tsx";
import {
  examplesOf,
  firstMapping,
  incompleteHeaders,
  type Mapping,
  missingTargets,
  rememberedMapping,
  rememberMapping,
  type Row,
} from "./mapping.ts";
import { MappingTable } from "./MappingTable.tsx";
import { type FileContent, readFile } from "./read-file.ts";
import { RepairGrid } from "./RepairGrid.tsx";
import { type OnDuplicate, uploadRows } from "./upload.ts";

interface Work {
  file: FileContent;
  rows: Row[];
  mapping: Mapping;
  failure: ImportFailure | null;
}

/** Imports jobs: choose a file, map its columns, repair what the server refuses, and send again. */
export function ImportDialog({ onClose }: { onClose: () => void }): ReactNode {
  const { scenarioId } = usePlanContext();
  const [work, setWork] = useState<Work | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [onDuplicate, setOnDuplicate] = useState<OnDuplicate>("update");
  const [sending, setSending] = useState(false);
  const [creating, setCreating] = useState(false);

  const choose = async (chosen: File): Promise<void> => {
    setProblem(null);
    try {
      const file = await readFile(chosen);
      const mapping = firstMapping(file.headers, rememberedMapping(file.headers));
      setWork({ file, rows: file.rows, mapping, failure: null });
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error));
    }
  };

  const send = async (): Promise<void> => {
    if (work === null || scenarioId === null) return;
    setSending(true);
    rememberMapping(work.file.headers, work.mapping);
    const result = await uploadRows(work.rows, work.mapping, scenarioId, onDuplicate);
    setSending(false);
    if (result.kind === "refused") setWork({ ...work, failure: result.failure });
    if (result.kind !== "done") return;
    await reloadPlan(scenarioId);
    selectJobs(result.answer.job_ids.length <= 200 ? result.answer.job_ids : []);
    onClose();
  };

  const missing = work === null ? [] : missingTargets(work.mapping);
  const undefinedFields = work !== null && (missing.length > 0 || incompleteHeaders(work.mapping).length > 0);
  return (
    <Modal
      title={work?.failure == null ? texts.imports.title : texts.imports.mappingTitle}
      width={work === null ? 560 : "75%"}
      sticky
      onClose={onClose}
      actions={
        work !== null && (
          <>
            <DuplicateChoice value={onDuplicate} onChange={setOnDuplicate} />
            <Button onClick={() => setWork(null)}>{texts.imports.choose}</Button>
            <Button
              variant="contained"
              loading={sending}
              disabled={missing.length > 0}
              startIcon={undefinedFields && <UndefinedIcon />}
              onClick={() => void send()}
            >
              {texts.imports.import}
            </Button>
          </>
        )
      }
    >
      {work === null ? (
        <FileChooser accept=".csv,.txt,.xlsx" problem={problem} onChoose={(file) => void choose(file)} />
      ) : (
        <Box sx={{ display: "grid", gap: 2, minWidth: 0 }}>
          {work.failure !== null && (
            <FailureAlert failure={work.failure} onCreateClients={() => setCreating(true)} />
          )}
          <Typography color="textSecondary">
            {fill(texts.imports.rowsFound, { n: work.rows.length, file: work.file.name })}
          </Typography>
          {missing.length > 0 && (
            <Alert severity="warning">
              {fill(texts.imports.missingTargets, { fields: missing.join(", ") })}
            </Alert>
          )}
          {work.failure !== null && work.failure.row_errors.length > 0 && (
            <RepairGrid
              key={JSON.stringify(work.failure.row_errors)}
              rows={work.rows}
              mapping={work.mapping}
              errors={work.failure.row_errors}
              onChange={(rows) => setWork({ ...work, rows })}
            />
          )}
          <MappingTable
            headers={work.file.headers}
            example={examplesOf(work.file.headers, work.rows)}
            mapping={work.mapping}
            onChange={(mapping) => setWork({ ...work, mapping })}
          />
        </Box>
      )}
      {creating && work?.failure != null && (
        <CreateClientsDialog
          missing={work.failure.missing_clients}
          onClose={() => setCreating(false)}
          onCreated={() => {
            setCreating(false);
            void send();
          }}
        />
      )}
    </Modal>
  );
}

function UndefinedIcon(): ReactNode {
  return (
    <Tooltip title={texts.imports.notAllDefined}>
      <WarningIcon fontSize="small" titleAccess={texts.imports.notAllDefined} />
    </Tooltip>
  );
}

function FailureAlert({
  failure,
  onCreateClients,
}: {
  failure: ImportFailure;
  onCreateClients: () => void;
}): ReactNode {
  const alert = useRef<HTMLDivElement>(null);
  // The import button was disabled while it worked and lost the focus: the reader goes on at the reason.
  useEffect(() => alert.current?.focus(), [failure]);
  return (
    <>
      <Alert ref={alert} severity="error" tabIndex={-1}>
        {texts.imports.failed}
      </Alert>
      {failure.missing_clients.length > 0 && (
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

function DuplicateChoice({
  value,
  onChange,
}: {
  value: OnDuplicate;
  onChange: (value: OnDuplicate) => void;
}): ReactNode {
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
