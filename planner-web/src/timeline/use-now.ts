import { useEffect, useState } from "react";
import type { Span } from "./scale.ts";

const EACH = 30_000;

/** What time it is, in milliseconds, renewed twice a minute; `null` outside of the span. */
export function useNow(span: Span | null): number | null {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), EACH);
    return () => clearInterval(timer);
  }, []);
  return span !== null && now >= span.start && now <= span.end ? now : null;
}
