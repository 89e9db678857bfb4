import { answering } from "@routewright/web/testing/answers";
import { cleanup, render, screen } from "@testing-library/react";
import { AdminContext } from "react-admin";
import { MemoryRouter } from "react-router";
import { afterEach, describe, expect, it, vi } from "vitest";
import {
  costMeasures,
  datesBetween,
  lastDay,
  MEASURES,
  nameOf,
  valueText,
  type DayFigures,
} from "../home/figures.ts";
import { Home } from "../home/Home.tsx";
import { know } from "../resource/registry.ts";
import { signedInAs } from "../testing/session.ts";
import { createI18n } from "./i18n.ts";
import { MENU, visibleMenu } from "./menu.ts";
import { NOUNS } from "./nouns.ts";

know(NOUNS);
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const monday: DayFigures = {
  date: "2020-11-23",
  scenario_ids: [3, 8],
  runs: 2,
  jobs: 8,
  unserved: 2,
  visited: 4,
  successful: 4,
  on_time: 3,
  distance: 40_000,
  load_factor: 55.4,
  costs: [{ currency: "EUR", cost: 60, jobs: 6 }],
};
const units = { distance: "km" } as const;

function open(levels: string[], days: DayFigures[] = []) {
  const user = signedInAs(levels);
  const asked = answering({ "GET /kpi/days": days });
  render(
    <AdminContext i18nProvider={createI18n(NOUNS)}>
      <MemoryRouter>
        <Home groups={visibleMenu(MENU, user)} />
      </MemoryRouter>
    </AdminContext>,
  );
  return asked;
}

describe("the dashboard's home", () => {
  it("reckons a day's figures", () => {
    const measures = [...MEASURES, ...costMeasures([monday])];
    const texts = Object.fromEntries(
      measures.map((measure) => [measure.key, valueText(measure, measure.of(monday, "km"), units)]),
    );
    expect(texts).toEqual({
      onTime: "75 %",
      served: "80 %",
      proofs: "50 %",
      load: "55 %",
      lengthPerStop: "5.00 km",
      costPerDrop: "10.00 EUR",
    });
    const nothing = { ...monday, jobs: 0, visited: 0, unserved: null, costs: null, load_factor: null };
    for (const measure of measures) expect(measure.of(nothing, "mi")).toBeNull();
  });

  it("keeps currencies apart", () => {
    const dollars = { currency: "USD", cost: 90, jobs: 3 };
    const tuesday = { ...monday, date: "2020-11-24", costs: [...(monday.costs ?? []), dollars] };
    const measures = costMeasures([monday, tuesday]);
    expect(measures.map((measure) => nameOf(measure, measures))).toEqual([
      "Cost per drop (EUR)",
      "Cost per drop (USD)",
    ]);
    expect(measures.map((measure) => valueText(measure, measure.of(tuesday, "km"), units))).toEqual([
      "10.00 EUR",
      "30.00 USD",
    ]);
    expect(measures[1]?.of(monday, "km")).toBeNull();
    expect(costMeasures([{ ...monday, costs: null }])).toEqual([]);
  });

  it("shows the last day that had runs", () => {
    const days = [monday, { ...monday, date: "2020-11-24", runs: 0 }, { ...monday, date: "2020-11-25" }];
    expect(lastDay(days, "2020-11-24")?.date).toBe("2020-11-23");
    expect(lastDay([], "2020-11-24")).toBeUndefined();
  });

  it("goes over every day of the period, the end of February too", () => {
    expect(datesBetween("2020-02-28", "2020-03-01")).toEqual(["2020-02-28", "2020-02-29", "2020-03-01"]);
  });

  it("W-088: a small role lands on what it may open, without a refused call", async () => {
    const asked = open([]);
    expect((await screen.findByRole("link", { name: "Account" })).getAttribute("href")).toContain("/account");
    expect(screen.queryByText(/not authorized/i)).toBeNull();
    expect(asked).toEqual([]);
  });

  it("leads to the jobs and runs that a figure counts, not to trials and copies of the day", async () => {
    open(["runs_read", "jobs_read", "database_read"], [monday]);
    const link = await screen.findByRole("link", { name: /80 %/ });
    const search = new URLSearchParams(link.getAttribute("href")?.split("?")[1]);
    const filter: unknown = JSON.parse(search.get("filter") ?? "null");
    expect(filter).toEqual({
      scheduled_date_start: "2020-11-23",
      scheduled_date_end: "2020-11-23",
      scenario_ids: [3, 8],
      served: "false",
    });
    expect(search.get("displayedFilters")).toContain("scenario_ids");
  });

  it("tells a new organisation when figures will come", async () => {
    const asked = open(["runs_read"]);
    expect(await screen.findByText(/There were no runs in these weeks/)).toBeTruthy();
    expect(asked.map(({ path }) => path)).toEqual(["/kpi/days"]);
  });
});
