/** Windows of one phone that show run sheets. */
const channel = "BroadcastChannel" in globalThis ? new BroadcastChannel("runsheet") : null;

/** Tells the other windows that the records of a sheet have changed. */
export function tellWindows(sheet: string): void {
  channel?.postMessage(sheet);
}

/** Hears of it; answers how to stop. */
export function hearWindows(sheet: string, changed: () => void): () => void {
  const listener = ({ data }: MessageEvent<unknown>): void => {
    if (data === sheet) changed();
  };
  channel?.addEventListener("message", listener);
  return () => channel?.removeEventListener("message", listener);
}

/**
 * Does work that one window at a time should do; `null` when another one does it. A browser without locks does it
 * anyway: the office stores once what comes twice.
 */
export async function alone<T>(name: string, work: () => Promise<T>): Promise<T | null> {
  const locks = (navigator as { locks?: LockManager }).locks;
  if (locks === undefined) return work();
  return locks.request(name, { ifAvailable: true }, async (lock) => (lock === null ? null : await work()));
}
