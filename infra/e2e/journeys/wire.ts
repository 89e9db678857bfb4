import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net";
import { baseUrl } from "./product.ts";

/** A line of one browser to the product whose sockets can be cut, as a tunnel or a sleeping laptop cuts them. */
export interface Wire {
  url: string;
  /** Ends every open WebSocket at once, without a word to either side. How many there were. */
  cut: () => number;
  close: () => Promise<void>;
}

/** Lays a line: a port that passes everything on as it is. */
export async function lay(): Promise<Wire> {
  const { hostname, port } = new URL(baseUrl);
  const [pairs, sockets] = [new Set<Socket>(), new Set<Socket>()];
  const server: Server = createServer((near) => {
    const far = connect(Number(port), hostname);
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      pairs.add(from);
      from.on("error", () => to.destroy());
      from.on("close", () => {
        pairs.delete(from);
        sockets.delete(from);
        to.destroy();
      });
      from.pipe(to);
    }
    near.once("data", (first: Buffer) => {
      if (first.subarray(0, 64).toString("latin1").startsWith("GET /socket.io/")) sockets.add(near);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    cut: () => {
      const open = [...sockets];
      sockets.clear();
      for (const socket of open) socket.resetAndDestroy();
      return open.length;
    },
    close: () => {
      for (const socket of pairs) socket.destroy();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}
