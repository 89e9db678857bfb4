import type { FileFault, FileRow, ImportRowError } from "@routewright/web";
import { headerOf, type Mapping } from "./mapping.ts";

/** A fault of a row, by its number in the file. */
export interface Fault {
  number: number;
  /** Column; `null`: the whole row, or a field that no column fills. */
  header: string | null;
  /** The API's name of the field; `null` for a fault of reading. */
  field: string | null;
  message: string;
  /** Numbers of other rows that share it: correcting all of them corrects this one. */
  with: number[];
}

/** What has to be corrected before rows can be imported. */
export interface Repair {
  faults: Fault[];
  /** Numbers of rows that are not imported as they are, be it because of another row. */
  kept: number[];
  /** What was not sure when the file was read; the service is told, so that no such row is imported as it is. */
  unsure: FileFault[];
}

export const NOTHING_TO_REPAIR: Repair = { faults: [], kept: [], unsure: [] };

/** Faults that were found while the file was read. */
export function repairOfReading(faults: readonly FileFault[]): Repair {
  return {
    faults: faults.map(({ number, header, message }) => ({ number, header, field: null, message, with: [] })),
    kept: [...new Set(faults.map(({ number }) => number))],
    unsure: [...faults],
  };
}

/** Faults that the service found in the rows as they were sent. */
export function repairOfAnswer(
  errors: readonly ImportRowError[],
  keptRows: readonly number[],
  sent: readonly FileRow[],
  mapping: Mapping,
  unsure: readonly FileFault[] = [],
): Repair {
  const numberOf = (row: number): number => sent[row - 1]?.number ?? 0;
  return {
    faults: errors.map(({ row, field, message, with: others }) => ({
      number: numberOf(row),
      header: headerOf(mapping, field),
      field: field === "" ? null : field,
      message,
      with: others.map(numberOf),
    })),
    kept: keptRows.map(numberOf),
    unsure: [...unsure],
  };
}

/** What is left to repair after cells of a row were typed anew. */
export function afterEdit(repair: Repair, number: number, headers: readonly string[]): Repair {
  const touched = (fault: Fault): boolean => fault.header === null || headers.includes(fault.header);
  const settled = (fault: Fault): boolean =>
    fault.number === number ? touched(fault) : alone(fault, number, touched(fault));
  const left = without(repair, settled, number);
  const sure = (fault: FileFault): boolean =>
    fault.number === number && (fault.header === null || headers.includes(fault.header));
  return { ...left, unsure: left.unsure.filter((fault) => !sure(fault)) };
}

/** What is left to repair after a row was left out. */
export function afterRemoval(repair: Repair, number: number): Repair {
  const settled = (fault: Fault): boolean => fault.number === number || alone(fault, number, true);
  const left = without(repair, settled, number);
  return {
    ...left,
    kept: left.kept.filter((kept) => kept !== number),
    unsure: left.unsure.filter((fault) => fault.number !== number),
  };
}

/** Whether a shared fault has no other row left once `number` was corrected. */
function alone(fault: Fault, number: number, touched: boolean): boolean {
  return touched && fault.with.length > 0 && fault.with.every((other) => other === number);
}

function without(repair: Repair, settled: (fault: Fault) => boolean, number: number): Repair {
  const faults = repair.faults
    .filter((fault) => !settled(fault))
    .map((fault) => ({ ...fault, with: fault.with.filter((other) => other !== number) }));
  const before = new Set(repair.faults.map((fault) => fault.number));
  const after = new Set(faults.map((fault) => fault.number));
  // A row that is kept because of another one goes with the last fault.
  const kept = repair.kept.filter((row) => after.has(row) || (!before.has(row) && faults.length > 0));
  return { faults, kept, unsure: repair.unsure };
}

/** How many rows still have a fault of their own. */
export function faultyRows(repair: Repair): number {
  return new Set(repair.faults.map(({ number }) => number)).size;
}

/** The faults of a row as the grid tells them, each once. */
export function faultsOfRow(repair: Repair, number: number, label: (field: string) => string): string {
  const told = repair.faults
    .filter((fault) => fault.number === number)
    .map(({ header, field, message }) => {
      const name = field === null ? header : label(field);
      return name === null ? message : `${name}: ${message}`;
    });
  return [...new Set(told)].join(" · ");
}
