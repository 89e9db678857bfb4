import { Button, Typography } from "@mui/material";
import { texts } from "@routewright/web";
import type { ReactNode } from "react";
import { Modal } from "./Modal.tsx";

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
  /** Label of the way out; `null`: only the choices and Escape. */
  cancel?: string | null;
}

/** A question with its answers. */
export function ConfirmDialog(props: ConfirmDialogProps): ReactNode {
  const { title, text, choices, onClose, cancel = texts.common.cancel } = props;
  return (
    <Modal
      title={title}
      width={440}
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
      <Typography>{text}</Typography>
    </Modal>
  );
}
