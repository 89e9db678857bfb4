// Stands where a service would, to show what the gateway does with a request: answers who it is and what it got.
// Started by gateway.test.mjs as a process of its own, so that it can be killed.
import { createServer } from "node:http";

const name = process.argv[2];

const server = createServer((request, response) => {
  if (request.url === "/api/clients/bulk_create") {
    // One answer line for each request line, as soon as it is there.
    response.writeHead(200, { "Content-Type": "application/x-ndjson" });
    request.on("data", (lines) => response.write(lines));
    request.on("end", () => response.end('{"done":true}\n'));
    return;
  }
  if (request.url === "/api/slow") {
    // Long enough to be killed in the middle.
    setTimeout(() => answer(0), 30_000);
    return;
  }
  if (["/api/jobs/tracking/UNKNOWN/page", "/api/proofs/check/UNKNOWN/page?seal="].includes(request.url)) {
    response.writeHead(401, { "Content-Type": "application/json" });
    response.end("{}");
    return;
  }
  let size = 0;
  request.on("data", (piece) => {
    size += piece.length;
  });
  request.on("end", () => answer(size));

  function answer(bytes) {
    response.writeHead(200, { "Content-Type": "application/json" });
    response.end(
      JSON.stringify({ name, method: request.method, url: request.url, headers: request.headers, bytes }),
    );
  }
});

server.on("upgrade", (request, socket) => {
  socket.write(
    `HTTP/1.1 101 Switching Protocols\r\nUpgrade: ${request.headers.upgrade}\r\nConnection: Upgrade\r\nX-Name: ${name}\r\n\r\n`,
  );
  socket.on("data", (bytes) => socket.write(bytes));
  socket.on("error", () => socket.destroy());
});

server.listen(0, "127.0.0.1", () => process.send(server.address().port));
