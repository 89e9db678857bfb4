// The quiet organisation's own process: what a planner does, one call after the other, each timed.
import { performance } from "node:perf_hooks";
import { Client } from "./client.ts";

/** Pause between two calls, milliseconds. */
const PAUSE = 10;

const client = new Client(process.env["TOKEN"]);
const scenario = process.env["SCENARIO"] ?? "";
const job = process.env["JOB"] ?? "";
const calls: readonly (() => Promise<{ status: number }>)[] = [
  () => client.send("GET", `/jobs?scenario_ids=${scenario}&per_page=25`),
  () => client.send("GET", `/runs?scenario_id=${scenario}&per_page=25`),
  () => client.send("PATCH", `/jobs/${job}`, { json: { comments: `Ring ${Math.random()}` } }),
];

let times: number[] = [];
let failed = 0;
process.on("message", (word) => {
  if (word === "begin") [times, failed] = [[], 0];
  else process.send?.({ times, failed });
});
for (let n = 0; ; n += 1) {
  const began = performance.now();
  const answer = await calls[n % calls.length]?.();
  times.push(performance.now() - began);
  if (answer?.status !== 200) failed += 1;
  await new Promise((done) => setTimeout(done, PAUSE));
}
