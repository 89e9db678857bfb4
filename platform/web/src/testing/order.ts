import { readdirSync, readFileSync } from "node:fs";
import { posix, sep } from "node:path";

/** Which files each file of an app imports, all by their paths below its `src`. */
export type Imports = ReadonlyMap<string, readonly string[]>;

/** The path in `from "./x.ts"`, `import "./x.ts"` and `import("./x.ts")`. */
const IMPORTED = /\b(?:from|import)\s*\(?\s*["'](\.[^"']*)["']/g;

export function readImports(src: string): Imports {
  const files = readdirSync(src, { recursive: true, encoding: "utf8" })
    .map((file) => file.replaceAll(sep, "/"))
    .filter((file) => /(?<!\.d)\.tsx?$/.test(file));
  return new Map(files.map((file) => [file, importsOf(file, readFileSync(`${src}/${file}`, "utf8"))]));
}

export function importsOf(file: string, text: string): string[] {
  return [...text.matchAll(IMPORTED)].map(([, path = ""]) => posix.join(posix.dirname(file), path));
}

/**
 * What is against the order of the folders, which are given from the ground up: a folder knows only those below it,
 * and neither two files nor two folders know each other. Files beside the folders stand above all of them.
 */
export function againstOrder(imports: Imports, folders: readonly string[]): string[] {
  const present = new Set([...imports.keys()].map(folderOf).filter((folder) => folder !== ""));
  const level = (file: string): number => {
    const folder = folderOf(file);
    return folder === "" ? folders.length : folders.indexOf(folder);
  };
  const upwards = edgesOf(imports).filter(([file, imported]) => level(file) < level(imported));
  return [
    ...[...present].filter((folder) => !folders.includes(folder)).map((folder) => `${folder} has no place`),
    ...folders.filter((folder) => !present.has(folder)).map((folder) => `${folder} does not exist`),
    ...upwards.map(([file, imported]) => `${file} imports ${imported} from above`),
    ...circlesIn(imports),
    ...circlesIn(betweenFolders(imports)),
  ];
}

/** The outermost folder of a file; empty for a file beside the folders. */
function folderOf(file: string): string {
  return file.includes("/") ? (file.split("/")[0] ?? "") : "";
}

function edgesOf(imports: Imports): [string, string][] {
  return [...imports].flatMap(([file, imported]) => imported.map((one): [string, string] => [file, one]));
}

/** Which folders import which, inner folders for themselves. */
function betweenFolders(imports: Imports): Imports {
  const known = new Map<string, string[]>();
  for (const [file, imported] of edgesOf(imports)) {
    const [from, to] = [posix.dirname(file), posix.dirname(imported)];
    if (from !== to) known.set(from, [...(known.get(from) ?? []), to]);
  }
  return known;
}

function circlesIn(imports: Imports): string[] {
  const circles: string[] = [];
  const done = new Set<string>();
  const walk = (name: string, way: readonly string[]): void => {
    const before = way.indexOf(name);
    if (before >= 0) circles.push([...way.slice(before), name].join(" imports "));
    else if (!done.has(name)) {
      for (const next of imports.get(name) ?? []) walk(next, [...way, name]);
      done.add(name);
    }
  };
  for (const name of imports.keys()) walk(name, []);
  return [...new Set(circles)];
}
