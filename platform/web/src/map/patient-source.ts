import { EtagMismatch, FetchSource, type RangeResponse, type Source } from "pmtiles";

/** Milliseconds before each further attempt; after the last one the part is given up. */
const PAUSES = [300, 1000, 3000, 9000];

/**
 * An archive of tiles whose parts are asked for again after a hiccup: MapLibre gives a tile up at its first failure and
 * leaves a hole in the map until the page is loaded again.
 */
export class PatientSource implements Source {
  readonly #remote: Source;
  readonly #pauses: readonly number[];

  constructor(url: string, remote: Source = new FetchSource(url), pauses = PAUSES) {
    this.#remote = remote;
    this.#pauses = pauses;
  }

  getKey(): string {
    return this.#remote.getKey();
  }

  async getBytes(
    offset: number,
    length: number,
    signal?: AbortSignal,
    etag?: string,
  ): Promise<RangeResponse> {
    for (const pause of this.#pauses) {
      try {
        return await this.#remote.getBytes(offset, length, signal, etag);
      } catch (error) {
        // A part that nobody waits for any more, and an archive that has become another, are no hiccups.
        if (signal?.aborted === true || error instanceof EtagMismatch) throw error;
      }
      await new Promise((resolve) => setTimeout(resolve, pause));
      signal?.throwIfAborted();
    }
    return this.#remote.getBytes(offset, length, signal, etag);
  }
}
