import { Box, Button, TextField } from "@mui/material";
import { type Job, texts } from "@routewright/web";
import { type ReactNode, useState } from "react";
import { useUnsaved } from "../ui/unsaved.tsx";
import { changeReturns, duplicateReturns } from "./attachments.ts";

interface ReturnsButtonsProps {
  job: Job;
  /** The marked ones. */
  ids: number[];
}

/** Copies the marked returns, or gives them the same comments. */
export function ReturnsButtons({ job, ids }: ReturnsButtonsProps): ReactNode {
  const [comments, setComments] = useState<string | null>(null);
  useUnsaved(comments !== null && comments !== "");
  const [working, setWorking] = useState(false);
  const run = (work: Promise<void>): void => {
    setWorking(true);
    void work
      .then(
        () => setComments(null),
        () => undefined,
      )
      .finally(() => setWorking(false));
  };
  return (
    <>
      <Button disabled={ids.length === 0 || working} onClick={() => run(duplicateReturns(job, ids))}>
        {texts.attachments.duplicate}
      </Button>
      <Button disabled={ids.length === 0} onClick={() => setComments("")}>
        {texts.attachments.changeComments}
      </Button>
      {comments !== null && (
        <Box sx={{ display: "flex", gap: 1, flexBasis: "100%", flexWrap: "wrap" }}>
          <TextField
            autoFocus
            label={texts.attachments.comments}
            value={comments}
            onChange={(event) => setComments(event.target.value)}
            sx={{ flex: "1 1 220px" }}
          />
          <Button onClick={() => setComments(null)}>{texts.common.cancel}</Button>
          <Button
            variant="contained"
            loading={working}
            disabled={ids.length === 0}
            onClick={() => run(changeReturns(job, ids, comments))}
          >
            {texts.common.save}
          </Button>
        </Box>
      )}
    </>
  );
}
