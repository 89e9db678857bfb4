import { Badge, Box, Paper, Typography } from "@mui/material";
import { mayCall, type Proof, requestAll, session, texts, useModule } from "@routewright/web";
import { byItem, countStage, latestJobProof, type Stage, STAGES } from "@routewright/web/proofs";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { useReasons } from "../plan/queries.ts";

const COLOURS: Record<Stage, string> = {
  load: "warning",
  deliver: "success",
  pickup: "success",
  at_depot: "info",
};

interface ProofSummaryProps {
  filter: { run_ids?: number[]; job_ids?: number[] };
  jobs: number;
}

/** Count of visited jobs, and of units and returns per stage with their exceptions. */
export function ProofSummary({ filter, jobs }: ProofSummaryProps): ReactNode {
  const units = useModule("units");
  const returns = useModule("returns");
  const jobProofs = useProofs("/job_proofs", filter, true);
  const unitProofs = useProofs("/unit_proofs", filter, units);
  const returnProofs = useProofs("/return_proofs", filter, returns);
  const { data: reasonList = [] } = useReasons();
  const reasons = new Map(reasonList.map((reason) => [reason.id, reason]));
  const items = [...byItem(unitProofs, "unit_id").values(), ...byItem(returnProofs, "return_id").values()];
  const latest = [...byItem(jobProofs, "job_id").values()].map(latestJobProof);
  const failed = latest.filter((proof) => proof?.success === false).length;
  return (
    <Box sx={{ display: "flex", gap: 1.5, flexWrap: "wrap" }}>
      <StatBox
        label={texts.proofs.visited}
        text={`${latest.length}/${jobs}`}
        colour="textPrimary"
        badge={0}
      />
      <StatBox
        label={texts.proofs.successful}
        text={String(latest.length - failed)}
        colour="success"
        badge={0}
      />
      <StatBox label={texts.proofs.unsuccessful} text={String(failed)} colour="error" badge={0} />
      {items.length > 0 &&
        STAGES.map((stage) => {
          const { done, total, exceptions } = countStage(stage, items, reasons);
          return (
            <StatBox
              key={stage}
              label={texts.proofs.modes[stage]}
              text={`${done}/${total}`}
              colour={COLOURS[stage]}
              badge={exceptions}
            />
          );
        })}
    </Box>
  );
}

interface StatBoxProps {
  label: string;
  text: string;
  colour: string;
  /** Number of exceptions. */
  badge: number;
}

export function StatBox({ label, text, colour, badge }: StatBoxProps): ReactNode {
  return (
    <Badge badgeContent={badge} color="error">
      <Paper variant="outlined" sx={{ px: 2, py: 1, minWidth: 110 }}>
        <Typography variant="h6" color={colour} sx={{ fontVariantNumeric: "tabular-nums" }}>
          {text}
        </Typography>
        <Typography variant="caption" color="textSecondary">
          {label}
        </Typography>
      </Paper>
    </Badge>
  );
}

export { COLOURS as STAGE_COLOURS };

function useProofs(path: string, filter: ProofSummaryProps["filter"], enabled: boolean): Proof[] {
  const { data } = useQuery({
    queryKey: ["proofs", path, filter],
    queryFn: () => requestAll<Proof>(path, filter),
    enabled: enabled && mayCall("GET", path, session().user),
  });
  return data ?? [];
}
