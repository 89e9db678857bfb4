import { fill, request, resource, type Territory, type TerritoryGroup, texts } from "@routewright/web";
import { keys } from "../plan/keys.ts";
import { queryClient } from "../ui/query-client.ts";
import type { TerritoryDraft } from "./draft.ts";
import type { TerritoryGeometry } from "@routewright/web";
import { textOrNull } from "../fields/text.ts";

export const territories = resource<Territory>("/territories");
export const groups = resource<TerritoryGroup>("/territory_groups");

async function refresh(): Promise<void> {
  await Promise.all(
    [keys.territories, keys.territoryGroups, keys.drivers].map((queryKey) =>
      queryClient.invalidateQueries({ queryKey }),
    ),
  );
}

/**
 * Stores a territory with its drivers, and puts it into the chosen groups. `onMade` is told the id of a new one before
 * the rest may be refused, so that the next try does not make another.
 */
export async function saveTerritory(
  draft: TerritoryDraft,
  known: readonly TerritoryGroup[],
  onMade: (id: number) => void = () => undefined,
): Promise<Territory> {
  const body = {
    name: draft.name.trim(),
    uid: textOrNull(draft.uid),
    colour: draft.colour,
    driver_ids: draft.driverIds,
    ...(draft.geometry === null ? {} : { geometry: draft.geometry }),
  };
  const saved = await (draft.id === null ? territories.create(body) : territories.change(draft.id, body));
  if (draft.id === null) onMade(saved.id);
  await putIntoGroups(saved.id, draft.groupIds, known);
  await refresh();
  return saved;
}

async function putIntoGroups(
  id: number,
  wanted: readonly number[],
  known: readonly TerritoryGroup[],
): Promise<void> {
  for (const group of known) {
    const member = group.territories.some((territory) => territory.id === id);
    if (member === wanted.includes(group.id)) continue;
    await request<TerritoryGroup>(
      `/territory_groups/${group.id}/${member ? "remove_territory" : "assign_territory"}`,
      { method: "POST", body: { territory_ids: [id] }, quiet: true },
    );
  }
}

/** The first part stays this territory, the second becomes one of its own with the same drivers and groups. */
export async function splitTerritory(
  draft: TerritoryDraft,
  [first, second]: readonly [TerritoryGeometry, TerritoryGeometry],
  known: readonly TerritoryGroup[],
): Promise<void> {
  const name = fill(texts.territories.splitPart, { name: draft.name.trim(), n: 2 });
  await saveTerritory({ ...draft, id: null, uid: "", name, geometry: second }, known);
  await saveTerritory({ ...draft, geometry: first }, known);
}

export async function deleteTerritory(id: number): Promise<void> {
  await territories.remove(id);
  await refresh();
}

export interface GroupDraft {
  id: number | null;
  name: string;
  colour: string;
  territoryIds: number[];
}

/** Stores a group and its territories; `onMade` as with a territory. */
export async function saveGroup(
  { id, name, colour, territoryIds }: GroupDraft,
  onMade: (id: number) => void,
): Promise<void> {
  const body = { name: name.trim(), colour };
  const saved = await (id === null ? groups.create(body) : groups.change(id, body));
  if (id === null) onMade(saved.id);
  await request<TerritoryGroup>(`/territory_groups/${saved.id}/territories`, {
    method: "PUT",
    body: { territory_ids: territoryIds },
    quiet: true,
  });
  await refresh();
}

export async function deleteGroup(id: number): Promise<void> {
  await groups.remove(id);
  await refresh();
}
