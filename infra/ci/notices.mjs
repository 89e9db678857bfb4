// Writes planner-web/public/third-party-notices.txt: what the product is made of besides its own code, with licences.
// Run it after a change of dependencies: node infra/ci/notices.mjs
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const OUT = "planner-web/public/third-party-notices.txt";

const PARTS = `Fonts
  Inter (SIL Open Font License 1.1), by Rasmus Andersson and contributors: texts on screen
  Noto Sans, Noto Sans Arabic (SIL Open Font License 1.1), by the Noto project authors: PDF documents
  DejaVu Sans (Bitstream Vera licence, changes in the public domain), by the DejaVu fonts team: PDF documents

Map data
  OpenStreetMap contributors (Open Database License 1.0): streets, roads and addresses of the demonstration
  Natural Earth (public domain), packed by world-atlas (ISC): outline of the world

Road network
  RoutingKit (BSD 2-clause), from which the crate cch is derived:
    Copyright (c) 2016, RoutingKit contributors. All rights reserved.
  OSRM's car profile (BSD 2-clause), whose rules and speeds the streets follow:
    Copyright (c) Project OSRM contributors. All rights reserved.

  Redistribution and use in source and binary forms, with or without modification, are permitted provided that the
  following conditions are met: Redistributions of source code must retain the above copyright notice, this list of
  conditions and the following disclaimer. Redistributions in binary form must reproduce the above copyright notice, this
  list of conditions and the following disclaimer in the documentation and/or other materials provided with the
  distribution.
  THIS SOFTWARE IS PROVIDED BY THE COPYRIGHT HOLDERS AND CONTRIBUTORS "AS IS" AND ANY EXPRESS OR IMPLIED WARRANTIES,
  INCLUDING, BUT NOT LIMITED TO, THE IMPLIED WARRANTIES OF MERCHANTABILITY AND FITNESS FOR A PARTICULAR PURPOSE ARE
  DISCLAIMED. IN NO EVENT SHALL THE COPYRIGHT HOLDER OR CONTRIBUTORS BE LIABLE FOR ANY DIRECT, INDIRECT, INCIDENTAL,
  SPECIAL, EXEMPLARY, OR CONSEQUENTIAL DAMAGES (INCLUDING, BUT NOT LIMITED TO, PROCUREMENT OF SUBSTITUTE GOODS OR
  SERVICES; LOSS OF USE, DATA, OR PROFITS; OR BUSINESS INTERRUPTION) HOWEVER CAUSED AND ON ANY THEORY OF LIABILITY,
  WHETHER IN CONTRACT, STRICT LIABILITY, OR TORT (INCLUDING NEGLIGENCE OR OTHERWISE) ARISING IN ANY WAY OUT OF THE USE OF
  THIS SOFTWARE, EVEN IF ADVISED OF THE POSSIBILITY OF SUCH DAMAGE.

`;

/** Crates that are built into the services: name, version, licence. */
function crates() {
  const text = execFileSync(
    "cargo",
    ["metadata", "--format-version", "1", "--filter-platform", "x86_64-unknown-linux-gnu"],
    {
      maxBuffer: 1 << 28,
    },
  );
  const { packages } = JSON.parse(text.toString());
  return packages
    .filter(({ source }) => source !== null)
    .map(({ name, version, license, license_file }) => [name, version, license ?? `see its ${license_file}`]);
}

/** Packages that are built into the web apps, with what they need in turn. */
function packages() {
  const lock = JSON.parse(readFileSync("package-lock.json", "utf8")).packages;
  const rows = [];
  for (const [path, { version, dev, link }] of Object.entries(lock)) {
    if (!path.includes("node_modules/") || dev || link) continue;
    const manifest = join(path, "package.json");
    if (!existsSync(manifest)) continue;
    const { name, license } = JSON.parse(readFileSync(manifest, "utf8"));
    rows.push([name, version, licenceOf(path, license)]);
  }
  return rows;
}

function licenceOf(path, license) {
  if (typeof license === "string") return license;
  const file = readdirSync(path).find((name) => /^licen[sc]e/i.test(name));
  return license?.type ?? (file === undefined ? "not stated" : `see its ${file}`);
}

function table(title, rows) {
  const lines = new Set(rows.map(([name, version, licence]) => `  ${name} ${version} (${licence})`));
  return `${title}\n${[...lines].sort((a, b) => (a < b ? -1 : 1)).join("\n")}\n`;
}

const head = `Routewright is licensed under the Apache License 2.0. It contains works of others, under licences of their own:\n\n`;
writeFileSync(
  OUT,
  `${head}${PARTS}${table("Libraries of the web apps", packages())}\n${table("Libraries of the services", crates())}`,
);
