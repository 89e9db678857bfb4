import "./controls.css";
import type { ReactNode } from "react";
import { Icon, type IconName } from "./Icon.tsx";
import type { Tone } from "./tone.ts";

interface ButtonProps {
  children?: ReactNode;
  /** `toggle` shows whether it is `pressed`. */
  kind?: "text" | "outlined" | "filled" | "toggle";
  tone?: Tone;
  icon?: IconName;
  /** Its name where it shows no text. */
  label?: string;
  /** Takes the room that is left. */
  grow?: boolean;
  pressed?: boolean;
  expanded?: boolean;
  disabled?: boolean;
  /** Works already. */
  busy?: boolean;
  /** Leads there instead of doing something. */
  href?: string;
  onClick?: () => void;
}

/** A target of at least 48 pixels. */
export function Button(props: ButtonProps): ReactNode {
  const { children, kind = "text", tone = "primary", icon, label, grow = false, href } = props;
  const look = {
    className: grow ? "ph-button ph-grow" : "ph-button",
    "data-kind": kind,
    "data-tone": tone,
    "aria-label": label,
  };
  const content = (
    <>
      {icon !== undefined && <Icon name={icon} />}
      {children}
    </>
  );
  if (href !== undefined) {
    return (
      <a {...look} href={href}>
        {content}
      </a>
    );
  }
  const { pressed, expanded, disabled = false, busy = false, onClick } = props;
  return (
    <button
      {...look}
      type="button"
      aria-pressed={pressed}
      aria-expanded={expanded}
      aria-busy={busy || undefined}
      disabled={disabled || busy}
      onClick={onClick}
    >
      {content}
    </button>
  );
}
