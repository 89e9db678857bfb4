import MailIcon from "@mui/icons-material/UnsubscribeOutlined";
import { Badge, IconButton, Tooltip } from "@mui/material";
import { fill, texts } from "@routewright/web";
import type { ReactNode } from "react";
import { openDialog } from "../plan/dialogs.ts";
import { useUndelivered } from "./undelivered.ts";

/** Is there only when messages of the scenario may not have arrived; opens the list. */
export function UndeliveredButton(): ReactNode {
  const n = useUndelivered().data?.length ?? 0;
  if (n === 0) return null;
  const label = fill(texts.messages.open, { n });
  return (
    <Tooltip title={label}>
      <IconButton aria-label={label} onClick={() => openDialog({ kind: "undelivered" })}>
        <Badge badgeContent={n} color="warning">
          <MailIcon fontSize="small" />
        </Badge>
      </IconButton>
    </Tooltip>
  );
}
