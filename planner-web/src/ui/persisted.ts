import { create, type StoreApi, type UseBoundStore } from "zustand";

/** A store whose values live in local storage; unknown or broken stored values fall back to the defaults. */
export function persisted<T extends object>(key: string, defaults: T): UseBoundStore<StoreApi<T>> {
  const store = create<T>(() => ({ ...defaults, ...read(key, defaults) }));
  store.subscribe((state) => {
    try {
      localStorage.setItem(key, JSON.stringify(state));
    } catch {
      // A full or forbidden storage only costs the setting's memory.
    }
  });
  return store;
}

function read<T extends object>(key: string, defaults: T): Partial<T> {
  try {
    const value: unknown = JSON.parse(localStorage.getItem(key) ?? "null");
    if (typeof value !== "object" || value === null) return {};
    const known = Object.entries(value).filter(
      ([name, item]) => name in defaults && typeof item === typeof defaults[name as keyof T],
    );
    return Object.fromEntries(known) as Partial<T>;
  } catch {
    return {};
  }
}
