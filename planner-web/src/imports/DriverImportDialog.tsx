import {
  Alert,
  Box,
  Button,
  Table,
  TableBody,
  TableCell,
  TableContainer,
  TableHead,
  TableRow,
  Typography,
} from "@mui/material";
import {
  type FileContent,
  fill,
  messageOfError,
  readFile,
  type ReadingChoice,
  ReadingOptions,
  texts,
  toastError,
  toastLoading,
  toastSuccess,
} from "@routewright/web";
import { type ReactNode, useCallback, useState } from "react";
import { driverOfRow } from "../drivers/driver-fields.ts";
import { keys } from "../plan/keys.ts";
import { drivers, useDrivers } from "../plan/queries.ts";
import { Modal } from "../ui/Modal.tsx";
import { queryClient } from "../ui/query-client.ts";
import { FileChooser } from "./FileChooser.tsx";

/** A file of drivers by the names of their fields. */
interface DriverFile {
  name: string;
  headers: string[];
  rows: Record<string, string>[];
  /** As it was read. */
  content: FileContent;
}

interface Failure {
  uid: string;
  message: string;
}

/** Imports drivers from a file with our own headers; drivers whose uid exists are updated. */
export function DriverImportDialog({ onClose }: { onClose: () => void }): ReactNode {
  const { data: existing = [] } = useDrivers();
  const [file, setFile] = useState<DriverFile | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [failures, setFailures] = useState<Failure[]>([]);
  const [sending, setSending] = useState(false);
  const [reading, setReading] = useState(false);

  const choose = useCallback(async (source: Blob, name: string, choice?: ReadingChoice): Promise<void> => {
    setProblem(null);
    setFailures([]);
    setReading(true);
    try {
      const content = await readFile(source, name, "drivers", choice);
      const { headers, rows, faults } = content;
      const [fault] = faults;
      if (fault !== undefined) {
        const place = { row: fault.number, column: fault.header ?? "", message: fault.message };
        throw new Error(fill(texts.imports.faultAt, place));
      }
      const fields = headers.map(normalised);
      const twice = fields.find((field, at) => fields.indexOf(field) < at);
      if (twice !== undefined) throw new Error(fill(texts.imports.sameHeader, { header: twice }));
      const byField = rows.map(({ cells }) =>
        Object.fromEntries(Object.entries(cells).map(([header, value]) => [normalised(header), value])),
      );
      setFile({ name, headers: fields, rows: byField, content });
    } catch (error) {
      setProblem(messageOfError(error));
    } finally {
      setReading(false);
    }
  }, []);

  const send = async (content: DriverFile): Promise<void> => {
    setSending(true);
    const total = content.rows.length;
    const id = toastLoading(fill(texts.imports.driversImporting, { n: 0, total }));
    const failed: { row: Record<string, string>; failure: Failure }[] = [];
    for (const [index, row] of content.rows.entries()) {
      const input = driverOfRow(row);
      const known = existing.find(({ uid }) => uid === input.uid);
      try {
        const options = { quiet: true };
        await (known === undefined
          ? drivers.create(input, options)
          : drivers.change(known.id, input, options));
      } catch (error) {
        failed.push({ row, failure: { uid: input.uid ?? "", message: messageOfError(error) } });
      }
      toastLoading(fill(texts.imports.driversImporting, { n: index + 1, total }), id);
    }
    await queryClient.invalidateQueries({ queryKey: keys.drivers });
    setSending(false);
    if (failed.length === 0) {
      toastSuccess(fill(texts.imports.driversDone, { n: total }), { id });
      onClose();
      return;
    }
    toastError(fill(texts.imports.driversFailed, { n: failed.length }), { id });
    setFailures(failed.map(({ failure }) => failure));
    setFile({ ...content, rows: failed.map(({ row }) => row) });
  };

  return (
    <Modal
      title={texts.imports.driversTitle}
      width={file === null ? 560 : "75%"}
      sticky
      onClose={onClose}
      actions={
        file !== null && (
          <>
            <Button onClick={() => setFile(null)}>{texts.imports.choose}</Button>
            <Button variant="contained" loading={sending} onClick={() => void send(file)}>
              {texts.imports.import}
            </Button>
          </>
        )
      }
    >
      {file === null ? (
        <FileChooser
          accept=".csv,.txt,.tsv,.xlsx"
          problem={problem}
          busy={reading}
          onChoose={(source, name) => void choose(source, name)}
        />
      ) : (
        <Box sx={{ display: "grid", gap: 2 }}>
          {problem !== null && <Alert severity="error">{problem}</Alert>}
          {failures.map(({ uid, message }, index) => (
            <Alert key={index} severity="error">{`${uid}: ${message}`}</Alert>
          ))}
          <Typography color="textSecondary">
            {fill(texts.imports.rowsFound, { n: file.rows.length, file: file.name })}
          </Typography>
          <ReadingOptions
            file={file.content}
            busy={reading || sending}
            onChange={(choice) => void choose(file.content.source, file.name, choice)}
          />
          <Preview file={file} />
        </Box>
      )}
    </Modal>
  );
}

/** Header in the form of field names: lower case, everything else as single underscores. */
function normalised(header: string): string {
  return header
    .trim()
    .toLowerCase()
    .replaceAll(/[^a-z0-9.:]+/g, "_")
    .replaceAll(/^[_.]+|[_.]+$/g, "");
}

function Preview({ file }: { file: DriverFile }): ReactNode {
  return (
    <TableContainer sx={{ maxHeight: 420, border: 1, borderColor: "divider", borderRadius: 1 }}>
      <Table stickyHeader>
        <TableHead>
          <TableRow>
            {file.headers.map((header) => (
              <TableCell key={header}>{header}</TableCell>
            ))}
          </TableRow>
        </TableHead>
        <TableBody>
          {file.rows.map((row, index) => (
            <TableRow key={index}>
              {file.headers.map((header) => (
                <TableCell key={header} sx={{ whiteSpace: "nowrap" }}>
                  {row[header]}
                </TableCell>
              ))}
            </TableRow>
          ))}
        </TableBody>
      </Table>
    </TableContainer>
  );
}
