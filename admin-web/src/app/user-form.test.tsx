import { ApiError, type AuthUser, type RequestOptions } from "@routewright/web";
import { cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import {
  AdminContext,
  EditBase,
  Notification,
  ResourceContextProvider,
  SimpleForm,
  Toolbar,
  type RaRecord,
} from "react-admin";
import { afterEach, describe, expect, it } from "vitest";
import { createDataProvider } from "../data/dataProvider.ts";
import { createI18n } from "./i18n.ts";
import { Save } from "../ui/Save.tsx";
import { NOUNS } from "./nouns.ts";
import { know, nounBy } from "../resource/registry.ts";
import { save } from "../testing/form.ts";
import { users } from "../management/users/noun.tsx";

know(NOUNS);
afterEach(cleanup);

const person = {
  id: 4,
  email: "d@example.com",
  first_name: "Dora",
  last_name: "Diaz",
  organisation_id: 1,
  role_id: 3,
};
const roles = { data: [{ id: 3, name: "admin" }], page: 1, per_page: 20, total_pages: 1, total_count: 1 };

/** The user form over answers of an API; what it sends is written down. The first save may be refused. */
function open(record: RaRecord, refusal?: ApiError) {
  const sent: RequestOptions[] = [];
  const call = (path: string, options: RequestOptions): Promise<unknown> => {
    if (options.method !== "GET") sent.push(options);
    if (refusal && sent.length === 1) return Promise.reject(refusal);
    return Promise.resolve(path.startsWith("/users/") ? record : roles);
  };
  const Form = users.form;
  if (!Form) throw new Error("users have a form");
  render(
    <AdminContext dataProvider={createDataProvider(call, nounBy)} i18nProvider={createI18n(NOUNS)}>
      <ResourceContextProvider value={users.name}>
        <EditBase id={record.id} mutationMode="pessimistic" redirect={false}>
          <SimpleForm noValidate toolbar={<Toolbar children={<Save />} />}>
            <Form mode="edit" />
          </SimpleForm>
        </EditBase>
        <Notification />
      </ResourceContextProvider>
    </AdminContext>,
  );
  return sent;
}

describe("user form", () => {
  it("A-304: hides the role selector for a driver", async () => {
    open({ ...person, role: { id: 3, name: "driver" } satisfies Partial<AuthUser["role"]> });
    expect(await screen.findByDisplayValue("Dora")).toBeTruthy();
    expect(screen.queryByLabelText(/^Role/)).toBeNull();
  });

  it("shows the role selector for everybody else", async () => {
    open({ ...person, role: { id: 3, name: "admin" } });
    expect(await screen.findByLabelText(/^Role/)).toBeTruthy();
  });

  it("refuses an empty name when saving and keeps what was typed; then sends only the change", async () => {
    const sent = open({ ...person, role: { id: 3, name: "driver" } });
    const first = await screen.findByDisplayValue("Dora");
    fireEvent.change(first, { target: { value: "" } });
    fireEvent.change(screen.getByLabelText(/^Last name/), { target: { value: "Dias" } });
    await save();
    expect(await screen.findByText("First name is required")).toBeTruthy();
    expect(sent).toEqual([]);
    expect(screen.getByDisplayValue("Dias")).toBeTruthy();

    fireEvent.change(first, { target: { value: "Dora" } });
    await waitFor(() => expect(screen.queryByText("First name is required")).toBeNull());
    await save();
    await waitFor(() => expect(sent).toMatchObject([{ method: "PATCH", body: { last_name: "Dias" } }]));
  });

  it("can be saved again after a refusal of a field that it does not show", async () => {
    const refusal = new ApiError(400, {
      description: "Unknown licence",
      fields: { licence: "Unknown licence" },
    });
    const sent = open({ ...person, role: { id: 3, name: "driver" } }, refusal);
    fireEvent.change(await screen.findByDisplayValue("Diaz"), { target: { value: "Dias" } });
    await save();
    expect(await screen.findByText("Unknown licence")).toBeTruthy();
    expect(screen.getByDisplayValue("Dias")).toBeTruthy();
    await save();
    await waitFor(() => expect(sent).toHaveLength(2));
  });
});
