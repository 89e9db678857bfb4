import { LEVELLED_RESOURCES } from "@routewright/web";
import { sentenceCase } from "../../resource/labels.ts";

/** Read, write and delete levels of one resource, as far as they exist. */
export interface LevelRow {
  title: string;
  read?: string;
  write?: string;
  remove?: string;
}

/** Access levels as a person reads them: a row per resource, and the views beside. */
export interface GroupedLevels {
  resources: LevelRow[];
  views: string[];
}

/**
 * Whether somebody who holds `held` may give the level: their own levels, and the restriction to one view (`*_login`)
 * to whoever may open that view. The server checks the same.
 */
export function mayGrant(held: readonly string[], level: string): boolean {
  const view = /^(.+)_login$/.exec(level)?.[1];
  return held.includes(level) || (view !== undefined && held.includes(`${view}_read`));
}

/** Sorts the server's access levels into resources and views; a level nobody knows yet counts as a view. */
export function groupLevels(levels: readonly string[]): GroupedLevels {
  const known = new Set(levels);
  const used = new Set<string>();
  const take = (level: string): string | undefined => {
    if (!known.has(level)) return undefined;
    used.add(level);
    return level;
  };
  const resources = LEVELLED_RESOURCES.map((resource) => ({
    title: sentenceCase(resource),
    read: take(`${resource}_read`),
    write: take(`${resource}_write`),
    remove: take(`${resource}_delete`),
  })).filter((row) => row.read ?? row.write ?? row.remove);
  resources.sort((one, other) => one.title.localeCompare(other.title));
  return { resources, views: levels.filter((level) => !used.has(level)) };
}
