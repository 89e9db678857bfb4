import { ApiError, type RequestOptions } from "@routewright/web";
import type { HttpError } from "react-admin";
import { describe, expect, it } from "vitest";
import { levelsOf, type Noun } from "./noun.ts";
import { createDataProvider } from "./dataProvider.ts";
import { createHttpClient } from "./httpClient.ts";

interface Sent {
  path: string;
  options: RequestOptions;
}

/** A call that writes down what was sent and gives the answers in turn. */
function recorder(...answers: unknown[]) {
  const sent: Sent[] = [];
  const call = (path: string, options: RequestOptions): Promise<unknown> => {
    sent.push({ path, options });
    const answer = answers.shift();
    return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer);
  };
  return { sent, call };
}

function page(rows: unknown[], total: number, at = 1, perPage = 25) {
  return {
    data: rows,
    page: at,
    per_page: perPage,
    total_pages: Math.ceil(total / perPage),
    total_count: total,
  };
}

const role: Noun = {
  name: "management/roles",
  path: "roles",
  singular: "Role",
  plural: "Roles",
  levels: levelsOf("roles"),
  ids: "role_ids",
  representation: "name",
  columns: [],
  toSend: ({ name, access_levels }) => ({ name, access_levels }),
};
const nounBy = () => role;

describe("lists (A-412, A-491: page sizes, order, filters)", () => {
  it("asks for a page in the API's words", async () => {
    const { sent, call } = recorder(page([{ id: 1 }], 60, 2));
    const list = await createDataProvider(call, nounBy).getList("management/roles", {
      pagination: { page: 2, perPage: 25 },
      sort: { field: "name", order: "ASC" },
      filter: { search: "a b", stage: undefined, tag_ids: [3, 4] },
    });
    expect(sent[0]?.path).toBe(
      "/roles?page=2&per_page=25&sort_by=name&sort_order=asc&search=a+b&tag_ids=3%2C4",
    );
    expect(list).toEqual({ data: [{ id: 1 }], total: 60 });
  });

  it("leaves the API its own order when none is chosen", async () => {
    const { sent, call } = recorder(page([], 0));
    await createDataProvider(call, nounBy).getList("management/roles", {
      pagination: { page: 1, perPage: 25 },
      sort: { field: "id", order: "DESC" },
      filter: {},
    });
    expect(sent[0]?.path).toBe("/roles?page=1&per_page=25");
  });

  it("reads more than 300 rows page by page", async () => {
    const rows = (from: number, count: number) =>
      Array.from({ length: count }, (_, at) => ({ id: from + at }));
    const { sent, call } = recorder(page(rows(1, 300), 450, 1, 300), page(rows(301, 150), 450, 2, 300));
    const list = await createDataProvider(call, nounBy).getList("management/roles", {
      pagination: { page: 1, perPage: 10_000 },
      sort: { field: "id", order: "DESC" },
      filter: {},
    });
    expect(list.data).toHaveLength(450);
    expect(sent.map((one) => one.path)).toEqual(["/roles?page=1&per_page=300", "/roles?page=2&per_page=300"]);
  });

  it("looks several records up by their ids in one call", async () => {
    const { sent, call } = recorder(page([{ id: 7 }, { id: 9 }], 2, 1, 300));
    await createDataProvider(call, nounBy).getMany("management/roles", { ids: [7, 9] });
    expect(sent[0]?.path).toBe("/roles?page=1&per_page=300&role_ids=7%2C9");
  });
});

describe("look-ups without a list parameter", () => {
  it("asks for each record alone and leaves out those that are gone", async () => {
    const { sent, call } = recorder({ id: 7 }, new ApiError(404, { description: "Role not found" }));
    const plain: Noun = { ...role, ids: undefined };
    const found = await createDataProvider(call, () => plain).getMany("management/roles", { ids: [7, 9] });
    expect(sent.map((one) => one.path)).toEqual(["/roles/7", "/roles/9"]);
    expect(found.data).toEqual([{ id: 7 }]);
  });
});

describe("a new record whose other part is refused", () => {
  it("is changed by the next try, not made twice", async () => {
    const refused = new ApiError(400, { description: "Territory not found" });
    const { sent, call } = recorder({ id: 3, name: "Town" }, { id: 3, name: "Town centre" });
    const answers = [Promise.reject(refused), Promise.resolve()];
    const group: Noun = {
      ...role,
      path: "territory_groups",
      alsoSave: () => answers.shift() ?? Promise.resolve(),
    };
    const provider = createDataProvider(call, () => group);
    const save = (name: string) => provider.create("territory_settings", { data: { name } });
    await expect(save("Town")).rejects.toThrow("Territory not found");
    expect((await save("Town centre")).data).toMatchObject({ id: 3 });
    expect(sent.map(({ path, options }) => [options.method, path])).toEqual([
      ["POST", "/territory_groups"],
      ["PATCH", "/territory_groups/3"],
    ]);
  });
});

describe("changes", () => {
  it("sends only changed fields, as PATCH", async () => {
    const { sent, call } = recorder({ id: 5, name: "Planner", access_levels: ["jobs_read"] });
    await createDataProvider(call, nounBy).update("management/roles", {
      id: 5,
      previousData: { id: 5, name: "Old", access_levels: ["jobs_read"], created: "x" },
      data: { id: 5, name: "Planner", access_levels: ["jobs_read"], created: "y" },
    });
    expect(sent[0]).toMatchObject({
      path: "/roles/5",
      options: { method: "PATCH", body: { name: "Planner" } },
    });
  });

  it("clears a field with null and leaves absent ones alone", async () => {
    const { sent, call } = recorder({ id: 5 });
    await createDataProvider(call, nounBy).update("management/roles", {
      id: 5,
      previousData: { id: 5, name: "Old" },
      data: { id: 5, name: null },
    });
    expect(sent[0]?.options.body).toEqual({ name: null });
  });

  it("sends nothing when nothing changed", async () => {
    const { sent, call } = recorder({ id: 5, name: "Same" });
    await createDataProvider(call, nounBy).update("management/roles", {
      id: 5,
      previousData: { id: 5, name: "Same" },
      data: { id: 5, name: "Same" },
    });
    expect(sent.map((one) => one.options.method)).toEqual(["GET"]);
  });

  it("changes several records by one bulk call", async () => {
    const { sent, call } = recorder([{ id: 1 }, { id: 2 }]);
    await createDataProvider(call, nounBy).updateMany("management/roles", {
      ids: [1, 2],
      data: { name: "x" },
    });
    expect(sent).toEqual([
      {
        path: "/roles/bulk",
        options: {
          method: "PATCH",
          quiet: true,
          body: [
            { id: 1, name: "x" },
            { id: 2, name: "x" },
          ],
        },
      },
    ]);
  });
});

describe("refusals (A-487: shown where they belong)", () => {
  async function refusal(status: number, body: unknown): Promise<HttpError> {
    const { call } = recorder(new ApiError(status, body));
    return createHttpClient(call)("/roles", { method: "POST", body: "{}" }).then(
      () => Promise.reject(new Error("was accepted")),
      (error: unknown) => error as HttpError,
    );
  }

  it("puts the server's texts at their fields", async () => {
    const error = await refusal(400, {
      title: "400 Bad Request",
      description: "Email is taken",
      fields: { email: "Email is taken", "admin.password": "Too short" },
    });
    expect(error.message).toBe("Email is taken");
    expect(error.status).toBe(400);
    expect((error.body as { errors: unknown }).errors).toEqual({
      email: "Email is taken",
      admin: { password: "Too short" },
      root: { serverError: "Email is taken" },
    });
  });

  it("shows the general text for a fault of the server", async () => {
    const error = await refusal(500, { title: "500", description: "Internal server error" });
    expect(error.message).toBe("Something went wrong. We are working on it!");
    expect((error.body as { errors?: unknown }).errors).toBeUndefined();
  });
});
