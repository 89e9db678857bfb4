import { Alert, Box, Button, List, ListItem, Skeleton, Typography } from "@mui/material";
import {
  fill,
  messageOfError,
  momentText,
  texts,
  toastError,
  toastSuccess,
  useLevel,
  useSession,
} from "@routewright/web";
import { type ReactNode, useState } from "react";
import { Modal } from "../ui/Modal.tsx";
import { decide, type LostMessage, useUndelivered } from "./undelivered.ts";

/** Messages that may not have arrived: each is sent again, or somebody knows that it did. */
export function UndeliveredDialog({ onClose }: { onClose: () => void }): ReactNode {
  const { data, error, isPending, refetch } = useUndelivered();
  return (
    <Modal title={texts.messages.title} width={720} onClose={onClose}>
      <Typography color="textSecondary">{texts.messages.why}</Typography>
      {isPending && <Skeleton variant="rounded" height={80} />}
      {error && (
        <Alert
          severity="error"
          action={<Button onClick={() => void refetch()}>{texts.messages.tryAgain}</Button>}
        >
          {messageOfError(error)}
        </Alert>
      )}
      {data?.length === 0 && <Alert severity="success">{texts.messages.none}</Alert>}
      {data !== undefined && data.length > 0 && (
        <List disablePadding>
          {data.map((message) => (
            <Row key={message.id} message={message} />
          ))}
        </List>
      )}
    </Modal>
  );
}

function Row({ message }: { message: LostMessage }): ReactNode {
  const zone = useSession((state) => state.user?.organisation.timezone);
  const decides = useLevel("runs_write");
  const [busy, setBusy] = useState<"again" | "arrived" | null>(null);
  const to = message.recipients.join(", ");

  async function settle(what: "again" | "arrived"): Promise<void> {
    setBusy(what);
    try {
      await decide(message.id, what === "arrived");
      toastSuccess(fill(what === "arrived" ? texts.messages.nowArrived : texts.messages.onItsWay, { to }));
    } catch (error) {
      toastError(messageOfError(error));
    } finally {
      setBusy(null);
    }
  }
  return (
    <ListItem disableGutters divider sx={{ display: "flex", flexWrap: "wrap", gap: 1 }}>
      <Box sx={{ flex: "1 1 260px", minWidth: 0 }}>
        <Typography sx={{ overflowWrap: "anywhere" }}>{to}</Typography>
        <Typography variant="body2" color="textSecondary" sx={{ overflowWrap: "anywhere" }}>
          {[message.run_uid ?? message.job_uid, message.subject, momentText(message.created, zone)]
            .filter((part) => part !== null && part !== "")
            .join(" · ")}
        </Typography>
      </Box>
      {decides && (
        <Box sx={{ display: "flex", gap: 1 }}>
          <Button
            variant="contained"
            disabled={busy !== null}
            loading={busy === "again"}
            onClick={() => void settle("again")}
          >
            {texts.messages.sendAgain}
          </Button>
          <Button
            disabled={busy !== null}
            loading={busy === "arrived"}
            onClick={() => void settle("arrived")}
          >
            {texts.messages.arrived}
          </Button>
        </Box>
      )}
    </ListItem>
  );
}
