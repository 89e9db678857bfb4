import { Box, Button } from "@mui/material";
import { texts } from "@routewright/web";
import type { ReactNode } from "react";

interface FormButtonsProps {
  writable: boolean;
  working: boolean;
  onClose: () => void;
  /** What stands first: the button that deletes. */
  children: ReactNode;
}

/** Delete, cancel and save below a form; only the way back for those who may not write. */
export function FormButtons({ writable, working, onClose, children }: FormButtonsProps): ReactNode {
  return (
    <Box sx={{ display: "flex", gap: 1 }}>
      {writable && children}
      <Button sx={{ ml: "auto" }} onClick={onClose}>
        {writable ? texts.common.cancel : texts.common.back}
      </Button>
      {writable && (
        <Button type="submit" variant="contained" loading={working}>
          {texts.common.save}
        </Button>
      )}
    </Box>
  );
}
