import { cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { AdminContext, ResourceContextProvider } from "react-admin";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createDataProvider } from "../data/dataProvider.ts";
import { NounList } from "../resource/NounList.tsx";
import { know, nounBy } from "../resource/registry.ts";
import { signedInAs } from "../testing/session.ts";
import { createI18n } from "./i18n.ts";
import { NOUNS } from "./nouns.ts";

know(NOUNS);

beforeEach(() => {
  signedInAs(["jobs_read", "excel_export", "clients_read"], ["gefco"]);
});
afterEach(cleanup);

function open(name: string, answer: (path: string) => unknown) {
  const asked: string[] = [];
  const call = (path: string): Promise<unknown> => {
    asked.push(path);
    const found = answer(path);
    return found instanceof Error ? Promise.reject(found) : Promise.resolve(found);
  };
  render(
    <AdminContext dataProvider={createDataProvider(call, nounBy)} i18nProvider={createI18n(NOUNS)}>
      <ResourceContextProvider value={name}>
        <NounList noun={nounBy(name)} />
      </ResourceContextProvider>
    </AdminContext>,
  );
  return asked;
}

const rows = (data: object[]) => ({ data, page: 1, per_page: 25, total_pages: 1, total_count: data.length });

describe("lists W-091", () => {
  it("a search without any data has its search box", async () => {
    open("delivery_management/search_jobs", () => rows([]));
    expect(await screen.findByPlaceholderText("Search")).toBeTruthy();
  });

  it("sorts by what the API calls the column, and asks for days as they are written", async () => {
    const asked = open("database/jobs", (path) =>
      path.startsWith("/jobs?") ? rows([{ id: 7, uid: "J", location: { address: "Rua 1" } }]) : rows([]),
    );
    fireEvent.click(await screen.findByText("Address", { selector: "th *" }));
    await waitFor(() => expect(asked.some((path) => path.includes("sort_by=address"))).toBe(true));
    fireEvent.click(screen.getByRole("button", { name: "Add filter" }));
    fireEvent.click(await screen.findByRole("menuitemcheckbox", { name: "From" }));
    fireEvent.change(await screen.findByLabelText("From"), { target: { value: "2026/11/22" } });
    await waitFor(() =>
      expect(asked.some((path) => path.includes("scheduled_date_start=2026-11-22"))).toBe(true),
    );
  });

  it("has one menu for exports", async () => {
    open("delivery_management/search_jobs", () => rows([{ id: 1, uid: "J" }]));
    fireEvent.click(await screen.findByRole("button", { name: "Export" }));
    expect((await screen.findAllByRole("menuitem")).map((item) => item.textContent)).toEqual([
      "CSV",
      "Excel",
    ]);
  });

  it("W-090: a list that could not be read counts no pages", async () => {
    open("database/clients", () => new Error("The server is away"));
    expect(await screen.findByText("The server is away")).toBeTruthy();
    expect(screen.queryByText(/ of /)).toBeNull();
  });

  it("W-090: names modules and states instead of showing their keys", async () => {
    open("management/organisations", () =>
      rows([{ id: 1, name: "Costa", state: "ready", modules: ["gefco", "gefco_nld"] }]),
    );
    expect(await screen.findByText("Freight forwarder")).toBeTruthy();
    expect(screen.getByText("Ready")).toBeTruthy();
    expect(screen.queryByText(/gefco/)).toBeNull();
  });
});
