/** A link that opens the phone's own navigation: iPhones and iPads do not know `geo:`. */
export function navigationLink(lat: number, lon: number, agent: string, touch: boolean): string {
  const place = `${lat},${lon}`;
  // iPads call themselves Macs that can be touched.
  if (/iPhone|iPad|iPod/.test(agent) || (agent.includes("Macintosh") && touch)) {
    return `https://maps.apple.com/?daddr=${place}&dirflg=d`;
  }
  if (agent.includes("Android")) return `google.navigation:q=${place}`;
  return `https://www.google.com/maps/dir/?api=1&destination=${encodeURIComponent(place)}`;
}
