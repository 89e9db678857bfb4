import { createRoot, type Root } from "react-dom/client";

/** An empty page for a test of components, and the root to show them in; the test unmounts it. */
export function freshRoot(): Root {
  (globalThis as { IS_REACT_ACT_ENVIRONMENT?: boolean }).IS_REACT_ACT_ENVIRONMENT = true;
  const main = document.createElement("main");
  document.body.replaceChildren(main);
  return createRoot(main);
}
