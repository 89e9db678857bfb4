/** Root of all API paths. */
export const API_BASE = "/api";

/** Address of a path under the API, or of a file link such as `/files/uid/{uid}`. */
export function apiUrl(path: string): string {
  if (/^(https?:|data:|blob:)/.test(path) || path.startsWith(`${API_BASE}/`)) return path;
  return `${API_BASE}${path.startsWith("/") ? path : `/${path}`}`;
}
