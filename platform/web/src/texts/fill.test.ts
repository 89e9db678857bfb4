import { describe, expect, it } from "vitest";
import { fill, texts } from "./index.ts";

describe("texts with counts W-090", () => {
  it("say one job and two jobs", () => {
    expect(fill(texts.runs.jobsCount, { n: 1 })).toBe("1 job");
    expect(fill(texts.runs.jobsCount, { n: 2 })).toBe("2 jobs");
    expect(fill(texts.runs.jobsCount, { n: 0 })).toBe("0 jobs");
  });

  it("leave a place whose value is not known", () => {
    expect(fill("{n} {n:job|jobs} of {name}", { n: 1 })).toBe("1 job of {name}");
  });

  it("never say a number of things without their singular", () => {
    const plain = /\{\w+\} (jobs|runs|rows|drivers|returns|stops|columns|weeks)\b/;
    const found = leaves(texts).filter((text) => plain.test(text) && !text.includes("{of}"));
    expect(found.filter((text) => !/\{total\}/.test(text))).toEqual([]);
  });
});

function leaves(catalogue: unknown): string[] {
  if (typeof catalogue === "string") return [catalogue];
  return typeof catalogue === "object" && catalogue !== null ? Object.values(catalogue).flatMap(leaves) : [];
}
