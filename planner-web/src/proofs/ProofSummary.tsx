import { Badge, Box, Paper, Typography } from "@mui/material";
import { mayCall, type Proof, type Query, requestAll, session, texts, useModule } from "@routewright/web";
import { byItem, countStage, itemProofs, latestJobProof, type Stage, STAGES } from "@routewright/web/proofs";
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
  run: number;
  /** Jobs of the run. */
  jobs: number;
}

/** Count of a run's visited jobs, and of its units and returns per stage with their exceptions. */
export function ProofSummary({ run, jobs }: ProofSummaryProps): ReactNode {
  const withUnits = useModule("units");
  const withReturns = useModule("returns");
  const ofRun = { run_ids: [run] };
  const jobProofs = useAll<Proof>("/job_proofs", ofRun, true);
  const unitProofs = useAll<Proof>("/unit_proofs", ofRun, withUnits);
  const returnProofs = useAll<Proof>("/return_proofs", ofRun, withReturns);
  const units = useAll<{ id: number }>("/units", { run_id: run }, withUnits);
  const returns = useAll<{ id: number }>("/returns", { run_id: run }, withReturns);
  const { data: reasonList = [] } = useReasons();
  const reasons = new Map(reasonList.map((reason) => [reason.id, reason]));
  const items = itemProofs(units, returns, unitProofs, returnProofs);
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
      {units.length + returns.length > 0 &&
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

function useAll<T>(path: string, filter: Query, enabled: boolean): T[] {
  const { data } = useQuery({
    queryKey: ["proofs", path, filter],
    queryFn: () => requestAll<T>(path, filter),
    enabled: enabled && mayCall("GET", path, session().user),
  });
  return data ?? [];
}
