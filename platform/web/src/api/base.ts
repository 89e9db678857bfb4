/** Root of all API paths. */
export const API_BASE = "/api";

/** Calls that another host may answer (G-24, A-458, A-459), with the bearer token of the session as everywhere. */
const ELSEWHERE: readonly [calls: RegExp, base: () => string | undefined][] = [
  [/^\/scenario\/\d+\/gps_points$/, () => import.meta.env.VITE_GPS_URL],
  [/^\/location_options(\/|$)/, () => import.meta.env.VITE_LOCATIONS_URL],
];

/** Address of a path under the API, or of a file link such as `/files/uid/{uid}`. */
export function apiUrl(path: string): string {
  if (/^(https?:|data:|blob:)/.test(path) || path.startsWith(`${API_BASE}/`)) return path;
  const below = path.startsWith("/") ? path : `/${path}`;
  return `${baseOf(below)}${below}`;
}

function baseOf(path: string): string {
  const [, base] = ELSEWHERE.find(([calls]) => calls.test(path.split("?")[0] ?? "")) ?? [];
  return base?.()?.replace(/\/+$/, "") || API_BASE;
}
