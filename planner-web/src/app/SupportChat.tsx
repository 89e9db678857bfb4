import ChatIcon from "@mui/icons-material/ChatOutlined";
import { Fab } from "@mui/material";
import { texts, useLevel } from "@routewright/web";
import type { ReactNode } from "react";

/**
 * The way to the installation's support chat, for users who may use it; nothing where there is none. The chat opens
 * in a window of its own, so that nothing of it runs beside the plan.
 */
export function SupportChat(): ReactNode {
  const url = import.meta.env.VITE_SUPPORT_CHAT_URL;
  const allowed = useLevel("support_chat");
  if (!allowed || url === undefined || url === "") return null;
  return (
    <Fab
      component="a"
      href={url}
      target="routewright-support"
      rel="noopener noreferrer"
      size="small"
      color="primary"
      aria-label={texts.map.supportChat}
      sx={{ position: "fixed", right: 16, bottom: { xs: 76, md: 16 }, zIndex: 1090 }}
    >
      <ChatIcon fontSize="small" />
    </Fab>
  );
}
