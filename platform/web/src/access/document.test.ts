import { describe, expect, it } from "vitest";
import document from "../../openapi.json";
import { LEVELLED_RESOURCES, VIEW_LEVELS } from "./levels.ts";
import { levelsOf } from "./paths.ts";

interface Document {
  paths: Record<string, Record<string, { description: string }>>;
}
const { paths } = document as unknown as Document;
const calls = Object.entries(paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, { description }]) => ({
    method: method.toUpperCase(),
    path,
    description,
    all: [...description.matchAll(/ \+([a-z_]+)(?![a-z_:(])/g)]
      .map(([, level]) => level ?? "")
      .filter((level) => level !== "master"),
  })),
);

describe("access as the server states it", () => {
  it("A-322 to A-364: knows every level that a route asks for", () => {
    const known = new Set<string>([
      ...LEVELLED_RESOURCES.flatMap((resource) => [`${resource}_read`, `${resource}_write`]),
      "jobs_delete",
      ...VIEW_LEVELS,
    ]);
    const asked = calls.flatMap(({ all }) => all);
    expect(asked.length).toBeGreaterThan(200);
    expect(asked.filter((level) => !known.has(level))).toEqual([]);
  });

  it("stops no call that the server would let through", () => {
    const stricter = calls.flatMap(({ method, path, all, description }) => {
      const example = path.replaceAll(/\{(?:[a-z]+_)?id\}/g, "12").replaceAll(/\{[a-z_]+\}/g, "abc");
      const more = levelsOf(method, example).filter((level) => !all.includes(level));
      return more.length === 0 ? [] : [`${method} ${path}: ${more.join(", ")} (server: ${description})`];
    });
    expect(stricter).toEqual([]);
  });
});
