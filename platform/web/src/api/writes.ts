/** A write on its way to the server. */
export interface Write {
  /** Headers that it carries besides the caller's. */
  headers: Record<string, string>;
  /** It was answered, refused, or lost on the way. */
  end: () => void;
}

export type WriteWatch = (method: string, path: string) => Write | null;

let watch: WriteWatch | null = null;

/** Has every write of the app pass by: what it is told carries headers, and its end is told. */
export function watchWrites(next: WriteWatch | null): void {
  watch = next;
}

export function beginWrite(method: string, path: string): Write | null {
  return method === "GET" ? null : (watch?.(method, path) ?? null);
}
