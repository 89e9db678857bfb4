// @vitest-environment node
import { againstOrder, readImports } from "@routewright/web/testing/order";
import { expect, it } from "vitest";

/** From the ground up: each folder imports only those before it. */
const FOLDERS = [
  // What all pages are made of; it knows no noun.
  "ui",
  // Plain controls of the pages that phones load on the road.
  "phone",
  "fields",
  "settings",
  // The active scenario and what was loaded of it.
  "plan",
  // What is known of the runs on the road: positions, expected times.
  "road",
  "map",
  // Fields of a place, with the map to pick one on.
  "locations",
  // The nouns.
  "clients",
  "territories",
  "scenarios",
  "drivers",
  "proofs",
  "evidence",
  "requests",
  "contact",
  "units",
  "dispatch",
  "moves",
  "steps",
  "jobs",
  "runs",
  "timeline",
  "imports",
  "optimise",
  "doctor",
  "tracking",
  "live",
  "tutorial",
  // Pages of their own.
  "progress",
  "qr-codes",
  "runsheet",
  // What can be done now, by word and by key.
  "commands",
  // Router, layout, panels and the list of dialogs: puts all of them together.
  "app",
];

it("no folder knows one above it, and no two files know each other", () => {
  expect(againstOrder(readImports(import.meta.dirname), FOLDERS)).toEqual([]);
});
