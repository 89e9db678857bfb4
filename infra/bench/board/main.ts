import type { Browser, Page } from "playwright-core";
import { clock, launch, quiet, record, signedIn } from "./browser.ts";
import { type Board, makeBoard } from "./data.ts";

/** What is measured: seconds of processor time of the page's own thread, megabytes of heap, numbers of elements. */
interface Figures {
  open: number;
  first: number;
  drag: number;
  panel: number;
  hover: number;
  heap: number;
  dom: number;
}

interface Line {
  name: keyof Figures;
  label: string;
  bar: number;
  text: (value: number) => string;
}

const seconds = (value: number): string => `${value.toFixed(2)} s`;

const LINES: readonly Line[] = [
  { name: "open", label: "open to interactive", bar: 2, text: seconds },
  { name: "first", label: "first jobs on screen", bar: 0.8, text: seconds },
  { name: "drag", label: "drag start to drop, with the server's answer", bar: 0.25, text: seconds },
  { name: "panel", label: "panel switch, slowest", bar: 0.15, text: seconds },
  {
    name: "hover",
    label: "hover, 95 of 100",
    bar: 0.016,
    text: (value) => `${(value * 1000).toFixed(1)} ms`,
  },
  { name: "heap", label: "heap", bar: 120, text: (value) => `${value.toFixed(0)} MB` },
  { name: "dom", label: "elements, most", bar: 3000, text: (value) => value.toFixed(0) },
];

async function measure(browser: Browser, board: Board): Promise<Figures> {
  const page = await signedIn(browser);
  const opening = await record(page, async () => {
    await page.goto(`/?active_scenario=${board.scenario}`);
    await page.waitForFunction(() => performance.getEntriesByName("whole").length > 0, undefined, {
      polling: 250,
    });
    await quiet(page, 1000);
  });
  const elements = [await elementsOf(page)];
  await screenshot(page, board);
  const hover = await hovers(page);
  const panel: number[] = [];
  for (const name of ["Runs", "Drivers", "Jobs"]) {
    panel.push(await switchPanel(page, name));
    elements.push(await elementsOf(page));
  }
  const drag = await dragStop(page);
  elements.push(await elementsOf(page));
  const heap = await heapOf(page);
  await page.context().close();
  return {
    open: opening.busy(),
    first: opening.busy(-Infinity, opening.mark("first-jobs")),
    drag,
    panel: Math.max(...panel),
    hover,
    heap,
    dom: Math.max(...elements),
  };
}

function elementsOf(page: Page): Promise<number> {
  return page.evaluate(() => document.querySelectorAll("*").length);
}

/** Megabytes that live after a collection. */
async function heapOf(page: Page): Promise<number> {
  const session = await page.context().newCDPSession(page);
  await session.send("HeapProfiler.collectGarbage");
  const { usedSize } = await session.send("Runtime.getHeapUsage");
  return usedSize / 1e6;
}

interface Point {
  x: number;
  y: number;
}

/** Middles of the timeline's stops that can be seen, row by row. */
async function stopsOf(page: Page): Promise<Point[][]> {
  const points = await page.evaluate(() => {
    const region = document.querySelector('[role="region"][aria-label="Timeline"]');
    const room = region?.getBoundingClientRect();
    if (region == null || room === undefined) return [];
    return [...region.querySelectorAll("[aria-label]")]
      .filter((element) => / · J-\d+ · /.test(element.getAttribute("aria-label") ?? ""))
      .map((element) => element.getBoundingClientRect())
      .map(({ x, y, width, height }) => ({ x: x + width / 2, y: y + height / 2 }))
      .filter(
        ({ x, y }) => x > room.left + 220 && x < room.right - 20 && y > room.top + 40 && y < room.bottom - 20,
      )
      .filter(({ x, y }) => region.contains(document.elementFromPoint(x, y)));
  });
  const rows = new Map<number, Point[]>();
  for (const point of points)
    rows.set(Math.round(point.y), [...(rows.get(Math.round(point.y)) ?? []), point]);
  return [...rows.values()].filter((row) => row.length > 2);
}

/** Time between two moves of the pointer, milliseconds. */
const PAUSE = 80;

async function hovers(page: Page): Promise<number> {
  const places = (await stopsOf(page))
    .flatMap((row) => row.filter((_, index) => index % 2 === 0))
    .slice(0, 60);
  if (places.length < 20) throw new Error("the timeline shows too few stops");
  const moments: number[] = [];
  const recording = await record(page, async () => {
    for (const { x, y } of places) {
      moments.push(clock());
      await page.mouse.move(x, y);
      await new Promise((done) => setTimeout(done, PAUSE));
    }
    moments.push(clock());
  });
  const each = places
    .map((_, index) => recording.busy(moments[index], moments[index + 1]))
    .sort((a, b) => a - b);
  return each[Math.floor(each.length * 0.95)] ?? 0;
}

async function switchPanel(page: Page, name: string): Promise<number> {
  const button = page.getByRole("navigation").getByRole("button", { name });
  const box = await button.boundingBox();
  if (box === null) throw new Error(`there is no panel ${name}`);
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  await quiet(page, 300);
  const recording = await record(page, async () => {
    await page.mouse.down();
    await page.mouse.up();
    await quiet(page, 500);
  });
  return recording.busy();
}

/** A stop of the first run is dragged between the stops of the third. */
async function dragStop(page: Page): Promise<number> {
  const rows = await stopsOf(page);
  const from = rows[0]?.[1];
  const to = rows[2]?.[1];
  if (from === undefined || to === undefined) throw new Error("the timeline shows no two runs");
  await quiet(page, 500);
  const recording = await record(page, async () => {
    await page.mouse.move(from.x, from.y);
    await page.mouse.down();
    await page.mouse.move(from.x + 8, from.y + 8);
    await page.mouse.move(to.x + 2, to.y, { steps: 12 });
    await page.mouse.up();
    // Seldom, since asking takes the page's time as well.
    await page.waitForFunction(
      () =>
        [...document.querySelectorAll("[data-sonner-toast]")].some((toast) =>
          toast.textContent.includes("Job moved successfully"),
        ),
      undefined,
      { polling: 250 },
    );
    await quiet(page, 300);
  });
  return recording.busy();
}

async function screenshot(page: Page, { jobs }: Board): Promise<void> {
  const folder = process.env["SCREENSHOTS"];
  if (folder !== undefined) await page.screenshot({ path: `${folder}/board-${jobs}.png` });
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN;
}

/** Both boards one after the other in every round, so that a busy machine weighs on both. */
async function compare(small: Board, large: Board): Promise<boolean> {
  const browser = await launch();
  const few: Figures[] = [];
  const many: Figures[] = [];
  for (let round = 0; round < Number(process.env["ROUNDS"] ?? 3); round += 1) {
    few.push(await measure(browser, small));
    many.push(await measure(browser, large));
  }
  await browser.close();
  return print([small, large], [few, many]);
}

/** The table; whether every bar is kept. */
function print(boards: readonly Board[], results: readonly Figures[][]): boolean {
  const rows = LINES.map(({ name, label, bar, text }) => {
    const [few, many] = results.map((rounds) => median(rounds.map((round) => round[name])));
    const passed = (many ?? NaN) <= bar;
    return { label, few: text(few ?? NaN), many: text(many ?? NaN), bar: `<= ${text(bar)}`, passed };
  });
  const title = (board: Board): string => `${board.jobs} jobs, ${board.runs} runs`;
  const table = [
    ["", ...boards.map(title), "bar", ""],
    ...rows.map(({ label, few, many, bar, passed }) => [label, few, many, bar, passed ? "pass" : "MISS"]),
  ];
  const widths = [0, 1, 2, 3, 4].map((column) => Math.max(...table.map((row) => row[column]?.length ?? 0)));
  for (const row of table) {
    const cells = row.map((cell, column) =>
      column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0),
    );
    process.stdout.write(`${cells.join("  ")}\n`);
  }
  return rows.every(({ passed }) => passed);
}

process.exitCode = (await compare(await makeBoard(12), await makeBoard(200))) ? 0 : 1;
