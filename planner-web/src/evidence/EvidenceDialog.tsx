import { Alert, Autocomplete, Box, Button, Card, Chip, TextField, Typography } from "@mui/material";
import { fill, type Job, momentText, session, texts, toastSuccess } from "@routewright/web";
import { Photos } from "@routewright/web/proofs";
import { type ReactNode, useState } from "react";
import { usePlanContext } from "../plan/context.ts";
import { Modal } from "../ui/Modal.tsx";
import { assign, dismiss, type Evidence, useEvidence } from "./evidence.ts";

/** What drivers recorded and the plan had no place for any more: a planner gives it to a job or puts it aside. */
export function EvidenceDialog({ onClose }: { onClose: () => void }): ReactNode {
  const all = useEvidence(true);
  return (
    <Modal title={texts.evidence.title} width={720} onClose={onClose}>
      <Box sx={{ display: "grid", gap: 1.5, mb: 1.5 }}>
        <Typography color="textSecondary">{texts.evidence.help}</Typography>
        {all.length === 0 && <Alert severity="success">{texts.evidence.none}</Alert>}
      </Box>
      <Box component="ul" aria-label={texts.evidence.title} sx={{ display: "grid", gap: 1.5, p: 0, m: 0 }}>
        {all.map((one) => (
          <One key={one.id} one={one} />
        ))}
      </Box>
    </Modal>
  );
}

interface Content {
  job_proof?: { success?: boolean; comments?: string | null; signature_name?: string | null } | null;
  note?: string | null;
}

function One({ one }: { one: Evidence }): ReactNode {
  const { plan } = usePlanContext();
  const [job, setJob] = useState<Job | null>(null);
  const [reason, setReason] = useState(
    one.kind === "note" || one.state === "moved" ? texts.evidence.seen : "",
  );
  const [busy, setBusy] = useState(false);
  const content = one.content as Content;
  const proof = content.job_proof ?? null;
  const act = async (work: () => Promise<void>, done: string): Promise<void> => {
    setBusy(true);
    try {
      await work();
      toastSuccess(done);
    } catch {
      // Told by the request.
    } finally {
      setBusy(false);
    }
  };
  const words = [
    one.problem,
    one.state === "moved"
      ? fill(texts.evidence.moved, {
          job: one.job_uid ?? "",
          run: one.job_run ?? texts.evidence.unassigned,
        })
      : null,
    content.note,
    proof?.comments,
    proof?.signature_name,
  ].filter((text) => text !== null && text !== undefined && text !== "");
  return (
    <Card component="li" variant="outlined" sx={{ p: 1.5, display: "grid", gap: 1 }}>
      <Box sx={{ display: "flex", alignItems: "center", gap: 1, flexWrap: "wrap" }}>
        <Chip size="small" label={texts.evidence.kinds[one.kind as keyof typeof texts.evidence.kinds]} />
        <Typography sx={{ fontWeight: 650 }}>{one.job_uid}</Typography>
        {proof !== null && (
          <Typography color={proof.success === false ? "error" : "success"}>
            {proof.success === false ? texts.evidence.notDelivered : texts.evidence.delivered}
          </Typography>
        )}
        <Typography variant="body2" color="textSecondary" sx={{ ml: "auto" }}>
          {fill(texts.evidence.captured, {
            time: momentText(one.captured_at, session().user?.organisation.timezone),
            run: one.run_uid,
          })}
        </Typography>
      </Box>
      {words.map((text) => (
        <Typography key={text} variant="body2">
          {text}
        </Typography>
      ))}
      <Photos photos={one.photos} signature={one.signature} />
      {one.kind === "stop" && one.state === "open" && (
        <Box sx={{ display: "flex", gap: 1 }}>
          <Autocomplete
            fullWidth
            options={plan.jobs}
            value={job}
            getOptionLabel={({ uid, customer_name: name }) => (name === null ? uid : `${uid} · ${name}`)}
            getOptionKey={({ id }) => id}
            isOptionEqualToValue={(a, b) => a.id === b.id}
            onChange={(_, chosen) => setJob(chosen)}
            renderInput={(props) => <TextField {...props} size="small" label={texts.evidence.job} />}
          />
          <Button
            variant="contained"
            disabled={job === null || busy}
            sx={{ whiteSpace: "nowrap" }}
            onClick={() => {
              if (job !== null) void act(() => assign(one.id, job.id), texts.evidence.assigned);
            }}
          >
            {texts.evidence.assign}
          </Button>
        </Box>
      )}
      <Box sx={{ display: "flex", gap: 1 }}>
        <TextField
          fullWidth
          size="small"
          label={texts.evidence.reason}
          value={reason}
          onChange={(event) => setReason(event.target.value)}
        />
        <Button
          disabled={reason.trim() === "" || busy}
          sx={{ whiteSpace: "nowrap" }}
          onClick={() => void act(() => dismiss(one.id, reason), texts.evidence.dismissed)}
        >
          {texts.evidence.dismiss}
        </Button>
      </Box>
    </Card>
  );
}
