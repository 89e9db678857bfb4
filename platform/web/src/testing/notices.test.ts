// @vitest-environment node
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";

const root = join(import.meta.dirname, "../../../..");
const read = (path: string) => readFileSync(join(root, path), "utf8");

interface Manifest {
  dependencies?: Record<string, string>;
}

it("third-party notices name every library of the apps: else run node infra/ci/notices.mjs", () => {
  const notices = read("planner-web/public/third-party-notices.txt");
  const wanted = ["admin-web", "planner-web", "platform/web"].flatMap((app) =>
    Object.keys((JSON.parse(read(`${app}/package.json`)) as Manifest).dependencies ?? {}),
  );
  const missing = wanted.filter(
    (name) => !name.startsWith("@routewright/") && !notices.includes(`  ${name} `),
  );
  expect(missing).toEqual([]);
  for (const part of ["Inter", "Noto Sans", "Open Database License 1.0", "Natural Earth", "RoutingKit"])
    expect(notices).toContain(part);
  expect(read("LICENSE")).toContain("Apache License");
});

it("third-party notices name every library of the services", () => {
  const notices = read("planner-web/public/third-party-notices.txt");
  const table = /\[workspace\.dependencies\]\n([^]*?)\n\[/.exec(read("Cargo.toml"))?.[1] ?? "";
  const wanted = table
    .split("\n")
    .filter((line) => /^[\w-]+ = /.test(line))
    .map((line) => /package = "([\w-]+)"/.exec(line)?.[1] ?? line.split(" ")[0] ?? "");
  expect(wanted).toContain("axum");
  const missing = wanted.filter(
    (name) => !name.startsWith("routewright-") && !notices.includes(`  ${name} `),
  );
  expect(missing).toEqual([]);
});
