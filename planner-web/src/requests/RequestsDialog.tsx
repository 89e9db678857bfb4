import { Alert, Box, Typography } from "@mui/material";
import { texts } from "@routewright/web";
import type { ReactNode } from "react";
import { Modal } from "../ui/Modal.tsx";
import { RequestCard } from "./RequestCard.tsx";
import { useRequests } from "./requests.ts";

/** Other days that customers asked for and nobody has dealt with yet. */
export function RequestsDialog({ onClose }: { onClose: () => void }): ReactNode {
  const all = useRequests(true);
  return (
    <Modal title={texts.requests.title} width={640} onClose={onClose}>
      <Box sx={{ display: "grid", gap: 1.5 }}>
        <Typography color="textSecondary">{texts.requests.help}</Typography>
        {all.length === 0 && <Alert severity="success">{texts.requests.none}</Alert>}
        {all.map((asked) => (
          <RequestCard key={asked.id} asked={asked} />
        ))}
      </Box>
    </Modal>
  );
}
