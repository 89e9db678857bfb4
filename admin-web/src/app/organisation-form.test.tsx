import { type AuthUser, type RequestOptions, useSession } from "@routewright/web";
import { cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { AdminContext, EditBase, ResourceContextProvider, SimpleForm, Toolbar } from "react-admin";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createDataProvider } from "../data/dataProvider.ts";
import { organisations } from "../management/organisations/noun.tsx";
import { know, nounBy } from "../resource/registry.ts";
import { Save } from "../ui/Save.tsx";
import { save } from "../testing/form.ts";
import { createI18n } from "./i18n.ts";
import { NOUNS } from "./nouns.ts";

know(NOUNS);
beforeEach(() => {
  vi.stubGlobal("fetch", (request: Request) =>
    Promise.resolve(Response.json(request.url.includes("timezones") ? ["UTC"] : [])),
  );
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

/** The form of an organisation as a user of the named one sees it; what it sends is written down. */
function open(from: string) {
  const organisation = { id: 1, name: from, modules: [], timezone: "UTC", settings: {} };
  const user = { id: 4, organisation } as unknown as AuthUser;
  useSession.setState({ status: "signed_in", user, token: "t" });
  const record = {
    id: 7,
    name: "Costa",
    timezone: "UTC",
    modules: [],
    heavy_work_at_once: 3,
    requests_at_once: 3,
  };
  const sent: RequestOptions[] = [];
  const call = (_: string, options: RequestOptions): Promise<unknown> => {
    if (options.method !== "GET") sent.push(options);
    return Promise.resolve(record);
  };
  const Form = organisations.form;
  if (!Form) throw new Error("organisations have a form");
  render(
    <AdminContext dataProvider={createDataProvider(call, nounBy)} i18nProvider={createI18n(NOUNS)}>
      <ResourceContextProvider value={organisations.name}>
        <EditBase id={7} mutationMode="pessimistic" redirect={false}>
          <SimpleForm noValidate toolbar={<Toolbar children={<Save />} />}>
            <Form mode="edit" />
          </SimpleForm>
        </EditBase>
      </ResourceContextProvider>
    </AdminContext>,
  );
  return sent;
}

describe.each([
  ["heavy work V-02", "heavy_work_at_once", "Heavy work at once"],
  ["requests V-10", "requests_at_once", "Requests at once"],
])("the limit of an organisation's %s", (_, source, label) => {
  it("is set by operators, from 1 to 100 or none", async () => {
    const sent = open("Master");
    const field = () => screen.getByLabelText<HTMLInputElement>(new RegExp(`^${label}`));
    await waitFor(() => expect(field().value).toBe("3"));
    for (const [wrong, text] of [
      ["0", "Value must be between 1 and 100"],
      ["101", "Value must be between 1 and 100"],
      ["1.5", "Value must be a whole number"],
    ] as const) {
      fireEvent.change(field(), { target: { value: wrong } });
      await save();
      await screen.findByText(text);
    }
    expect(sent).toEqual([]);
    fireEvent.change(field(), { target: { value: "" } });
    await waitFor(() => expect(screen.queryByText("Value must be a whole number")).toBeNull());
    await save();
    await waitFor(() => expect(sent).toHaveLength(1));
    expect(sent[0]?.body).toEqual({ [source]: null });
  });

  it("is shown to the organisation's own administrator, who cannot change it", async () => {
    open("Costa");
    expect((await screen.findByText(label)).nextElementSibling?.textContent).toBe("3");
    expect(screen.queryByLabelText(new RegExp(`^${label}`))).toBeNull();
  });
});
