/** Does work that is given up after so many milliseconds. */
export async function within<T>(milliseconds: number, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const patience = new AbortController();
  const timer = setTimeout(() => patience.abort(), milliseconds);
  try {
    return await work(patience.signal);
  } finally {
    clearTimeout(timer);
  }
}
