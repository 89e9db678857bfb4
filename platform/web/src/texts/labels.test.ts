// @vitest-environment node
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { VIEW_LEVELS } from "../access/levels.ts";
import { texts } from "./index.ts";

interface Schema {
  enum?: unknown[];
  oneOf?: { const?: string }[];
}

const document = JSON.parse(readFileSync(join(import.meta.dirname, "../../openapi.json"), "utf8")) as {
  components: { schemas: Record<string, Schema> };
};

/** The keys of every choice that the API document knows. */
const keys = Object.entries(document.components.schemas).flatMap(([name, schema]): [string, string[]][] => {
  const found = (schema.enum ?? (schema.oneOf ?? []).map((one) => one.const)).filter(
    (key): key is string => typeof key === "string",
  );
  return found.length > 0 ? [[name, found]] : [];
});

/** Shown with words of their own, and where these are. */
const OWN: Record<string, object> = {
  Module: texts.modules,
  PlaceKind: texts.addresses.kinds,
  PlaceSource: texts.addresses.sources,
  RecordKind: texts.evidence.kinds,
  StopChangeKind: texts.contact.kinds,
};

/** Told in sentences, sent but never shown, or shown by the service itself. */
const NEVER_SHOWN = [
  "DeliveryState",
  "Method",
  "Partners",
  "RehearsalState",
  "RemedyKind",
  "SealState",
  "Status2",
];

describe("keys have labels W-090", () => {
  it.each(keys.filter(([name]) => !NEVER_SHOWN.includes(name)))("%s", (name, values) => {
    const words = OWN[name] ?? texts.admin.choices;
    expect(values.filter((value) => !(value in words))).toEqual([]);
  });

  it("access levels that open a view", () => {
    expect(VIEW_LEVELS.filter((level) => !(level in texts.admin.roles.views))).toEqual([]);
  });
});
