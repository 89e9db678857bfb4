// The gateway's configuration in a real nginx: files of both web apps, the path table, uploads, streams and sockets,
// a replica that dies. Run by: node --test infra/nginx/gateway.test.mjs
import assert from "node:assert/strict";
import { execFileSync, fork, spawn } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import http from "node:http";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "gateway-"));
const upstreams = new Map();
let nginx;
let port;

async function freePort() {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const free = server.address().port;
  server.close();
  await once(server, "close");
  return free;
}

async function startUpstream(name) {
  const child = fork(join(here, "upstream.mjs"), [name]);
  const [upstreamPort] = await once(child, "message");
  upstreams.set(name, child);
  return upstreamPort;
}

async function kill(name) {
  const child = upstreams.get(name);
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill("SIGKILL");
  await once(child, "exit");
}

before(async () => {
  // nginx gives up root for its workers, which must still reach the files.
  chmodSync(folder, 0o755);
  for (const [file, content] of [
    ["planner/index.html", "<title>Planner</title>"],
    ["planner/tracking/none.html", "Enter your tracking number"],
    ["planner/tracking/unknown.html", "Job not found."],
    ["planner/check/unknown.html", "This code opens nothing"],
    ["planner/assets/app-1.js", "planner script ".repeat(200)],
    ["dashboard/index.html", "<title>Dashboard</title>"],
    ["dashboard/assets/app-1.js", "dashboard script"],
  ]) {
    mkdirSync(dirname(join(folder, "srv", file)), { recursive: true });
    writeFileSync(join(folder, "srv", file), content);
  }
  mkdirSync(join(folder, "srv", "api"));
  copyFileSync(
    join(here, "..", "..", "platform", "web", "openapi.json"),
    join(folder, "srv", "api", "openapi.json"),
  );
  port = await freePort();
  for (const file of ["nginx.conf", "gateway.conf", "services.conf", "headers.conf", "proxy.conf"]) {
    const text = readFileSync(join(here, file), "utf8")
      .replaceAll("/tmp/", `${folder}/`)
      .replaceAll("/etc/nginx/routewright", folder)
      .replaceAll("/srv/", `${folder}/srv/`)
      .replaceAll("listen 8080", `listen 127.0.0.1:${port}`)
      .replaceAll("/dev/stdout", `${folder}/access.log`)
      .replaceAll("/dev/stderr", `${folder}/error.log`);
    writeFileSync(join(folder, file), text);
  }
  const control = await startUpstream("control");
  const first = await startUpstream("tenant-1");
  const second = await startUpstream("tenant-2");
  writeFileSync(
    join(folder, "upstreams.conf"),
    `upstream control_plane { server 127.0.0.1:${control}; keepalive 4; }
     upstream tenant { server 127.0.0.1:${first} max_fails=1; server 127.0.0.1:${second} max_fails=1; keepalive 4; }`,
  );
  const config = join(folder, "nginx.conf");
  execFileSync("nginx", ["-q", "-t", "-c", config], { stdio: "inherit" });
  nginx = spawn("nginx", ["-c", config, "-g", "daemon off;"], { stdio: "inherit" });
  for (let tries = 0; ; tries += 1) {
    try {
      await get("/health");
      return;
    } catch (error) {
      if (tries === 100) throw error;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
});

after(async () => {
  if (nginx && nginx.exitCode === null) {
    nginx.kill("SIGTERM");
    await once(nginx, "exit");
  }
  for (const name of upstreams.keys()) await kill(name);
  rmSync(folder, { recursive: true, force: true });
});

async function ask(method, path, { headers = {}, body } = {}) {
  const request = http.request({ host: "127.0.0.1", port, method, path, headers });
  // An early refusal closes the way for the rest of a large body.
  request.on("error", () => {});
  request.end(body);
  const [response] = await Promise.race([
    once(request, "response"),
    new Promise((_, reject) =>
      request.on("close", () => setTimeout(() => reject(new Error("no answer")), 100)),
    ),
  ]);
  let text = "";
  response.setEncoding("utf8");
  for await (const piece of response) text += piece;
  return { status: response.statusCode, headers: response.headers, text };
}

const get = (path, headers) => ask("GET", path, { headers });

test("V-24: who came by TLS is told to stay with it, and nobody else", async () => {
  const secure = { "X-Forwarded-Proto": "https" };
  for (const path of ["/", "/assets/app-1.js", "/api/jobs", "/api/openapi.json"]) {
    assert.equal((await get(path, secure)).headers["strict-transport-security"], "max-age=31536000", path);
    assert.equal((await get(path)).headers["strict-transport-security"], undefined, path);
  }
});

test("each address gets its app, missing files stay missing", async () => {
  for (const [path, status, text] of [
    ["/", 200, "<title>Planner</title>"],
    ["/runsheet?token=a.b", 200, "<title>Planner</title>"],
    ["/tracking", 200, "Enter your tracking number"],
    ["/tracking?tokens=", 200, "Enter your tracking number"],
    ["/assets/app-1.js", 200, "planner script"],
    ["/assets/gone.js", 404, ""],
    ["/dashboard/", 200, "<title>Dashboard</title>"],
    ["/dashboard/database/jobs", 200, "<title>Dashboard</title>"],
    ["/dashboard/assets/app-1.js", 200, "dashboard script"],
    ["/dashboard/assets/gone.js", 404, ""],
  ]) {
    const answer = await get(path);
    assert.equal(answer.status, status, path);
    assert.ok(answer.text.includes(text), path);
  }
  const moved = await get("/dashboard?scenario=1");
  assert.deepEqual([moved.status, moved.headers.location], [301, "/dashboard/?scenario=1"]);
});

test("the tenant service writes the page behind a tracking link", async () => {
  const written = await get("/tracking?tokens=AB,CD");
  const { name, url } = JSON.parse(written.text);
  assert.match(name, /^tenant/);
  assert.equal(url, "/api/jobs/tracking/AB,CD/page");
  const unknown = await get("/tracking?tokens=UNKNOWN");
  assert.equal(unknown.status, 200);
  assert.match(unknown.text, /Job not found\./);
});

test("the tenant service writes the page behind the code on a proof of delivery", async () => {
  const written = await get("/check?proof=AB&seal=1a");
  const { name, url } = JSON.parse(written.text);
  assert.match(name, /^tenant/);
  assert.equal(url, "/api/proofs/check/AB/page?seal=1a");
  for (const path of ["/check", "/check?proof=UNKNOWN"]) {
    const unknown = await get(path);
    assert.equal(unknown.status, 200);
    assert.match(unknown.text, /This code opens nothing/);
  }
});

test("the API document tells the routes of both services", async () => {
  const answer = await get("/api/openapi.json");
  assert.equal(answer.status, 200);
  assert.match(answer.headers["content-type"], /^application\/json/);
  const { paths } = JSON.parse(answer.text);
  assert.ok(paths["/organisations/settings"] && paths["/jobs/{id}"]);
});

test("hashed files are kept, pages are asked for again, texts are compressed", async () => {
  for (const [path, caching] of [
    ["/", "no-cache"],
    ["/dashboard/database/jobs", "no-cache"],
    ["/assets/app-1.js", "public, max-age=31536000, immutable"],
    ["/dashboard/assets/app-1.js", "public, max-age=31536000, immutable"],
  ]) {
    assert.equal((await get(path)).headers["cache-control"], caching, path);
  }
  const script = await get("/assets/app-1.js", { "Accept-Encoding": "gzip" });
  assert.equal(script.headers["content-encoding"], "gzip");
});

test("every answer carries the security headers", async () => {
  for (const path of ["/", "/dashboard/", "/assets/app-1.js", "/assets/gone.js", "/api/jobs"]) {
    const { headers } = await get(path);
    assert.ok(headers["content-security-policy"]?.startsWith("default-src 'self'"), path);
    assert.equal(headers["x-content-type-options"], "nosniff", path);
    assert.equal(headers["referrer-policy"], "no-referrer", path);
  }
});

test("the path table sends each call to its service", async () => {
  const control = [
    "/users",
    "/users/me",
    "/auth/token",
    "/reset-password?token=1",
    "/modules",
    "/timezones",
    "/access_levels",
    "/organisations",
    "/organisations/3",
    "/organisations/settings",
    "/organisations/hauliers/2",
    "/roles/1",
    "/password_policy",
    "/drivers/users/5",
    "/operators/organisations",
  ];
  const tenant = [
    "/jobs",
    "/drivers",
    "/drivers/configs/1",
    "/organisations/3/information/pod_settings",
    "/auth/runsheet_token",
    "/v2/runsheet/",
    "/files/uid/ab",
    "/scenarios/token/xyz",
    "/usersx",
    "/rolesandmore",
  ];
  for (const path of control) assert.equal(JSON.parse((await get(`/api${path}`)).text).name, "control", path);
  for (const path of tenant) assert.match(JSON.parse((await get(`/api${path}`)).text).name, /^tenant-/, path);
});

test("services learn who is asking, and the address they were asked at", async () => {
  const answer = await get("/api/jobs?search=a%2Fb", {
    "X-Forwarded-For": "203.0.113.7",
    Authorization: "Bearer t",
  });
  const { url, headers } = JSON.parse(answer.text);
  assert.equal(url, "/api/jobs?search=a%2Fb");
  assert.equal(headers["x-forwarded-for"], "203.0.113.7, 127.0.0.1");
  assert.equal(headers["x-forwarded-proto"], "http");
  assert.equal(headers.authorization, "Bearer t");
});

test("an upload of 25 MB passes, a larger one is refused in the API's shape", async () => {
  const body = Buffer.alloc(25 * 1024 * 1024 + 1000);
  const accepted = await ask("POST", "/api/files/upload", { body });
  assert.equal(JSON.parse(accepted.text).bytes, body.length);
  const refused = await ask("POST", "/api/files/upload", { body: Buffer.alloc(28 * 1024 * 1024) });
  assert.equal(refused.status, 413);
  assert.equal(JSON.parse(refused.text).description, "The file is larger than 25 MB");
});

test("the lines of a stream pass one by one, both ways", async () => {
  const request = http.request({ host: "127.0.0.1", port, method: "POST", path: "/api/clients/bulk_create" });
  request.write('{"uid":"A1"}\n');
  const [response] = await once(request, "response");
  const lines = response[Symbol.asyncIterator]();
  assert.equal(
    String((await lines.next()).value),
    '{"uid":"A1"}\n',
    "answered while the request is still open",
  );
  request.write('{"uid":"A2"}\n');
  assert.equal(String((await lines.next()).value), '{"uid":"A2"}\n');
  request.end();
  assert.equal(String((await lines.next()).value), '{"done":true}\n');
});

function openSocket() {
  const headers = { Connection: "Upgrade", Upgrade: "websocket", "Sec-WebSocket-Version": "13" };
  const request = http.request({ host: "127.0.0.1", port, path: "/socket.io/?transport=websocket", headers });
  request.end();
  return once(request, "upgrade");
}

test("sockets pass, and a new one finds the other replica when one dies", async () => {
  const [response, socket] = await openSocket();
  assert.equal(response.headers.upgrade, "websocket");
  socket.write("ping");
  assert.equal(String((await once(socket, "data"))[0]), "ping");

  const gone = response.headers["x-name"];
  const closed = once(socket, "close");
  await kill(gone);
  await closed;
  const [again, other] = await openSocket();
  assert.notEqual(again.headers["x-name"], gone);
  other.destroy();
});

test("when a replica is gone the other one answers, and nothing is done twice", async () => {
  for (let n = 0; n < 10; n += 1) {
    assert.equal((await get("/api/jobs")).status, 200);
    assert.equal((await ask("POST", "/api/jobs", { body: "{}" })).status, 200);
  }
  // The last replica dies while it works on a request that may have changed something: the caller is told.
  const [alive] = [...upstreams].find(
    ([name, child]) => name.startsWith("tenant") && child.signalCode === null,
  );
  const pending = ask("POST", "/api/slow", { body: "{}" });
  await new Promise((resolve) => setTimeout(resolve, 300));
  await kill(alive);
  const answer = await pending;
  assert.equal(answer.status, 503);
  assert.equal(answer.headers["retry-after"], "2");
  assert.equal(JSON.parse(answer.text).title, "503 Service Unavailable");
  assert.equal((await get("/api/users")).status, 200, "the control plane goes on");
});
