import type { Feature } from "geojson";

/** What has to be told to a map that has some features, so that it has others; a feature with a known id is replaced. */
export interface FeatureChange {
  add: Feature[];
  remove: (string | number)[];
}

/** More than this share of the features: it is quicker to hand all of them over. */
const MOST = 0.25;

/** The change from one list of features to another; `null` where all are to be handed over. */
export function changeOf(before: readonly Feature[], after: readonly Feature[]): FeatureChange | null {
  const old = byId(before);
  const now = byId(after);
  if (old === null || now === null) return null;
  const add = after.filter((feature) => old.get(feature.id ?? 0) !== feature);
  const remove = [...old.keys()].filter((id) => !now.has(id));
  return add.length + remove.length > MOST * after.length ? null : { add, remove };
}

/** `null` when a feature has no id of its own. */
function byId(features: readonly Feature[]): Map<string | number, Feature> | null {
  const found = new Map<string | number, Feature>();
  for (const feature of features) if (feature.id !== undefined) found.set(feature.id, feature);
  return found.size === features.length ? found : null;
}
