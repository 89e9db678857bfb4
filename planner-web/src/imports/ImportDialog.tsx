import { Alert, Box, Button, Typography } from "@mui/material";
import {
  type FileContent,
  type FileRow,
  fill,
  type ImportAnswer,
  type MissingClient,
  readFile,
  type ReadingChoice,
  ReadingOptions,
  saveFile,
  texts,
} from "@routewright/web";
import { type ReactNode, useCallback, useState } from "react";
import { reloadAddressesToConfirm } from "../locations/addresses.ts";
import { usePlanContext } from "../plan/context.ts";
import { openDialog } from "../plan/dialogs.ts";
import { reloadPlan } from "../plan/queries.ts";
import { selectJobs } from "../plan/selection.ts";
import { ConfirmDialog } from "../ui/ConfirmDialog.tsx";
import { Modal } from "../ui/Modal.tsx";
import { CreateClientsDialog } from "./CreateClientsDialog.tsx";
import { FileChooser } from "./FileChooser.tsx";
import { DuplicateChoice, FailureAlert, ToConfirmAlert, UndefinedIcon } from "./ImportParts.tsx";
import { keptFile } from "./kept-file.ts";
import { firstMapping, incompleteHeaders, type Mapping, missingTargets, unknownHeaders } from "./mapping.ts";
import { MappingSummary } from "./MappingSummary.tsx";
import { afterEdit, afterRemoval, type Repair, repairOfAnswer, repairOfReading } from "./repair.ts";
import { RepairGrid } from "./RepairGrid.tsx";
import { targetLabel } from "./targets.ts";
import { TemplateButtons } from "./TemplateButtons.tsx";
import { accountOf, type OnDuplicate, uploadRows } from "./upload.ts";

interface Work {
  file: FileContent;
  rows: FileRow[];
  mapping: Mapping;
  repair: Repair;
  missingClients: MissingClient[];
  /** The service refused the rows as they were sent. */
  refused: boolean;
  /** What a partial import did. */
  done: ImportAnswer | null;
  /** Something was typed or left out that closing would lose. */
  touched: boolean;
  /** Counts the answers, so that the grid starts anew with each. */
  answers: number;
}

function workOf(file: FileContent): Work {
  return {
    file,
    rows: file.rows,
    mapping: firstMapping(file),
    repair: repairOfReading(file.faults),
    missingClients: [],
    refused: false,
    done: null,
    touched: false,
    answers: 0,
  };
}

/** Imports jobs: choose a file or paste cells, look at its columns, repair what is refused, and send again. */
export function ImportDialog({ onClose }: { onClose: () => void }): ReactNode {
  const { scenarioId } = usePlanContext();
  const [work, setWork] = useState<Work | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [onDuplicate, setOnDuplicate] = useState<OnDuplicate>("update");
  const [busy, setBusy] = useState(false);
  const [creating, setCreating] = useState(false);
  const [asked, setAsked] = useState<(() => void) | null>(null);

  const read = useCallback(async (source: Blob, name: string, choice?: ReadingChoice): Promise<void> => {
    setProblem(null);
    setBusy(true);
    try {
      setWork(workOf(await readFile(source, name, "jobs", choice)));
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error));
    } finally {
      setBusy(false);
    }
  }, []);
  /** Does what would lose corrections only after a question. */
  const orAsk = (act: () => void): void => {
    if (work?.touched === true || (work?.done != null && work.rows.length > 0)) setAsked(() => act);
    else act();
  };

  const send = async (partial: boolean): Promise<void> => {
    if (work === null || scenarioId === null) return;
    setBusy(true);
    const { rows, mapping } = work;
    const { unsure } = work.repair;
    const result = await uploadRows(rows, { mapping, scenarioId, onDuplicate, partial, unsure });
    setBusy(false);
    if (result.kind === "failed") return;
    const told = result.kind === "done" ? result.answer : result.failure;
    const repair = repairOfAnswer(told.row_errors, told.kept_rows, rows, mapping, unsure);
    const answers = work.answers + 1;
    const after = { ...work, repair, missingClients: told.missing_clients, answers };
    if (result.kind === "refused") {
      setWork({ ...after, refused: true });
      return;
    }
    await reloadPlan(scenarioId);
    selectJobs(result.answer.job_ids.length <= 200 ? result.answer.job_ids : []);
    if (result.answer.to_confirm > 0) void reloadAddressesToConfirm();
    if (result.answer.refused === 0) {
      onClose();
      if (result.answer.to_confirm > 0) openDialog({ kind: "addresses" });
      return;
    }
    const kept = new Set(repair.kept);
    setWork({
      ...after,
      rows: rows.filter(({ number }) => kept.has(number)),
      refused: false,
      done: result.answer,
      touched: false,
    });
  };

  const missing = work === null ? [] : missingTargets(work.mapping);
  const incomplete = work !== null && (missing.length > 0 || incompleteHeaders(work.mapping).length > 0);
  const importable = work === null ? 0 : work.rows.length - work.repair.kept.length;
  const partly = work !== null && importable > 0 && work.repair.kept.length > 0;
  return (
    <Modal
      title={work?.refused === true ? texts.imports.mappingTitle : texts.imports.title}
      width={work === null ? 560 : "75%"}
      sticky
      onClose={() => orAsk(onClose)}
      actions={
        work !== null && (
          <>
            <DuplicateChoice value={onDuplicate} onChange={setOnDuplicate} />
            <Button onClick={() => orAsk(() => setWork(null))}>{texts.imports.choose}</Button>
            <Button
              variant="contained"
              loading={busy}
              disabled={missing.length > 0 || work.rows.length === 0}
              startIcon={incomplete && <UndefinedIcon />}
              onClick={() => void send(partly)}
            >
              {partly
                ? fill(texts.imports.importValid, { n: importable, kept: work.repair.kept.length })
                : texts.imports.import}
            </Button>
          </>
        )
      }
    >
      {work === null ? (
        <FileChooser
          accept=".csv,.txt,.tsv,.xlsx"
          problem={problem}
          busy={busy}
          onChoose={(source, name) => void read(source, name)}
        >
          <TemplateButtons />
        </FileChooser>
      ) : (
        <Box sx={{ display: "grid", gap: 2, minWidth: 0 }}>
          {problem !== null && <Alert severity="error">{problem}</Alert>}
          {work.done !== null && <Alert severity="success">{accountOf(work.done)}</Alert>}
          {work.done !== null && work.done.to_confirm > 0 && (
            <ToConfirmAlert n={work.done.to_confirm} onLook={() => openDialog({ kind: "addresses" })} />
          )}
          {(work.refused || work.missingClients.length > 0) && (
            <FailureAlert
              key={work.answers}
              refused={work.refused}
              missingClients={work.missingClients}
              onCreateClients={() => setCreating(true)}
            />
          )}
          <Typography color="textSecondary">
            {fill(texts.imports.rowsFound, { n: work.rows.length, file: work.file.name })}
          </Typography>
          {missing.length > 0 && (
            <Alert severity="warning">
              {fill(texts.imports.missingTargets, { fields: missing.map(targetLabel).join(", ") })}
            </Alert>
          )}
          <ReadingOptions
            file={work.file}
            busy={busy}
            onChange={(choice) => orAsk(() => void read(work.file.source, work.file.name, choice))}
          />
          {work.repair.kept.length > 0 || (work.touched && work.refused) ? (
            <RepairGrid
              key={`${work.answers} ${work.file.encoding} ${work.file.delimiter} ${work.file.sheet} ${work.file.headingRow}`}
              rows={work.rows}
              mapping={work.mapping}
              repair={work.repair}
              onEdit={(number, cells, headers) =>
                setWork((before) =>
                  before === null
                    ? null
                    : {
                        ...before,
                        rows: before.rows.map((row) => (row.number === number ? { ...row, cells } : row)),
                        repair: afterEdit(before.repair, number, headers),
                        touched: true,
                      },
                )
              }
              onRemove={(number) =>
                setWork((before) =>
                  before === null
                    ? null
                    : {
                        ...before,
                        rows: before.rows.filter((row) => row.number !== number),
                        repair: afterRemoval(before.repair, number),
                        touched: true,
                      },
                )
              }
              onDownload={() => {
                const kept = new Set(work.repair.kept);
                const rows = work.rows.filter(({ number }) => kept.has(number));
                void keptFile(work.file.headers, rows).then((bytes) =>
                  saveFile(bytes, texts.imports.keptName),
                );
              }}
            />
          ) : null}
          <MappingSummary
            file={work.file}
            rows={work.rows}
            mapping={work.mapping}
            open={incomplete || work.refused || unknownHeaders(work.file, work.mapping).length > 0}
            onChange={(mapping) => setWork({ ...work, mapping })}
          />
        </Box>
      )}
      {creating && work !== null && (
        <CreateClientsDialog
          missing={work.missingClients}
          onClose={() => setCreating(false)}
          onCreated={() => {
            setCreating(false);
            // The same upload is repeated; one that was partial stays so.
            void send(work.done !== null);
          }}
        />
      )}
      {asked !== null && (
        <ConfirmDialog
          title={texts.imports.loseTitle}
          text={texts.imports.loseText}
          onClose={() => setAsked(null)}
          choices={[
            {
              label: texts.imports.lose,
              colour: "error",
              act: () => {
                setAsked(null);
                asked();
              },
            },
          ]}
        />
      )}
    </Modal>
  );
}
