import { useOrganisationNow } from "@routewright/web";
import type { Span } from "./scale.ts";

const EACH = 30_000;

/** What time it is in the organisation, in milliseconds, renewed twice a minute; `null` outside of the span. */
export function useNow(span: Span | null): number | null {
  const now = useOrganisationNow(EACH);
  return span !== null && now >= span.start && now <= span.end ? now : null;
}
