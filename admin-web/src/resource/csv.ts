import { isMaster, saveFile, session } from "@routewright/web";
import Papa from "papaparse";
import type { RaRecord } from "react-admin";
import { plainText } from "./Cell.tsx";
import { columnLabel } from "./labels.ts";
import type { Noun } from "../data/noun.ts";
import { valueAt } from "../data/value.ts";

/** The noun's columns of the given records as CSV text; values that a spreadsheet would run are defused. */
export function toCsv(noun: Noun, records: RaRecord[]): string {
  const columns = noun.columns.filter((column) => !column.byMaster || isMaster(session().user));
  const fields = columns.map((column) => columnLabel(column));
  const data = records.map((record) =>
    columns.map((column) => plainText(column, valueAt(record, column.source))),
  );
  return Papa.unparse({ fields, data }, { escapeFormulae: true });
}

/** Hands the records of the list, as filtered, to the browser as a CSV file. */
export function exportCsv(noun: Noun, records: RaRecord[]): void {
  const bytes = new Blob(["\uFEFF", toCsv(noun, records)], { type: "text/csv;charset=utf-8" });
  saveFile(bytes, `${noun.plural.toLowerCase().replaceAll(" ", "_")}.csv`);
}
