import { Button, Typography } from "@mui/material";
import { texts } from "@routewright/web";
import type { ReactNode } from "react";
import { DialogFrame } from "./DialogFrame.tsx";

export interface Choice {
  label: string;
  act: () => void;
  colour?: "primary" | "error";
  primary?: boolean;
}

export interface ConfirmDialogProps {
  title: string;
  text?: string;
  choices: readonly Choice[];
  onClose: () => void;
  /** Pixels. */
  width?: number;
  /** Below the text. */
  children?: ReactNode;
  /** Label of the way out; `null`: only the choices and Escape. */
  cancel?: string | null;
}

/** A question with its answers. */
export function ConfirmDialog(props: ConfirmDialogProps): ReactNode {
  const { title, text, choices, onClose, cancel = texts.common.cancel, width = 440, children } = props;
  return (
    <DialogFrame
      title={title}
      width={width}
      onClose={onClose}
      actions={
        <>
          {cancel !== null && <Button onClick={onClose}>{cancel}</Button>}
          {choices.map(({ label, act, colour = "primary", primary = true }) => (
            <Button key={label} color={colour} variant={primary ? "contained" : "outlined"} onClick={act}>
              {label}
            </Button>
          ))}
        </>
      }
    >
      {text !== undefined && <Typography>{text}</Typography>}
      {children}
    </DialogFrame>
  );
}
