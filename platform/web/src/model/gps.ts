export interface GpsPoint {
  run_id: number;
  driver_id: number | null;
  device_id: string | null;
  lat: number;
  lon: number;
  /** Metres. */
  accuracy?: number | null;
  /** Metres per second. */
  speed: number | null;
  /** Degrees. */
  heading: number | null;
  recorded_at: string;
}
