import { RehearsalDialog } from "@routewright/web";
import type { ReactNode } from "react";

/** Offers a practice organisation with a day that is driven. */
export function Rehearse({ onClose }: { onClose: () => void }): ReactNode {
  return <RehearsalDialog close={onClose} />;
}
