import type { Page } from "../model/common.ts";
import type { Query } from "./query.ts";
import { type RequestOptions, request, requestAll } from "./request.ts";

/** The six calls that every resource has. */
export interface Resource<T, Input = Partial<T>> {
  path: string;
  list: (query?: Query, options?: RequestOptions) => Promise<Page<T>>;
  all: (query?: Query, options?: RequestOptions) => Promise<T[]>;
  get: (id: number, options?: RequestOptions) => Promise<T>;
  create: (input: Input, options?: RequestOptions) => Promise<T>;
  change: (id: number, input: Input, options?: RequestOptions) => Promise<T>;
  changeMany: (items: ({ id: number } & Input)[], options?: RequestOptions) => Promise<T[]>;
  remove: (id: number, options?: RequestOptions) => Promise<{ id: number }>;
}

/** The resource under a path such as `/jobs`. */
export function resource<T, Input = Partial<T>>(path: string): Resource<T, Input> {
  return {
    path,
    list: (query, options) => request<Page<T>>(path, { ...options, query: { ...query } }),
    all: (query, options) => requestAll<T>(path, query, options),
    get: (id, options) => request<T>(`${path}/${id}`, options),
    create: (body, options) => request<T>(path, { ...options, method: "POST", body }),
    change: (id, body, options) => request<T>(`${path}/${id}`, { ...options, method: "PATCH", body }),
    changeMany: (body, options) => request<T[]>(`${path}/bulk`, { ...options, method: "PATCH", body }),
    remove: (id, options) => request<{ id: number }>(`${path}/${id}`, { ...options, method: "DELETE" }),
  };
}
