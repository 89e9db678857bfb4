import { ApiError } from "../api/error.ts";
import { request } from "../api/request.ts";
import type { OpenedFile } from "../model/import.ts";
import { fill, texts } from "../texts/index.ts";

/** A row of a file; `number` is its row as a spreadsheet counts, and it stays when other rows are left out. */
export interface FileRow {
  number: number;
  /** Cells by header. */
  cells: Record<string, string>;
}

/** What could not be read for sure. */
export interface FileFault {
  number: number;
  /** `null`: the whole row. */
  header: string | null;
  message: string;
}

/** A sheet of a workbook. */
export interface FileSheet {
  name: string;
  /** Beneath its headers; `null` when it cannot be read. */
  rows: number | null;
}

/** A file as the service read it. */
export interface FileContent {
  name: string;
  /** The bytes, to be read again in another encoding. */
  source: Blob;
  /** Of a CSV file; `null` for a workbook. */
  encoding: string | null;
  /** Of a CSV file; `null` for a workbook. */
  delimiter: string | null;
  /** The one that was read; `null` for a CSV file. */
  sheet: string | null;
  /** The visible ones of a workbook. */
  sheets: FileSheet[];
  /** Row of the headers as a spreadsheet counts. */
  headingRow: number;
  headers: string[];
  /** What each column goes to; `null` when its header says nothing. */
  targets: Record<string, string | null>;
  /** Headers that name a field themselves. */
  known: ReadonlySet<string>;
  /** What columns go to was chosen before. */
  remembered: boolean;
  rows: FileRow[];
  faults: FileFault[];
}

/** How a file is read; detected where it is not said. */
export interface ReadingChoice {
  encoding?: string;
  delimiter?: string;
  sheet?: string;
  heading_row?: number;
}

/** What a file is read for: the service knows the columns of each. */
export type FilePurpose = "jobs" | "drivers";

/** Largest file that is read, bytes: told before anything is sent. */
export const LARGEST_FILE = 25 * 1024 * 1024;

/**
 * Reads a CSV file of any encoding and separator, pasted cells, or a sheet of a workbook. The service does it, so
 * that every file is read by the same rules. The message of a failure is for the user.
 */
export async function readFile(
  source: Blob,
  name: string,
  purpose: FilePurpose,
  choice: ReadingChoice = {},
): Promise<FileContent> {
  if (source.size > LARGEST_FILE) {
    throw new Error(fill(texts.imports.tooLarge, { mb: LARGEST_FILE / 1024 / 1024 }));
  }
  try {
    const opened = await request<OpenedFile>(`/${purpose}/read_file`, {
      method: "POST",
      query: { ...choice },
      body: source,
      quiet: true,
    });
    return contentOf(opened, source, name);
  } catch (error) {
    const reason = error instanceof ApiError ? error.message : String(error);
    throw new Error(fill(texts.imports.unreadable, { reason }), { cause: error });
  }
}

/** The service's answer by headers. */
export function contentOf(opened: OpenedFile, source: Blob, name: string): FileContent {
  const headers = opened.columns.map(({ header }) => header);
  return {
    name,
    source,
    encoding: opened.encoding ?? null,
    delimiter: opened.delimiter ?? null,
    sheet: opened.sheet ?? null,
    sheets: opened.sheets.map(({ name, rows }) => ({ name, rows: rows ?? null })),
    headingRow: opened.heading_row,
    headers,
    targets: Object.fromEntries(opened.columns.map(({ header, target }) => [header, target ?? null])),
    known: new Set(opened.columns.filter(({ known }) => known).map(({ header }) => header)),
    remembered: opened.remembered,
    rows: opened.rows.map(({ row, cells }) => ({
      number: row,
      cells: Object.fromEntries(headers.map((header, index) => [header, cells[index] ?? ""])),
    })),
    faults: opened.faults.map(({ row, header, message }) => ({
      number: row,
      header: header ?? null,
      message,
    })),
  };
}
