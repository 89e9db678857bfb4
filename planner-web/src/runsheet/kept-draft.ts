import { del, get, set } from "idb-keyval";
import { useEffect, useState } from "react";

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
  const [touched, setTouched] = useState(false);
  const [first] = useState(empty);
  useEffect(() => {
    let current = true;
    get<Partial<T>>(key).then(
      (kept) => current && setState({ key, draft: { ...first, ...kept } }),
      () => current && setState({ key, draft: first }),
    );
    return () => {
      current = false;
    };
  }, [key, first]);
  useEffect(() => {
    if (!touched || state === null) return;
    const timer = setTimeout(() => void set(state.key, state.draft).catch(() => undefined), REST);
    return () => clearTimeout(timer);
  }, [state, touched]);
  if (state === null) return null;
  return {
    draft: state.draft,
    change: (part) => {
      setTouched(true);
      setState((now) => (now === null ? null : { ...now, draft: { ...now.draft, ...part } }));
    },
    forget: async () => {
      setTouched(false);
      await del(key).catch(() => undefined);
    },
  };
}
