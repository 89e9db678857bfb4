import { type RequestOptions, startSession, useSession } from "@routewright/web";
import { cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { AdminContext, ResourceContextProvider, type RaRecord } from "react-admin";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createAuthProvider } from "../data/authProvider.ts";
import { createDataProvider } from "../data/dataProvider.ts";
import { NounCreate, NounEdit } from "../resource/NounForm.tsx";
import { findNoun, know, nounBy } from "../resource/registry.ts";
import { roles } from "../management/roles/noun.tsx";
import { users } from "../management/users/noun.tsx";
import { save } from "../testing/form.ts";
import { signedInAs } from "../testing/session.ts";
import { createI18n } from "./i18n.ts";
import { NOUNS } from "./nouns.ts";

know(NOUNS);

const LEVELS = ["jobs_read", "jobs_write", "customer_view_read", "customer_view_login"];

beforeEach(() => {
  signedInAs(["roles_read", "roles_write", "users_write", "jobs_read", "customer_view_read"]);
  vi.stubGlobal("fetch", () => Promise.resolve(Response.json(LEVELS)));
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

function open(record?: RaRecord) {
  const sent: RequestOptions[] = [];
  const noun = record?.access_levels ? roles : users;
  const call = (path: string, options: RequestOptions): Promise<unknown> => {
    if (options.method !== "GET") sent.push(options);
    const list = { data: [], page: 1, per_page: 20, total_pages: 1, total_count: 0 };
    return Promise.resolve(/\/\d+$/.test(path) || options.method !== "GET" ? (record ?? { id: 9 }) : list);
  };
  render(
    <AdminContext dataProvider={createDataProvider(call, nounBy)} i18nProvider={createI18n(NOUNS)}>
      <ResourceContextProvider value={noun.name}>
        {record ? <NounEdit noun={noun} id={record.id} /> : <NounCreate noun={noun} />}
      </ResourceContextProvider>
    </AdminContext>,
  );
  return sent;
}

describe("roles W-086", () => {
  it("a built-in role reads as one: nothing of it can be changed, it can be copied", async () => {
    open({ id: 3, name: "user", access_levels: ["jobs_read"], organisation_id: 1, built_in: true });
    expect(await screen.findByText(/This role is built in/)).toBeTruthy();
    const tick = await screen.findByRole<HTMLInputElement>("checkbox", { name: "Jobs: read" });
    expect(tick.disabled).toBe(true);
    expect(screen.queryByRole("button", { name: "Save" })).toBeNull();
    expect(screen.queryByRole("button", { name: "Delete" })).toBeNull();
    expect(screen.getByLabelText("Copy")).toBeTruthy();
  });

  it("A-360, A-450: gives a view-only level and sends name, levels and organisation", async () => {
    const sent = open({ id: 4, name: "Shop", access_levels: ["jobs_read"], organisation_id: 1 });
    fireEvent.click(await screen.findByRole("checkbox", { name: /Customer view only/ }));
    await save();
    await waitFor(() => expect(sent).toHaveLength(1));
    expect(sent[0]?.body).toEqual({
      name: "Shop",
      access_levels: ["jobs_read", "customer_view_login"],
      organisation_id: 1,
    });
  });
});

describe("a new user W-093", () => {
  it("is invited, unless a password is typed for them", async () => {
    open();
    expect(await screen.findByLabelText(/the person chooses the password/)).toBeTruthy();
    expect(screen.queryByLabelText(/^Password/)).toBeNull();
    fireEvent.click(screen.getByLabelText(/Choose a password for the person/));
    expect(await screen.findByLabelText(/^Password/)).toBeTruthy();
  });

  it("is sent with either of the two", () => {
    const send = users.toSend;
    const typed = { email: "a@example.org", password: "a long password" };
    expect(send?.({ ...typed, invite: true }, "create")).toEqual({ email: "a@example.org", invite: true });
    expect(send?.({ ...typed, invite: false }, "create")).toEqual({ ...typed, invite: false });
  });
});

describe("an account that is restricted to a view W-088", () => {
  it("is led to its view instead of being signed out", async () => {
    await startSession();
    signedInAs(["customer_view_read", "customer_view_login"]);
    const replace = vi.spyOn(window.location, "replace").mockImplementation(() => undefined);
    void createAuthProvider(findNoun).checkAuth({});
    await waitFor(() => expect(replace).toHaveBeenCalledWith("/customerview"));
    expect(useSession.getState().user?.email).toBe("ana@example.org");
  });
});
