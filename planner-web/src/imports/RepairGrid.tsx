import DeleteIcon from "@mui/icons-material/DeleteOutlined";
import DownloadIcon from "@mui/icons-material/FileDownloadOutlined";
import { Alert, Box, Button, FormControlLabel, Switch } from "@mui/material";
import { DataGrid, GridActionsCellItem, type GridColDef } from "@mui/x-data-grid";
import { type FileRow, fill, texts } from "@routewright/web";
import { type KeyboardEvent, type ReactNode, useMemo, useState } from "react";
import { headerOf, type Mapping } from "./mapping.ts";
import { faultsOfRow, faultyRows, type Repair } from "./repair.ts";
import { IGNORE, targetLabel } from "./targets.ts";

interface RepairGridProps {
  rows: readonly FileRow[];
  mapping: Mapping;
  repair: Repair;
  onEdit: (number: number, cells: FileRow["cells"], headers: readonly string[]) => void;
  onRemove: (number: number) => void;
  /** Saves the rows that are kept, to be corrected elsewhere. */
  onDownload: () => void;
}

/** All columns are drawn, so that those that stay in sight are there. */
const WIDEST = 20_000;
const ROW_WIDTH = 64;

/** All rows that are kept, with their faulty cells marked; every cell can be corrected, and the counts follow at once. */
export function RepairGrid(props: RepairGridProps): ReactNode {
  const { rows, mapping, repair, onEdit, onRemove, onDownload } = props;
  const [onlyFaulty, setOnlyFaulty] = useState(true);
  // Rows that were corrected stay in sight until the next import.
  const [seen] = useState(() => new Set([...repair.kept, ...repair.faults.map(({ number }) => number)]));
  const faulty = useMemo(
    () => new Set(repair.faults.map(({ number, header }) => `${number}|${header ?? "problem"}`)),
    [repair],
  );
  const shown = useMemo(
    () => (onlyFaulty ? rows.filter(({ number }) => seen.has(number)) : rows),
    [rows, onlyFaulty, seen],
  );
  const columns = useColumns(mapping, repair, seen);
  const actions: GridColDef<FileRow> = {
    field: "actions",
    type: "actions",
    width: 48,
    getActions: ({ row }) => [
      <GridActionsCellItem
        key="remove"
        icon={<DeleteIcon />}
        label={texts.imports.removeRow}
        onClick={() => onRemove(row.number)}
      />,
    ],
  };
  const [number, ...others] = columns;
  return (
    <Box sx={{ display: "grid", gap: 1, minWidth: 0 }}>
      <Alert
        severity={faultyRows(repair) === 0 ? "success" : "info"}
        sx={{ "& .MuiAlert-message": { flex: 1 } }}
      >
        <Box sx={{ display: "flex", flexWrap: "wrap", alignItems: "center", columnGap: 2 }}>
          <Box sx={{ flex: "1 1 240px" }} role="status">
            {faultyRows(repair) === 0
              ? texts.imports.allRepaired
              : fill(texts.imports.faultyRows, { n: faultyRows(repair), total: rows.length })}
          </Box>
          <FormControlLabel
            control={<Switch checked={onlyFaulty} onChange={(_, checked) => setOnlyFaulty(checked)} />}
            label={texts.imports.onlyFaulty}
          />
          <Button size="small" startIcon={<DownloadIcon />} onClick={onDownload}>
            {texts.imports.downloadKept}
          </Button>
        </Box>
      </Alert>
      <Box sx={GRID} onKeyDown={endEditingOnly}>
        <DataGrid
          density="compact"
          rows={shown}
          getRowId={(row) => row.number}
          columns={
            number === undefined ? others : [number, ...others.slice(0, 1), actions, ...others.slice(1)]
          }
          columnBufferPx={WIDEST}
          getRowHeight={() => "auto"}
          disableRowSelectionOnClick
          getCellClassName={({ id, field }) =>
            faulty.has(`${id}|${field.replace(/^cell:/, "")}`) ? "faulty" : ""
          }
          processRowUpdate={(next, previous) => {
            const touched = Object.keys(next.cells).filter(
              (header) => next.cells[header] !== previous.cells[header],
            );
            if (touched.length > 0) onEdit(next.number, next.cells, touched);
            return next;
          }}
        />
      </Box>
    </Box>
  );
}

/** Escape in a cell ends editing it, and does not reach the dialog around the grid. */
function endEditingOnly(event: KeyboardEvent): void {
  const cell = event.target instanceof Element && event.target.closest(".MuiDataGrid-cell--editing");
  if (event.key === "Escape" && cell !== null && cell !== false) event.stopPropagation();
}

const STUCK = { position: "sticky", zIndex: 6, bgcolor: "background.paper" };
const GRID = {
  height: { xs: 300, md: 360 },
  minWidth: 0,
  "& .MuiDataGrid-cell": { py: 0.75 },
  "& .wrapped": { whiteSpace: "normal" },
  "& .stuck-0": { ...STUCK, left: 0 },
  "& .stuck-1": { ...STUCK, left: ROW_WIDTH },
  "& .MuiDataGrid-actionsCell": { alignItems: "start", height: "auto" },
  "& .faulty": { bgcolor: "error.main", color: "error.contrastText" },
} as const;

/** Row number and uid, which stay in sight; then the faults, what they speak of, and the other columns. */
function useColumns(mapping: Mapping, repair: Repair, seen: ReadonlySet<number>): GridColDef<FileRow>[] {
  // What needs a correction stands beside its reason, and stays there while it is corrected.
  const [needing] = useState(() => new Set(repair.faults.map(({ header }) => header)));
  return useMemo(() => {
    const uid = headerOf(mapping, "uid");
    const mapped = Object.keys(mapping).filter((header) => mapping[header] !== IGNORE && header !== uid);
    mapped.sort((one, other) => Number(needing.has(other)) - Number(needing.has(one)));
    const cell = (header: string): GridColDef<FileRow> => ({
      field: `cell:${header}`,
      headerName: header,
      width: 150,
      editable: true,
      sortable: false,
      valueGetter: (_, row) => row.cells[header] ?? "",
      valueSetter: (value: unknown, row) => ({
        ...row,
        cells: { ...row.cells, [header]: typeof value === "string" ? value : "" },
      }),
    });
    const problem: GridColDef<FileRow> = {
      field: "problem",
      headerName: texts.imports.fault,
      width: 300,
      cellClassName: "wrapped",
      valueGetter: (_, row) => {
        const told = faultsOfRow(repair, row.number, targetLabel);
        if (told !== "") return told;
        if (repair.kept.includes(row.number)) return texts.imports.keptWith;
        return seen.has(row.number) ? texts.imports.corrected : "";
      },
    };
    return [
      {
        field: "row",
        headerName: texts.imports.row,
        width: ROW_WIDTH,
        headerClassName: "stuck-0",
        cellClassName: "stuck-0",
        valueGetter: (_, row) => row.number,
      },
      ...(uid === null
        ? []
        : [{ ...cell(uid), width: 130, headerClassName: "stuck-1", cellClassName: "stuck-1" }]),
      problem,
      ...mapped.map(cell),
    ];
  }, [mapping, repair, seen, needing]);
}
