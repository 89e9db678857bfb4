/** Name under which the page is kept, whatever token its link carried. */
export const PAGE = "/runsheet";

/** From the page to its service worker: the parts of which it is made. */
export interface KeepMessage {
  kind: "keep";
  /** Paths on this host. */
  urls: string[];
}

export function isSheetPage(path: string): boolean {
  return path === PAGE || path === `${PAGE}/`;
}

/** Built files and pictures of the app; never anything of the API. */
export function isKeptFile(path: string): boolean {
  return path.startsWith("/assets/") || /^\/[\w-]+\.(?:svg|png|woff2|webmanifest)$/.test(path);
}

/** Paths of the app's own files among addresses that a page has loaded. */
export function keptPaths(addresses: readonly string[], origin: string): string[] {
  const paths = addresses.flatMap((address) => {
    const url = new URL(address, origin);
    return url.origin === origin && isKeptFile(url.pathname) ? [url.pathname] : [];
  });
  return [...new Set(paths)];
}
