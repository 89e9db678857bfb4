import { useEffect, useRef, useState } from "react";
import { kept } from "./kept.ts";

export interface KeptDraft<T> {
  draft: T;
  change: (part: Partial<T>) => void;
  /** The entry was recorded: nothing is left to keep. */
  forget: () => Promise<void>;
}

/** Milliseconds of rest after which what was typed is kept. */
const REST = 300;

/**
 * A half-filled form that outlives the page: phones close pages while the camera is open. `null` until what an
 * earlier visit left is read.
 */
export function useKeptDraft<T extends object>(key: string, empty: T): KeptDraft<T> | null {
  const [state, setState] = useState<{ key: string; draft: T } | null>(null);
  const unwritten = useRef<{ key: string; draft: T } | null>(null);
  const [first] = useState(empty);
  useEffect(() => {
    let current = true;
    read<T>(key).then(
      (found) => current && setState({ key, draft: { ...first, ...found } }),
      () => current && setState({ key, draft: first }),
    );
    return () => {
      current = false;
    };
  }, [key, first]);
  useEffect(() => {
    const write = (): void => {
      const last = unwritten.current;
      unwritten.current = null;
      if (last !== null) void keep(last.key, last.draft);
    };
    const timer = setTimeout(write, REST);
    // The camera may take the page away before it has rested.
    document.addEventListener("visibilitychange", write);
    return () => {
      clearTimeout(timer);
      document.removeEventListener("visibilitychange", write);
    };
  }, [state]);
  if (state === null) return null;
  return {
    draft: state.draft,
    change: (part) => {
      setState((now) => {
        if (now === null) return null;
        const next = { ...now, draft: { ...now.draft, ...part } };
        unwritten.current = next;
        return next;
      });
    },
    forget: async () => {
      unwritten.current = null;
      await remove(key);
    },
  };
}

async function read<T>(key: string): Promise<Partial<T> | undefined> {
  const found: object | undefined = await (await kept()).get("drafts", key);
  return found;
}

async function keep(key: string, draft: object): Promise<void> {
  await kept()
    .then((database) => database.put("drafts", draft, key))
    .catch((error: unknown) => console.warn("A half-filled form is not kept.", error));
}

async function remove(key: string): Promise<void> {
  await kept()
    .then((database) => database.delete("drafts", key))
    .catch(() => undefined);
}
