// @vitest-environment node
import { againstOrder, readImports } from "@routewright/web/testing/order";
import { expect, it } from "vitest";

/** From the ground up: each folder imports only those before it. */
const FOLDERS = [
  // What tests alone use.
  "testing",
  "ui",
  // What a noun is, and the calls for its records.
  "data",
  // Lists and forms of any noun.
  "resource",
  "inputs",
  // The groups of the side menu, in its order; each holds its nouns and pages.
  "platform",
  "management",
  "database",
  "organisation-settings",
  "events-and-actions",
  "delivery-management",
  "transport-management",
  "returns",
  "costing-management",
  "containers",
  "exports",
  "account",
  "home",
  // Header, side menu and the list of nouns: puts all of them together.
  "app",
];

it("no folder knows one above it, and no two files know each other", () => {
  expect(againstOrder(readImports(import.meta.dirname), FOLDERS)).toEqual([]);
});
