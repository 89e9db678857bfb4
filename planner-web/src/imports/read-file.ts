import { fill, texts } from "@routewright/web";

/** A file as read: headers in their order, and rows by header. */
export interface FileContent {
  name: string;
  headers: string[];
  rows: Record<string, string>[];
}

/** Reads a CSV (any of comma, semicolon, tab) or the first sheet of an XLSX. The message of a failure is for the user. */
export async function readFile(file: File): Promise<FileContent> {
  const excel = /\.xlsx$/i.test(file.name);
  let table: string[][];
  try {
    table = excel ? await readExcel(file) : await readCsv(await file.text());
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(fill(texts.imports.unreadable, { reason }), { cause: error });
  }
  const content = contentOf(table);
  if (content.rows.length === 0) throw new Error(texts.imports.emptyFile);
  return { name: file.name, ...content };
}

/** Cells of a CSV text; a byte order mark is dropped. */
export async function readCsv(text: string): Promise<string[][]> {
  const { default: papa } = await import("papaparse");
  const { data, errors } = papa.parse<string[]>(text.replace(/^\uFEFF/, ""), {
    delimiter: delimiterOf(text),
    skipEmptyLines: "greedy",
  });
  const broken = errors.find((error) => error.type === "Quotes");
  if (broken !== undefined) throw new Error(`${broken.message} (${(broken.row ?? 0) + 1})`);
  return data;
}

/** The separator that occurs most in the header line, outside of quotes. */
export function delimiterOf(text: string): string {
  const header = (text.split(/\r?\n/, 1)[0] ?? "").replaceAll(/"[^"]*"/g, "");
  const counted = [",", ";", "\t", "|"].map((mark) => ({ mark, count: header.split(mark).length }));
  return counted.reduce((best, next) => (next.count > best.count ? next : best)).mark;
}

async function readExcel(file: File): Promise<string[][]> {
  const { readSheet } = await import("read-excel-file/browser");
  const rows = await readSheet(file);
  return rows.map((row) => row.map(cellText));
}

/** A cell as text; Excel keeps times of day as fractions of a day on its first dates. */
function cellText(cell: unknown): string {
  if (cell === null || cell === undefined) return "";
  if (cell instanceof Date) {
    const iso = cell.toISOString();
    return cell.getUTCFullYear() < 1901 ? iso.slice(11, 16) : iso.slice(0, 10);
  }
  return typeof cell === "string" ? cell : JSON.stringify(cell);
}

/** Headers and rows of a table; columns without a header and rows without a value are left out. */
export function contentOf(table: readonly (readonly string[])[]): Omit<FileContent, "name"> {
  const [first = [], ...body] = table;
  const headers = uniqueHeaders(first);
  const rows = body
    .filter((cells) => cells.some((cell) => cell.trim() !== ""))
    .map((cells) => {
      const row: Record<string, string> = {};
      headers.forEach((header, index) => {
        if (header !== "") row[header] = cells[index] ?? "";
      });
      return row;
    });
  return { headers: headers.filter((header) => header !== ""), rows };
}

/** A header that occurs again gets a number, so that no column hides another. */
function uniqueHeaders(cells: readonly string[]): string[] {
  const seen = new Map<string, number>();
  return cells.map((cell) => {
    const header = cell.trim();
    if (header === "") return "";
    const count = (seen.get(header) ?? 0) + 1;
    seen.set(header, count);
    return count === 1 ? header : `${header} (${count})`;
  });
}
