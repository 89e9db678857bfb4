import { Button } from "@mui/material";
import { texts } from "@routewright/web";
import { type ReactNode, useState } from "react";
import { ConfirmDialog } from "./ConfirmDialog.tsx";

interface DeleteButtonProps {
  /** The question. */
  text: string;
  onDelete: () => void;
}

/** Deletes after a question. */
export function DeleteButton({ text, onDelete }: DeleteButtonProps): ReactNode {
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
        />
      )}
    </>
  );
}
