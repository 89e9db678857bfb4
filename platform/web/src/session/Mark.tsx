import type { ReactNode } from "react";

/** The product's mark: a route between two stops. */
export function Mark({ size = 24 }: { size?: number }): ReactNode {
  return (
    <svg width={size} height={size} viewBox="0 0 32 32" role="img" aria-label="Routewright">
      <rect width="32" height="32" rx="8" fill="#0f5f74" />
      <path
        d="M9 23V14a4.5 4.5 0 0 1 9 0v4a4.5 4.5 0 0 0 5 4.5"
        fill="none"
        stroke="#bfe6ef"
        strokeWidth="2.6"
        strokeLinecap="round"
      />
      <circle cx="9" cy="23" r="2.9" fill="#ffffff" />
      <circle cx="23.4" cy="22.4" r="2.9" fill="#ffb454" />
    </svg>
  );
}
