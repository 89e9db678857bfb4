/** The town that a time zone is named after (the tz database's zone.tab, public domain); `null` for others, such as UTC. */
export async function placeOfZone(zone: string): Promise<{ lat: number; lon: number } | null> {
  const places = (await import("./zone-places.json")).default as Readonly<Record<string, number[]>>;
  const [lat, lon] = places[zone] ?? [];
  return lat === undefined || lon === undefined ? null : { lat, lon };
}
