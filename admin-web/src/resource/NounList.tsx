import { fill, isMaster, texts, toastWarning, useSession } from "@routewright/web";
import { Alert, Box, Button, Typography } from "@mui/material";
import {
  BulkExportButton,
  ColumnsButton,
  CreateButton,
  DataTable,
  ExportButton,
  FilterButton,
  List,
  Pagination,
  SearchInput,
  type Identifier,
  useCreatePath,
  type RaRecord,
  Link,
  useListContext,
  useRecordContext,
  useResourceDefinition,
} from "react-admin";
import type { MouseEvent } from "react";
import { useMayCreate, useMayDelete } from "../data/organisation.ts";
import { Cell } from "./Cell.tsx";
import { exportCsv } from "./csv.ts";
import { DeleteSelected } from "./DeleteSelected.tsx";
import { ExportMenu } from "./ExportMenu.tsx";
import { columnLabel } from "./labels.ts";
import type { Column, Noun } from "../data/noun.ts";
import { Sheet } from "../ui/Sheet.tsx";

export const PAGE_SIZES = [10, 25, 50, 100, 150, 200, 250, 300];
export const PAGE_SIZE = 25;
const SEARCH_PAUSE = 1000;
const MOST_EXPORTED = 10_000;

/** Kinds of columns that are read by their digits. */
const NUMBERS: readonly (Column["kind"] | undefined)[] = ["number", "distance", "kilometres", "amount"];

const LIST_STYLE = {
  "& .RaList-main": { minWidth: 0 },
  "& .RaList-actions": { alignItems: "center", minHeight: 48, bgcolor: "transparent" },
};
const TOOLBAR_STYLE = {
  display: "flex",
  flexWrap: "wrap",
  alignItems: "center",
  justifyContent: "flex-end",
  gap: 0.5,
  ml: "auto",
  flexShrink: { xs: 1, md: 0 },
  py: 1,
};
const TABLE_STYLE = {
  "& .RaDataTable-tableWrapper": { overflowX: "auto" },
  "& .RaBulkActionsToolbar-toolbar": {
    zIndex: 10,
    bgcolor: "primary.main",
    color: "primary.contrastText",
    overflowX: "auto",
    whiteSpace: "nowrap",
  },
  "& .RaBulkActionsToolbar-collapsed": { overflow: "hidden" },
  "& .RaBulkActionsToolbar-toolbar :is(.MuiButton-root, .MuiTypography-root, .MuiIconButton-root)": {
    color: "inherit",
  },
  "& td": { whiteSpace: "nowrap", maxWidth: 300, overflow: "hidden", textOverflow: "ellipsis" },
};

/** The table of a noun: search, filters, column choice, CSV, paging, and bulk deletion where it is allowed. */
export function NounList({ noun }: { noun: Noun }) {
  const search = noun.unsearchable ? [] : [<SearchInput key="search" source="search" alwaysOn />];
  return (
    <List
      title={noun.plural}
      filters={[...search, ...(noun.filters ?? [])]}
      actions={<ListActions noun={noun} />}
      filter={noun.listed}
      sort={noun.sort ?? { field: "id", order: "DESC" }}
      perPage={PAGE_SIZE}
      debounce={noun.searchPause ?? SEARCH_PAUSE}
      pagination={<Pages />}
      exporter={(records: RaRecord[]) => {
        exportCsv(noun, records);
        if (records.length >= MOST_EXPORTED)
          toastWarning(fill(texts.admin.shared.exportedFirst, { n: MOST_EXPORTED }));
      }}
      empty={isSearch(noun) ? false : <Nothing noun={noun} />}
      error={<ListError />}
      component={Sheet}
      sx={LIST_STYLE}
    >
      {noun.summary}
      <NounTable noun={noun} />
    </List>
  );
}

/** What is searched keeps its search box when nothing is there yet. */
function isSearch(noun: Noun): boolean {
  return noun.opens !== undefined || noun.name.includes("/search_");
}

/** Pages of the list; a list that could not be read has none. */
function Pages() {
  const { error } = useListContext();
  return error ? null : <Pagination rowsPerPageOptions={PAGE_SIZES} />;
}

/** The rows of the list around it. */
export function NounTable({ noun }: { noun: Noun }) {
  const mayDelete = useMayDelete(noun);
  const master = useSession((state) => isMaster(state.user));
  const columns = noun.columns.filter((column) => !column.byMaster || master);
  const { hasEdit } = useResourceDefinition();
  const createPath = useCreatePath();
  const target = noun.opens ?? (hasEdit ? noun.name : undefined);
  const linkTo = target ? (id: Identifier) => createPath({ resource: target, type: "edit", id }) : undefined;
  return (
    <DataTable
      sx={TABLE_STYLE}
      rowClick={(id, _, record) => (noun.unopened?.(record) ? false : (linkTo?.(id) ?? false))}
      isRowSelectable={(record: RaRecord) =>
        noun.fixedBecause?.(record) === undefined && !noun.unopened?.(record)
      }
      bulkActionButtons={
        mayDelete || noun.bulkActions ? (
          <>
            {noun.bulkActions}
            {!noun.files && <BulkExportButton />}
            {mayDelete && !noun.deletedAlone && <DeleteSelected noun={noun} />}
          </>
        ) : (
          <BulkExportButton />
        )
      }
      hiddenColumns={columns.filter((column) => column.hidden).map((column) => column.source)}
    >
      {columns.map((column, index) => (
        <DataTable.Col
          key={column.source}
          source={column.source}
          label={columnLabel(column)}
          disableSort={column.sortable === false}
          align={NUMBERS.includes(column.kind) ? "right" : "left"}
        >
          {index === 0 && linkTo ? (
            <RowLink to={linkTo} noun={noun} column={column} />
          ) : (
            <Cell column={column} />
          )}
        </DataTable.Col>
      ))}
      {noun.rowActions && <DataTable.Col label={texts.admin.shared.actions}>{noun.rowActions}</DataTable.Col>}
    </DataTable>
  );
}

/** The first value of a row leads to its page too: rows cannot be reached by keyboard. */
function RowLink({ to, noun, column }: { to: (id: Identifier) => string; noun: Noun; column: Column }) {
  const record = useRecordContext();
  if (!record) return null;
  if (noun.unopened?.(record)) return <Cell column={column} />;
  return (
    <Link
      to={to(record.id)}
      onClick={(event: MouseEvent) => event.stopPropagation()}
      color="inherit"
      underline="hover"
      sx={{ fontWeight: 500 }}
    >
      <Cell column={column} />
    </Link>
  );
}

function ListActions({ noun }: { noun: Noun }) {
  const mayCreate = useMayCreate(noun);
  return (
    <Box sx={TOOLBAR_STYLE}>
      {noun.listActions}
      {noun.filters && noun.filters.length > 0 && <FilterButton />}
      <ColumnsButton />
      {mayCreate && <CreateButton />}
      <ExportMenu files={noun.files}>
        <ExportButton maxResults={MOST_EXPORTED} />
      </ExportMenu>
    </Box>
  );
}

function Nothing({ noun }: { noun: Noun }) {
  const mayCreate = useMayCreate(noun);
  return (
    <Box sx={{ py: 8, textAlign: "center" }}>
      <Typography variant="h6" gutterBottom>
        {noun.nothing ??
          (noun.opens === undefined
            ? fill(texts.admin.shared.noneYet, { nouns: noun.plural.toLowerCase() })
            : texts.common.nothingHere)}
      </Typography>
      <Box sx={{ display: "flex", gap: 1, justifyContent: "center", flexWrap: "wrap", mt: 2 }}>
        {mayCreate && <CreateButton variant="contained" />}
        {noun.opens === undefined && noun.listActions}
      </Box>
    </Box>
  );
}

function ListError() {
  const { error, refetch } = useListContext();
  return (
    <Alert
      severity="error"
      action={
        <Button color="inherit" size="small" onClick={() => void refetch()}>
          {texts.admin.shared.tryAgain}
        </Button>
      }
    >
      {error instanceof Error ? error.message : texts.errors.unknown}
    </Alert>
  );
}
