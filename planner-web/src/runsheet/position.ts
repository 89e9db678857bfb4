import type { Runsheet } from "@routewright/web";
import { useEffect } from "react";
import type { SheetConnection } from "./sheet.ts";

interface Point {
  lat: number;
  lon: number;
  accuracy: number;
  speed: number | null;
  heading: number | null;
  recorded_at: string;
}

/** Points kept while there is no connection. */
const MOST_KEPT = 500;
let latest: Point | null = null;

/** Where the phone was last, for proofs. */
export function lastPosition(): { lat: number | null; lon: number | null } {
  return { lat: latest?.lat ?? null, lon: latest?.lon ?? null };
}

/** Sends the phone's position while the route is driven, as often as the organisation wants. */
export function usePosition(sheet: Runsheet | null, connection: SheetConnection): void {
  const driving =
    sheet !== null && sheet.run.actual_start_time !== null && sheet.run.actual_end_time === null;
  const interval = Math.max(5, sheet?.settings.app_settings.gps_interval_seconds ?? 30) * 1000;
  useEffect(() => {
    if (!driving || !("geolocation" in navigator)) return;
    let kept: Point[] = [];
    let lastKept = 0;
    let sending = false;
    const flush = async (): Promise<void> => {
      if (sending || kept.length === 0) return;
      sending = true;
      const points = kept;
      try {
        await connection.send("/v2/runsheet/gps_points", { method: "POST", body: points });
        kept = kept.filter((point) => !points.includes(point));
      } catch {
        // The points stay for the next time.
      } finally {
        sending = false;
      }
    };
    const watch = navigator.geolocation.watchPosition(
      ({ coords, timestamp }) => {
        latest = {
          lat: coords.latitude,
          lon: coords.longitude,
          accuracy: coords.accuracy,
          speed: coords.speed,
          heading: coords.heading,
          recorded_at: new Date(timestamp).toISOString(),
        };
        if (timestamp - lastKept < interval) return;
        lastKept = timestamp;
        kept = [...kept, latest].slice(-MOST_KEPT);
        void flush();
      },
      () => undefined,
      { enableHighAccuracy: true, maximumAge: 10_000 },
    );
    return () => navigator.geolocation.clearWatch(watch);
  }, [driving, interval, connection]);
}
