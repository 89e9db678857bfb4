// @vitest-environment node
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { FetchSource } from "pmtiles";
import { afterEach, describe, expect, it } from "vitest";
import { PatientSource } from "./patient-source.ts";

/** A server that answers each request with the next of the given states, then with the part that is asked for. */
async function archive(states: number[]): Promise<{ url: string; asked: () => number }> {
  let asked = 0;
  const server = createServer((request, response) => {
    asked += 1;
    const status = states.shift();
    if (status === 0) request.socket.destroy();
    else if (status !== undefined) response.writeHead(status).end();
    else response.writeHead(206, { "Content-Length": 4 }).end("tile");
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/`, asked: () => asked };
}
const servers: ReturnType<typeof createServer>[] = [];

describe("an archive of tiles", () => {
  afterEach(() => {
    for (const server of servers.splice(0)) server.close();
  });
  const patient = (url: string): PatientSource => new PatientSource(url, new FetchSource(url), [1, 1, 1]);

  it("is asked again when the connection breaks or the service is busy", async () => {
    const { url, asked } = await archive([0, 503, 429]);
    const { data } = await patient(url).getBytes(0, 4);
    expect(new TextDecoder().decode(data)).toBe("tile");
    expect(asked()).toBe(4);
  });

  it("is given up when it stays away", async () => {
    const { url, asked } = await archive([503, 503, 503, 503, 503]);
    await expect(patient(url).getBytes(0, 4)).rejects.toThrow("503");
    expect(asked()).toBe(4);
  });

  it("is not asked again for what nobody waits for any more", async () => {
    const { url, asked } = await archive([503, 503]);
    const waiting = new AbortController();
    const source = new PatientSource(url, new FetchSource(url), [20, 20]);
    const read = source.getBytes(0, 4, waiting.signal);
    setTimeout(() => waiting.abort(), 10);
    await expect(read).rejects.toThrow();
    await new Promise((resolve) => setTimeout(resolve, 40));
    expect(asked()).toBe(1);
  });
});
