import type { ReactNode } from "react";
import type { Tone } from "./tone.ts";

interface NoticeProps {
  tone: Tone;
  title?: string;
  action?: ReactNode;
  children: ReactNode;
}

/** Something that the driver should know, with what can be done about it. */
export function Notice({ tone, title, action, children }: NoticeProps): ReactNode {
  return (
    <div className="ph-notice" data-tone={tone} role={tone === "error" ? "alert" : "status"}>
      <div>
        {title !== undefined && <h3>{title}</h3>}
        {children}
      </div>
      {action}
    </div>
  );
}
