import { Button, Typography } from "@mui/material";
import { texts } from "@routewright/web";
import { type ReactNode, useState } from "react";
import { ConfirmDialog } from "./ConfirmDialog.tsx";

interface DeleteButtonProps {
  /** The question. */
  text: string;
  /** Whether it goes to the bin. */
  binned?: boolean;
  onDelete: () => void;
}

/** Deletes after a question. */
export function DeleteButton({ text, binned = false, onDelete }: DeleteButtonProps): ReactNode {
  const [asking, setAsking] = useState(false);
  return (
    <>
      <Button color="error" onClick={() => setAsking(true)}>
        {texts.common.delete}
      </Button>
      {asking && (
        <ConfirmDialog
          title={texts.common.delete}
          text={text}
          onClose={() => setAsking(false)}
          choices={[
            {
              label: texts.common.delete,
              colour: "error",
              act: () => {
                setAsking(false);
                onDelete();
              },
            },
          ]}
        >
          {binned && (
            <Typography variant="body2" color="text.secondary" sx={{ mt: 1 }}>
              {texts.common.binned}
            </Typography>
          )}
        </ConfirmDialog>
      )}
    </>
  );
}
