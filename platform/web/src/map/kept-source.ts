import { FetchSource, type RangeResponse, type Source } from "pmtiles";

/**
 * An archive of tiles of which the parts that were read stay on the device, so that a map can be drawn again without a
 * connection. A part of a newer archive replaces the one that is kept.
 */
export class KeptSource implements Source {
  readonly #remote: Source;
  readonly #cache: string;

  /** Parts are kept in the browser's cache of this name. */
  constructor(url: string, cache: string, remote: Source = new FetchSource(url)) {
    this.#remote = remote;
    this.#cache = cache;
  }

  getKey(): string {
    return this.#remote.getKey();
  }

  /** Without an `etag` the archive's beginning is asked for, which tells which archive there is now. */
  async getBytes(
    offset: number,
    length: number,
    signal?: AbortSignal,
    etag?: string,
  ): Promise<RangeResponse> {
    const key = `${this.getKey()}?bytes=${offset}-${length}`;
    const kept = await this.#kept(key);
    if (kept !== undefined && etag !== undefined && kept.etag === etag) return kept;
    let read: RangeResponse;
    try {
      read = await this.#remote.getBytes(offset, length, signal, etag);
    } catch (error) {
      // Parts of two archives must not be mixed.
      if (kept === undefined || etag !== undefined || signal?.aborted === true) throw error;
      return kept;
    }
    if (kept !== undefined && kept.etag !== read.etag) await caches.delete(this.#cache);
    await this.#keep(key, read);
    return read;
  }

  async #kept(key: string): Promise<RangeResponse | undefined> {
    // Browsers keep nothing for insecure addresses.
    if (!("caches" in globalThis)) return undefined;
    const found = await (await caches.open(this.#cache)).match(key);
    if (found === undefined) return undefined;
    const etag = found.headers.get("etag");
    return { data: await found.arrayBuffer(), ...(etag === null ? {} : { etag }) };
  }

  async #keep(key: string, { data, etag }: RangeResponse): Promise<void> {
    if (!("caches" in globalThis)) return;
    const headers = new Headers(etag === undefined ? [] : [["etag", etag]]);
    // A full phone shows the map all the same.
    await (await caches.open(this.#cache)).put(key, new Response(data, { headers })).catch(() => undefined);
  }
}
