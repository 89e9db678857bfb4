import type { Noun } from "../data/noun.ts";

const known = new Map<string, Noun>();

/** Makes nouns known by their names; done once, before the dashboard is drawn. */
export function know(nouns: Noun[]): void {
  for (const noun of nouns) known.set(noun.name, noun);
}

/** The noun of this name; throws when there is none, because that is a mistake in a declaration. */
export function nounBy(name: string): Noun {
  const noun = known.get(name);
  if (!noun) throw new Error(`Unknown resource '${name}'`);
  return noun;
}

export function findNoun(name: string): Noun | undefined {
  return known.get(name);
}

export function allNouns(): Noun[] {
  return [...known.values()];
}
