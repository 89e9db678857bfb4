import { Box, LinearProgress, Typography } from "@mui/material";
import {
  apiUrl,
  type ChecklistSubmission,
  Facts,
  momentText,
  type Page,
  recordTimeMoment,
  request,
  requestAll,
  type Run,
  type RunProof,
  texts,
  useSession,
} from "@routewright/web";
import { Photos } from "@routewright/web/proofs";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { keys } from "../plan/keys.ts";
import { ProofsMap } from "../proofs/ProofsMap.tsx";

/** Checklist submissions, and the proofs of the route's start and end with their places. */
export function RunProofsTab({ run }: { run: Run }): ReactNode {
  const zone = useSession((state) => state.user?.organisation.timezone);
  const { data: submissions, isPending: asking } = useQuery({
    queryKey: [...keys.run(run.id), "checklists"],
    queryFn: () =>
      request<Page<ChecklistSubmission>>("/checklist/submissions", { query: { run_id: run.id } }),
  });
  const { data: proofs = [], isPending } = useQuery({
    queryKey: [...keys.run(run.id), "run-proofs"],
    queryFn: () => requestAll<RunProof>("/run_proofs", { run_ids: [run.id] }),
  });
  const list = submissions?.data ?? [];
  return (
    <Box sx={{ display: "grid", gap: 3 }}>
      {asking || isPending ? (
        <LinearProgress aria-label={texts.common.loading} />
      ) : (
        proofs.length === 0 &&
        list.length === 0 && <Typography color="textSecondary">{texts.proofs.none}</Typography>
      )}
      <ProofsMap proofs={proofs} />
      {proofs.map((proof) => (
        <Box key={proof.id} sx={{ display: "grid", gap: 1 }}>
          <Typography variant="subtitle1">
            {proof.mode === "start" ? texts.runs.routeStart : texts.runs.routeEnd}
          </Typography>
          <Facts
            facts={[
              [texts.proofs.recorded, momentText(recordTimeMoment(proof.record_time), zone)],
              [texts.runs.start.odometer.replace("{unit}", "km"), proof.odometer?.toFixed(2)],
            ]}
          />
          <Photos photos={proof.photos} signature={proof.signature} />
        </Box>
      ))}
      {list.map((submission) => (
        <Box key={submission.id} sx={{ display: "grid", gap: 1 }}>
          <Typography variant="subtitle1">
            {texts.runs.checklist} – {submission.checklist_definition.name}
          </Typography>
          <Facts
            facts={submission.checklist_definition.fields.map((field) => [
              field.label,
              <Answer key={field.id} type={field.type} value={submission.values[field.id] ?? ""} />,
            ])}
          />
        </Box>
      ))}
    </Box>
  );
}

function Answer({ type, value }: { type: string; value: string }): ReactNode {
  if (value === "") return "–";
  if (type === "checkbox") return value === "true" ? texts.common.yes : texts.common.no;
  if (type === "image" || type === "signature" || type === "images")
    return <StoredImages ids={value.split(",")} />;
  return value;
}

function StoredImages({ ids }: { ids: readonly string[] }): ReactNode {
  const { data = [] } = useQuery({
    queryKey: ["files", ...ids],
    queryFn: () => Promise.all(ids.map((id) => request<{ id: number; link: string }>(`/files/${id.trim()}`))),
    staleTime: Infinity,
  });
  return data.map(({ id, link }) => (
    <Box
      key={id}
      component="img"
      src={apiUrl(link)}
      alt={texts.proofs.photos}
      sx={{ height: 96, borderRadius: 1, mr: 1 }}
    />
  ));
}
