import { ApiError, request, session } from "@routewright/web";
import type { InformationGroup } from "@routewright/web/model";
import { changedFields, type Fields } from "../data/changes.ts";

/** Where a settings form reads and writes its fields. */
export interface SettingsStore {
  key: string;
  load: () => Promise<Fields>;
  /** Stores the form's fields and answers what is stored now. */
  save: (previous: Fields, next: Fields) => Promise<Fields>;
}

/** Short settings of the organisation; only changed keys are sent. */
export const organisationSettings: SettingsStore = {
  key: "organisation settings",
  load: () => request<Fields>("/organisations/settings", { quiet: true }),
  save: (previous, next) =>
    request<Fields>("/organisations/settings", {
      method: "PATCH",
      body: changedFields(previous, next),
      quiet: true,
    }),
};

/** One group of feature settings of the organisation; it is stored as a whole. */
export function informationGroup(group: InformationGroup): SettingsStore {
  const path = () => `/organisations/${session().user?.organisation.id ?? 0}/information/${group}`;
  return {
    key: group,
    load: () => request<Fields>(path(), { quiet: true }),
    save: (_previous, next) => request<Fields>(path(), { method: "PUT", body: next, quiet: true }),
  };
}

/** The organisation's one password policy. */
export const passwordPolicy: SettingsStore = {
  key: "password policy",
  load: async () => {
    const list = await request<{ data: Fields[] }>("/password_policy", { quiet: true });
    return list.data[0] ?? {};
  },
  save: (previous, next) => {
    const id = previous["id"] as number | undefined;
    return id === undefined
      ? request<Fields>("/password_policy", { method: "POST", body: next, quiet: true })
      : request<Fields>(`/password_policy/${id}`, {
          method: "PATCH",
          body: changedFields(previous, next),
          quiet: true,
        });
  },
};

/** The organisation's SMS gateway; none yet is a form that makes one that is on. */
export const smsConfiguration: SettingsStore = {
  key: "sms configuration",
  load: async () => {
    try {
      return await request<Fields>("/secrets/sms_configuration", { quiet: true });
    } catch (error) {
      if (error instanceof ApiError && error.status === 404) return { enabled: true };
      throw error;
    }
  },
  save: (_previous, next) =>
    request<Fields>("/secrets/sms_configuration", { method: "POST", body: next, quiet: true }),
};
