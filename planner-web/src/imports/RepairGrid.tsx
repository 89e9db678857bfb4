import DeleteIcon from "@mui/icons-material/DeleteOutlined";
import { Alert, Box, FormControlLabel, Switch } from "@mui/material";
import { DataGrid, GridActionsCellItem, type GridColDef } from "@mui/x-data-grid";
import { fill, type ImportRowError, texts } from "@routewright/web";
import { type ReactNode, useMemo, useState } from "react";
import { headerOf, type Mapping, type Row } from "./mapping.ts";
import { IGNORE } from "./targets.ts";

interface GridRow {
  id: number;
  problem: string;
  cells: Row;
}

interface RepairGridProps {
  rows: Row[];
  mapping: Mapping;
  errors: readonly ImportRowError[];
  onChange: (rows: Row[]) => void;
}

/** All faulty rows with their faulty cells marked; every cell can be repaired. */
export function RepairGrid({ rows, mapping, errors, onChange }: RepairGridProps): ReactNode {
  const [onlyFaulty, setOnlyFaulty] = useState(true);
  // Rows that the user left out keep their place, so that the errors still point at the right ones.
  const [current, setCurrent] = useState<(Row | null)[]>(rows);
  const [repaired, setRepaired] = useState<ReadonlySet<string>>(new Set());
  const faults = useMemo(() => faultsByCell(errors, mapping), [errors, mapping]);
  const faultyRows = new Set(errors.map((error) => error.row - 1));

  const change = (next: (Row | null)[]): void => {
    setCurrent(next);
    onChange(next.filter((row) => row !== null));
  };
  const gridRows = current.flatMap<GridRow>((cells, id) => {
    if (cells === null || (onlyFaulty && !faultyRows.has(id))) return [];
    return [{ id, cells, problem: problemsOfRow(errors, id) }];
  });
  const columns = useMemo<GridColDef<GridRow>[]>(() => {
    const mapped = Object.keys(mapping).filter((header) => mapping[header] !== IGNORE);
    // What needs a correction stands beside its reason, not behind a scrollbar.
    const needing = new Set(errors.map(({ field }) => headerOf(mapping, field)));
    mapped.sort((one, other) => Number(needing.has(other)) - Number(needing.has(one)));
    return [
      { field: "row", headerName: texts.imports.row, width: 60, valueGetter: (_, row) => row.id + 2 },
      { field: "problem", headerName: texts.imports.fault, width: 320, cellClassName: "wrapped" },
      ...mapped.map<GridColDef<GridRow>>((header) => ({
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
      })),
    ];
  }, [mapping, errors]);
  const actions: GridColDef<GridRow> = {
    field: "actions",
    type: "actions",
    width: 56,
    getActions: ({ row }) => [
      <GridActionsCellItem
        key="remove"
        icon={<DeleteIcon />}
        label={texts.imports.removeRow}
        onClick={() => change(current.map((cells, id) => (id === row.id ? null : cells)))}
      />,
    ],
  };
  return (
    <Box sx={{ display: "grid", gap: 1, minWidth: 0 }}>
      <Alert
        severity="info"
        action={
          <FormControlLabel
            control={<Switch checked={onlyFaulty} onChange={(_, checked) => setOnlyFaulty(checked)} />}
            label={texts.imports.onlyFaulty}
          />
        }
      >
        {fill(texts.imports.faultyRows, { n: faultyRows.size, total: rows.length })}
      </Alert>
      <Box
        sx={{
          height: 360,
          minWidth: 0,
          "& .MuiDataGrid-cell": { py: 0.75 },
          "& .wrapped": { whiteSpace: "normal" },
          "& .MuiDataGrid-actionsCell": { alignItems: "start", height: "auto" },
          "& .faulty": { bgcolor: "error.main", color: "error.contrastText" },
        }}
      >
        <DataGrid
          density="compact"
          rows={gridRows}
          columns={[actions, ...columns]}
          getRowHeight={() => "auto"}
          disableRowSelectionOnClick
          getCellClassName={({ id, field }) =>
            faults.has(`${id}|${field}`) && !repaired.has(`${id}|${field}`) ? "faulty" : ""
          }
          processRowUpdate={(next, previous) => {
            const touched = Object.keys(next.cells).filter(
              (header) => next.cells[header] !== previous.cells[header],
            );
            setRepaired(new Set([...repaired, ...touched.map((header) => `${next.id}|cell:${header}`)]));
            change(current.map((cells, id) => (id === next.id ? next.cells : cells)));
            return next;
          }}
        />
      </Box>
    </Box>
  );
}

function faultsByCell(errors: readonly ImportRowError[], mapping: Mapping): Set<string> {
  const faults = new Set<string>();
  for (const { row, field } of errors) {
    const header = headerOf(mapping, field);
    faults.add(header === null ? `${row - 1}|problem` : `${row - 1}|cell:${header}`);
  }
  return faults;
}

function problemsOfRow(errors: readonly ImportRowError[], row: number): string {
  return errors
    .filter((error) => error.row - 1 === row)
    .map(({ field, message }) => `${field}: ${message}`)
    .join(" · ");
}
