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
import { fill, messageOfError, texts, toastError, toastLoading, toastSuccess } from "@routewright/web";
import { type ReactNode, useState } from "react";
import { driverOfRow } from "../drivers/driver-fields.ts";
import { keys } from "../plan/keys.ts";
import { drivers, useDrivers } from "../plan/queries.ts";
import { Modal } from "../shell/Modal.tsx";
import { queryClient } from "../shell/query-client.ts";
import { FileChooser } from "./FileChooser.tsx";
import { type FileContent, readFile } from "./read-file.ts";
import { normalised } from "./targets.ts";

interface Failure {
  uid: string;
  message: string;
}

/** Imports drivers from a file with our own headers; drivers whose uid exists are updated. */
export function DriverImportDialog({ onClose }: { onClose: () => void }): ReactNode {
  const { data: existing = [] } = useDrivers();
  const [file, setFile] = useState<FileContent | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [failures, setFailures] = useState<Failure[]>([]);
  const [sending, setSending] = useState(false);

  const choose = async (chosen: File): Promise<void> => {
    setProblem(null);
    setFailures([]);
    try {
      const content = await readFile(chosen);
      const rows = content.rows.map((row) =>
        Object.fromEntries(Object.entries(row).map(([header, value]) => [normalised(header), value])),
      );
      setFile({ ...content, headers: content.headers.map(normalised), rows });
    } catch (error) {
      setProblem(messageOfError(error));
    }
  };

  const send = async (content: FileContent): Promise<void> => {
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
        <FileChooser accept=".csv,.txt,.xlsx" problem={problem} onChoose={(chosen) => void choose(chosen)} />
      ) : (
        <Box sx={{ display: "grid", gap: 2 }}>
          {failures.map(({ uid, message }, index) => (
            <Alert key={index} severity="error">{`${uid}: ${message}`}</Alert>
          ))}
          <Typography color="textSecondary">
            {fill(texts.imports.rowsFound, { n: file.rows.length, file: file.name })}
          </Typography>
          <Preview file={file} />
        </Box>
      )}
    </Modal>
  );
}

function Preview({ file }: { file: FileContent }): ReactNode {
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
