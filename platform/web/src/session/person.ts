/**
 * What the browser keeps for whoever uses it: how the apps look. Everything else in its storage was left there by the
 * person who is signed in.
 */
const OF_THE_BROWSER = /^(mui-|uiSettings$|mapSettings$|jobColumns$|timelineView$)/;

/**
 * Forgets the signed-in person: tokens, the organisation worked in, where the map was looked at, what lists were
 * searched for. A driver's run sheet is not the person's and waits in a store of its own.
 */
export function forgetPerson(): void {
  clearKept();
  sessionStorage.clear();
  // The page writes down what it is asked to until it is gone.
  window.addEventListener("pagehide", clearKept);
}

function clearKept(): void {
  for (const key of Object.keys(localStorage)) {
    if (!OF_THE_BROWSER.test(key)) localStorage.removeItem(key);
  }
}
