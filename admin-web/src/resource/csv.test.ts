import { describe, expect, it } from "vitest";
import { toCsv } from "./csv.ts";
import { levelsOf, type Noun } from "../data/noun.ts";

const noun: Noun = {
  name: "database/clients",
  path: "clients",
  singular: "Client",
  plural: "Clients",
  levels: levelsOf("clients"),
  representation: "name",
  columns: [
    { source: "uid" },
    { source: "location.address" },
    { source: "tags", kind: "names" },
    { source: "priority", kind: "yesno" },
  ],
};

describe("CSV of a list", () => {
  it("has the columns' heads and values, and defuses formulae", () => {
    const csv = toCsv(noun, [
      {
        id: 1,
        uid: "=1+1",
        location: { address: "Rua 1, Porto" },
        tags: [{ name: "a" }, { name: "b" }],
        priority: true,
      },
    ]);
    expect(csv).toBe(`UID,Address,Tags,Priority\r\n"'=1+1","Rua 1, Porto","a, b",Yes`);
  });
});
