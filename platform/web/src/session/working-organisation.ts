import type { WorkingOrganisation } from "./store.ts";

const KEY = "workingOrganisation";

/** The organisation that a Master user works in is kept per tab, so that both web apps know it. */
export function keepWorkingOrganisation(organisation: WorkingOrganisation): void {
  sessionStorage.setItem(KEY, JSON.stringify(organisation));
}

export function forgetWorkingOrganisation(): void {
  sessionStorage.removeItem(KEY);
}

export function storedWorkingOrganisation(): WorkingOrganisation | null {
  const text = sessionStorage.getItem(KEY);
  if (text === null) return null;
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== "object" || value === null || !("id" in value) || !("name" in value)) return null;
    return typeof value.id === "number" && typeof value.name === "string"
      ? { id: value.id, name: value.name, rehearsal: "rehearsal" in value && value.rehearsal === true }
      : null;
  } catch {
    return null;
  }
}
