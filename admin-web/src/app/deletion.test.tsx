import { ApiError, type RequestOptions } from "@routewright/web";
import { answering } from "@routewright/web/testing/answers";
import { cleanup, fireEvent, render, screen, waitFor, within } from "@testing-library/react";
import { AdminContext, RecordContextProvider, ResourceContextProvider } from "react-admin";
import { afterEach, describe, expect, it, vi } from "vitest";
import { createDataProvider } from "../data/dataProvider.ts";
import { DeleteOrganisation } from "../management/organisations/DeleteOrganisation.tsx";
import { NounList } from "../resource/NounList.tsx";
import { know, nounBy } from "../resource/registry.ts";
import { signedInAs } from "../testing/session.ts";
import { createI18n } from "./i18n.ts";
import { NOUNS } from "./nouns.ts";

know(NOUNS);

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const CLIENTS = ["Alba", "Brisa", "Cais"].map((name, index) => ({ id: index + 1, uid: `C${index}`, name }));

/** The list of clients with all of them chosen, and the deletions that were sent; `refuse` answers the first. */
async function chooseAll(refuse?: ApiError): Promise<unknown[]> {
  signedInAs(["clients_read", "clients_write"]);
  const sent: unknown[] = [];
  const call = (path: string, { method, body }: RequestOptions): Promise<unknown> => {
    if (method !== "DELETE") {
      return Promise.resolve({ data: CLIENTS, page: 1, per_page: 25, total_count: CLIENTS.length });
    }
    sent.push({ path, body });
    return refuse && sent.length === 1 ? Promise.reject(refuse) : Promise.resolve(body);
  };
  render(
    <AdminContext dataProvider={createDataProvider(call, nounBy)} i18nProvider={createI18n(NOUNS)}>
      <ResourceContextProvider value="database/clients">
        <NounList noun={nounBy("database/clients")} />
      </ResourceContextProvider>
    </AdminContext>,
  );
  fireEvent.click(await screen.findByRole("checkbox", { name: "Select all" }));
  fireEvent.click(await screen.findByRole("button", { name: "Delete" }));
  return sent;
}

const names = (list: HTMLElement) =>
  within(list)
    .getAllByRole("listitem")
    .map((item) => item.textContent);

describe("deleting W-084", () => {
  it("names what goes, and sends one call", async () => {
    const sent = await chooseAll();
    const dialog = await screen.findByRole("dialog", { name: "Delete 3 clients?" });
    expect(names(await within(dialog).findByRole("list", { name: "To be deleted" }))).toEqual([
      "Alba",
      "Brisa",
      "Cais",
    ]);
    fireEvent.click(within(dialog).getByRole("button", { name: "Delete" }));
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    expect(sent).toEqual([{ path: "/clients/bulk", body: { ids: [1, 2, 3] } }]);
  });

  it("says why some stay, and offers the others", async () => {
    const refused = [{ id: 2, reason: "Client is used by a template" }];
    const sent = await chooseAll(new ApiError(409, { error: "BULK_DELETE_REFUSED", refused }));
    fireEvent.click(within(await screen.findByRole("dialog")).getByRole("button", { name: "Delete" }));
    expect(names(await screen.findByRole("list", { name: "These stay, and why" }))).toEqual([
      "Brisa – Client is used by a template",
    ]);
    expect(names(screen.getByRole("list", { name: "To be deleted" }))).toEqual(["Alba", "Cais"]);
    fireEvent.click(screen.getByRole("button", { name: "Delete the others" }));
    await waitFor(() => expect(sent.at(-1)).toEqual({ path: "/clients/bulk", body: { ids: [1, 3] } }));
  });

  it("an organisation needs its name typed, and never goes with others", async () => {
    signedInAs(["organisations_write"]);
    const asked = answering({ "DELETE /organisations/7": { id: 7 } });
    render(
      <AdminContext i18nProvider={createI18n(NOUNS)}>
        <RecordContextProvider value={{ id: 7, name: "Costa", is_master: false }}>
          <DeleteOrganisation />
        </RecordContextProvider>
      </AdminContext>,
    );
    fireEvent.click(screen.getByRole("button", { name: "Delete" }));
    const dialog = await screen.findByRole("dialog", { name: "Delete Costa?" });
    const go = within(dialog).getByRole<HTMLButtonElement>("button", { name: "Delete" });
    const name = within(dialog).getByRole("textbox");
    for (const [typed, disabled] of [
      ["", true],
      ["costa", true],
      ["Costa", false],
    ] as const) {
      fireEvent.change(name, { target: { value: typed } });
      expect(go.disabled).toBe(disabled);
    }
    fireEvent.click(go);
    await waitFor(() => expect(asked[0]?.path).toContain("/organisations/7"));
    expect(nounBy("management/organisations").deletedAlone).toBe(true);
  });
});
