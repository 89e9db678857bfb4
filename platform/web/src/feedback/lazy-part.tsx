import { type ComponentType, lazy, type LazyExoticComponent, type ReactNode, useEffect } from "react";
import { isPartGone, reloadForUpdate } from "./update.ts";

interface Closable {
  onClose?: () => void;
}

/**
 * A component that is loaded when it is first shown. Where it is gone from the server nothing is shown in its place,
 * so that what lies around it stays until the page is reloaded: a form may hold typing.
 */
export function lazyPart<P extends object>(
  load: () => Promise<ComponentType<P>>,
): LazyExoticComponent<ComponentType<P>> {
  return lazy(async () => {
    try {
      return { default: await load() };
    } catch (error) {
      if (!isPartGone(error) || !reloadForUpdate()) throw error;
      return { default: Gone };
    }
  });
}

/** Closes itself: whoever opened it goes on without it. */
function Gone({ onClose }: Closable): ReactNode {
  useEffect(() => {
    reloadForUpdate();
    onClose?.();
  }, [onClose]);
  return null;
}
