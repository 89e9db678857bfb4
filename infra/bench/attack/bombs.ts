import { crc32, deflateSync } from "node:zlib";
import { zipSync } from "fflate";

const text = (content: string): Uint8Array => new TextEncoder().encode(content);

const MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
const OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const PACKAGE = "http://schemas.openxmlformats.org/package/2006";

/** A workbook of one sheet, its parts as they are given. */
function workbook(sheet: Uint8Array, shared?: string): Uint8Array {
  const part = (id: string, kind: string, target: string): string =>
    `<Relationship Id="${id}" Type="${OFFICE}/${kind}" Target="${target}"/>`;
  const parts =
    part("s1", "worksheet", "worksheets/sheet1.xml") + part("s2", "sharedStrings", "sharedStrings.xml");
  const sheets = '<sheets><sheet name="Jobs" sheetId="1" r:id="s1"/></sheets>';
  return zipSync(
    {
      "[Content_Types].xml": text(`<Types xmlns="${PACKAGE}/content-types"/>`),
      "_rels/.rels": text(
        `<Relationships xmlns="${PACKAGE}/relationships">${part("w", "officeDocument", "xl/workbook.xml")}</Relationships>`,
      ),
      "xl/workbook.xml": text(`<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}">${sheets}</workbook>`),
      "xl/_rels/workbook.xml.rels": text(
        `<Relationships xmlns="${PACKAGE}/relationships">${parts}</Relationships>`,
      ),
      "xl/worksheets/sheet1.xml": sheet,
      "xl/sharedStrings.xml": text(shared ?? `<sst xmlns="${MAIN}" count="0" uniqueCount="0"/>`),
    },
    { level: 9 },
  );
}

const data = (rows: string): Uint8Array =>
  text(`<worksheet xmlns="${MAIN}"><sheetData>${rows}</sheetData></worksheet>`);

/** V-01: one cell where a dense sheet would be 512 GiB. */
export const farCell = (): Uint8Array =>
  workbook(data('<row r="1048576"><c r="XFD1048576"><v>1</v></c></row>'));

/** Says that it holds four thousand million texts. */
export const manyTexts = (): Uint8Array =>
  workbook(
    data('<row r="1"><c r="A1" t="s"><v>0</v></c></row>'),
    `<sst xmlns="${MAIN}" count="4294967295" uniqueCount="4294967295"><si><t>uid</t></si></sst>`,
  );

/** V-13: a sheet that unpacks to 256 MB. */
export const unpacking = (): Uint8Array =>
  workbook(
    Buffer.concat([text(`<worksheet xmlns="${MAIN}">`), Buffer.alloc(256 << 20, " "), text("</worksheet>")]),
  );

/** V-02: a workbook of real rows, as large as a table gets. */
export function fullSheet(rows: number): Uint8Array {
  const row = (cells: readonly string[], n: number): string => {
    const cell = (value: string, at: number): string =>
      `<c r="${"ABCDEF"[at]}${n}" t="str"><v>${value}</v></c>`;
    return `<row r="${n}">${cells.map(cell).join("")}</row>`;
  };
  const all = [row(["uid", "customer_name", "address", "lat", "lon", "comments"], 1)];
  for (let n = 0; n < rows; n += 1) {
    const cells = [`F-${n}`, `Customer ${n}`, `Rua ${n}`, "41.15", "-8.61", `Ring at door ${n % 90}`];
    all.push(row(cells, n + 2));
  }
  return workbook(data(all.join("")));
}

/** V-12: a quotation mark that swallows everything after it. */
export const openQuote = (): Uint8Array => text(`uid,address\nA,"Rua 1\n${"B,Rua 2\n".repeat(1_200_000)}`);

/** A line of a million columns. */
export const wideLine = (): Uint8Array => text(`${"c,".repeat(1_000_000)}\n`);

/** V-13: more rows than are taken. */
export const manyRows = (): Uint8Array =>
  text(`uid,address,lat,lon\n${"A,Rua 1,41.1,-8.6\n".repeat(500_000)}`);

/** Brackets in brackets. */
export const deep = (): Uint8Array => text("[".repeat(1_000_000));

/** V-04: a PNG of one colour, so many pixels wide and high: a few hundred kilobytes. */
export function picture(width: number, height: number): Uint8Array {
  const chunk = (kind: string, content: Uint8Array): Buffer => {
    const body = Buffer.concat([text(kind), content]);
    const framed = Buffer.alloc(body.length + 8);
    framed.writeUInt32BE(content.length, 0);
    body.copy(framed, 4);
    framed.writeUInt32BE(crc32(body), body.length + 4);
    return framed;
  };
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([8, 2, 0, 0, 0], 8);
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk("IHDR", head),
    chunk("IDAT", deflateSync(Buffer.alloc(height * (width * 3 + 1), 0), { level: 9 })),
    chunk("IEND", new Uint8Array()),
  ]);
}
