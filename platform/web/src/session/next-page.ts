const NEXT = "nextPage";
/** The app beside the one that signs in. */
const DASHBOARD = /^\/dashboard(?=$|[/?])/;

/**
 * Keeps a page of the dashboard for after the sign-in, in this tab; false for a page of the planner, which asks to sign
 * in where it is.
 */
export function keepNextPage(address: string): boolean {
  if (!DASHBOARD.test(address)) return false;
  sessionStorage.setItem(NEXT, address);
  return true;
}

/** The page to go on with after the sign-in, once. */
export function takeNextPage(): string | null {
  const address = sessionStorage.getItem(NEXT);
  sessionStorage.removeItem(NEXT);
  return address !== null && DASHBOARD.test(address) ? address : null;
}
