import { dismissToast, refusedOf, toastLoading } from "@routewright/web";
import simpleRestProvider from "ra-data-simple-rest";
import type { DataProvider, GetListParams, GetListResult, Identifier, RaRecord } from "react-admin";
import type { Noun } from "./noun.ts";
import { changedFields, type Fields } from "./changes.ts";
import { type Call, createHttpClient, inItsWords } from "./httpClient.ts";
import { MOST_PER_PAGE } from "./listQuery.ts";

/**
 * react-admin's calls on the API. Resources are named by their route; `nounBy` gives the API path.
 *
 * - An update sends only the changed fields, unless the noun is sent whole.
 * - Several records are changed by one `PATCH {path}/bulk` and deleted by one `DELETE {path}/bulk`, all or nothing.
 * - Lists longer than the API's largest page (CSV export) are read page by page.
 */
export function createDataProvider(call: Call, nounBy: (name: string) => Noun): DataProvider {
  const rest = simpleRestProvider("", createHttpClient(call));
  const path = (resource: string) => nounBy(resource).path;
  const listPath = (resource: string) => nounBy(resource).listPath ?? path(resource);
  const sent = (resource: string, data: Fields, mode: "create" | "edit"): Fields => {
    const noun = nounBy(resource);
    return noun.toSend ? noun.toSend(data, mode) : data;
  };
  const shown = <R extends RaRecord>(resource: string, record: R): R =>
    (nounBy(resource).toEdit?.(record) ?? record) as R;

  async function getList<R extends RaRecord>(
    resource: string,
    params: GetListParams,
  ): Promise<GetListResult<R>> {
    // A choice of records needs less than the page that lists them.
    const lookup = (params.meta as { lookup?: boolean } | undefined)?.lookup === true;
    const from = lookup ? path(resource) : listPath(resource);
    const filter: Fields = { ...nounBy(resource).fixed, ...(params.filter as Fields) };
    const { page, perPage } = params.pagination ?? { page: 1, perPage: MOST_PER_PAGE };
    const sort = params.sort && { ...params.sort, field: orderOf(nounBy(resource), params.sort.field) };
    if (perPage <= MOST_PER_PAGE) {
      const answer = await rest.getList<R>(from, {
        ...params,
        pagination: { page, perPage },
        sort,
        filter,
      });
      return { ...answer, data: identified(answer.data, nounBy(resource)) };
    }
    const rows: R[] = [];
    for (let at = 1; ; at += 1) {
      const part = await rest.getList<R>(from, {
        ...params,
        pagination: { page: at, perPage: MOST_PER_PAGE },
        sort,
        filter,
      });
      rows.push(...identified(part.data, nounBy(resource)));
      const total = part.total ?? 0;
      if (rows.length >= Math.min(total, perPage) || part.data.length === 0) return { data: rows, total };
    }
  }

  /** Records by their ids, in a call each; those that are gone are left out. */
  async function eachAlone(resource: string, ids: Identifier[]): Promise<RaRecord[]> {
    const answers = await Promise.allSettled(ids.map((id) => rest.getOne<RaRecord>(path(resource), { id })));
    return answers.flatMap((answer) => (answer.status === "fulfilled" ? [answer.value.data] : []));
  }

  /** Records that were made although a part of their form was refused, by noun and visit of the form. */
  const halfMade = new Map<string, RaRecord>();

  /** Makes a record, or changes the one that the same form has made before. */
  async function make(resource: string, data: Fields, form: Fields): Promise<RaRecord> {
    const visit = `${resource} ${(window.history.state as { key?: string } | null)?.key}`;
    const before = halfMade.get(visit);
    const old = before?.id ?? (await nounBy(resource).instead?.(data)) ?? null;
    const { data: made } =
      old === null
        ? await rest.create<Fields, RaRecord>(nounBy(resource).createPath?.(data) ?? path(resource), { data })
        : await rest.update<RaRecord>(path(resource), { id: old, data, previousData: { id: old } });
    halfMade.set(visit, made);
    await alsoSave(resource, Number(made.id), {}, form);
    halfMade.delete(visit);
    return made;
  }

  async function alsoSave(resource: string, id: number, previous: Fields, next: Fields): Promise<void> {
    const work = nounBy(resource).alsoSave?.(id, previous, next);
    if (work !== undefined) await inItsWords(`PUT /${path(resource)}/${id}`, work);
  }

  return {
    getList,
    getOne: async (resource, params) => {
      const answer = await rest.getOne(path(resource), params);
      return { data: shown(resource, answer.data) };
    },
    getMany: async (resource, params) => {
      const { ids, fixed, lookup } = nounBy(resource);
      if (ids === undefined) return { data: (await eachAlone(resource, params.ids)) as never };
      const found = await rest.getList(path(resource), {
        filter: { [ids]: params.ids, ...fixed, ...lookup },
        pagination: { page: 1, perPage: MOST_PER_PAGE },
        sort: { field: "id", order: "ASC" },
        signal: params.signal,
      });
      return { data: found.data as never };
    },
    getManyReference: (resource, params) =>
      getList(resource, {
        pagination: params.pagination,
        sort: params.sort,
        filter: { ...(params.filter as Fields), [params.target]: params.id },
      }),
    create: (resource, params) =>
      during(nounBy(resource).said?.saving, async () => {
        const data = { ...nounBy(resource).fixed, ...sent(resource, params.data as Fields, "create") };
        const made = await make(resource, data, params.data as Fields);
        nounBy(resource).afterSave?.(made, "create");
        return { data: made as never };
      }),
    update: (resource, params) =>
      during(nounBy(resource).said?.saving, async () => {
        const previous = sent(resource, params.previousData as Fields, "edit");
        const next = sent(resource, params.data as Fields, "edit");
        const changed = changedFields(previous, next);
        const unchanged = Object.keys(changed).length === 0;
        const data = nounBy(resource).sentWhole ? next : changed;
        const answer = unchanged
          ? await rest.getOne(path(resource), { id: params.id })
          : await rest.update(path(resource), { ...params, data });
        await alsoSave(resource, Number(params.id), params.previousData as Fields, params.data as Fields);
        nounBy(resource).afterSave?.(answer.data as RaRecord, "edit");
        return { data: shown(resource, answer.data) as never };
      }),
    updateMany: async (resource, params) => {
      const changes = params.ids.map((id) => ({ id, ...(params.data as Fields) }));
      const bulk = `/${path(resource)}/bulk`;
      await inItsWords(`PATCH ${bulk}`, call(bulk, { method: "PATCH", body: changes, quiet: true }));
      return { data: params.ids };
    },
    delete: (resource, params) =>
      during(nounBy(resource).said?.deleting, () => rest.delete(path(resource), params)),
    deleteMany: async (resource, params) => {
      const bulk = `/${path(resource)}/bulk`;
      try {
        await call(bulk, { method: "DELETE", body: { ids: params.ids }, quiet: true });
      } catch (error) {
        // What stands in the way is shown row by row.
        if (refusedOf(error).length > 0) throw error;
        await inItsWords(`DELETE ${bulk}`, Promise.reject(error as Error));
      }
      return { data: params.ids };
    },
  };
}

/** Works under a toast that says what is going on, where there is one. */
async function during<T>(text: string | undefined, work: () => Promise<T>): Promise<T> {
  if (text === undefined) return work();
  const toast = toastLoading(text);
  try {
    return await work();
  } finally {
    dismissToast(toast);
  }
}

/** What the API calls the order by a column. */
function orderOf({ columns }: Noun, source: string): string {
  return columns.find((column) => column.source === source)?.sortBy ?? source;
}

/** react-admin wants every row to have an `id`. */
function identified<R extends RaRecord>(rows: R[], { idField }: Noun): R[] {
  return idField === undefined
    ? rows
    : rows.map((row) => ({ ...row, id: (row as Fields)[idField] as R["id"] }));
}
