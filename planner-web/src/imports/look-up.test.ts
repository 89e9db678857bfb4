import type { AuthUser, FileRow } from "@routewright/web";
import { useSession } from "@routewright/web";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { addressesToFind, lookUpAhead } from "./look-up.ts";

const user = {
  id: 1,
  role: { id: 1, name: "planner", access_levels: ["jobs_read", "jobs_write"] },
  organisation: { id: 1, name: "Porto", modules: [], settings: {} },
} as unknown as AuthUser;
const mapping = { Street: "address", Lat: "lat", Lon: "lon" };
const rows = (...cells: Record<string, string>[]): FileRow[] =>
  cells.map((row, index) => ({ number: index + 2, cells: row }));
const streets = (n: number): FileRow[] =>
  rows(...Array.from({ length: n }, (_, index) => ({ Street: `Rua ${index}` })));

describe("W-110: addresses ahead of an import", () => {
  beforeEach(() => useSession.setState({ status: "signed_in", user }));
  afterEach(() => vi.unstubAllGlobals());

  /** A service that finds so many of each question, and how many addresses it was asked for at a time. */
  function service(answer: (asked: number) => Response): number[] {
    const questions: number[] = [];
    vi.stubGlobal("fetch", (_: unknown, { body }: RequestInit = {}) => {
      const { addresses } = JSON.parse(body as string) as { addresses: string[] };
      questions.push(addresses.length);
      return Promise.resolve(answer(addresses.length));
    });
    return questions;
  }

  async function told(n: number): Promise<[number, number][]> {
    const counts: [number, number][] = [];
    await lookUpAhead(streets(n), mapping, (done, total) => counts.push([done, total]));
    return counts;
  }

  it("are those of rows without coordinates, each once", () => {
    const found = addressesToFind(
      rows(
        { Street: "Rua 1" },
        { Street: "rua 1 " },
        { Street: "Rua 2", Lat: "41.1", Lon: "-8.6" },
        { Street: " " },
        { Street: "Rua 3", Lat: "" },
      ),
      mapping,
    );
    expect(found.map((address) => address.toLowerCase())).toEqual(["rua 1", "rua 3"]);
    expect(addressesToFind(rows({ Street: "Rua 1" }), { Street: "comments" })).toEqual([]);
  });

  it("are counted while they are looked up", async () => {
    const questions = service((asked) => Response.json({ found: asked, nowhere: 0, failed: 0 }));
    expect(await told(60)).toEqual([
      [0, 60],
      [25, 60],
      [50, 60],
    ]);
    expect(questions).toEqual([25, 25, 10]);
    expect(await told(10)).toEqual([]);
  });

  it("are left to the import when the search is away", async () => {
    const away = service((asked) => Response.json({ found: 0, nowhere: 0, failed: asked }));
    await told(60);
    expect(away).toEqual([25]);
    const refused = service(() => Response.json({ title: "503" }, { status: 503 }));
    await told(60);
    expect(refused).toEqual([25]);
  });
});
