import CheckIcon from "@mui/icons-material/RuleOutlined";
import ValidateIcon from "@mui/icons-material/FactCheckOutlined";
import { Badge, Box, IconButton, LinearProgress, Tooltip, Typography } from "@mui/material";
import { distanceText, durationText, fill, texts, useLevel, useModule, useSession } from "@routewright/web";
import { type ReactNode, useMemo } from "react";
import { usePlanContext } from "../plan/context.ts";
import { openDialog } from "../plan/dialogs.ts";
import { stopsByRun } from "../plan/plan.ts";
import { PanelHead } from "../shell/PanelHead.tsx";
import { useMayEdit } from "../shell/view.ts";
import { RunCard } from "./RunCard.tsx";
import { useConstraintsCheck } from "./violations.ts";

/** Runs of the active scenario with their totals. */
export function RunsPanel(): ReactNode {
  const { plan, loading } = usePlanContext();
  const unit = useSession((state) => state.user?.organisation.settings.distance_unit ?? "km");
  const stops = useMemo(() => stopsByRun(plan.jobs), [plan.jobs]);
  const { data: check } = useConstraintsCheck();
  const edits = useMayEdit();
  const bills = useLevel("billing_rates_read");
  const checks = useModule("constraints_checker");
  const time = plan.runs.reduce((sum, run) => sum + run.total_driving_time, 0);
  const distance = plan.runs.reduce((sum, run) => sum + run.distance, 0);
  const closed = plan.runs.filter((run) => run.status === "closed");
  return (
    <>
      <PanelHead
        title={texts.runs.title}
        note={String(plan.runs.length)}
        actions={
          edits && (
            <>
              {checks && (
                <Tooltip title={texts.runs.check}>
                  <IconButton
                    aria-label={texts.runs.check}
                    onClick={() => openDialog({ kind: "violations" })}
                  >
                    <Badge badgeContent={check?.violations.length ?? 0} color="error">
                      <CheckIcon fontSize="small" />
                    </Badge>
                  </IconButton>
                </Tooltip>
              )}
              {bills && closed.length > 0 && (
                <Tooltip title={texts.runs.validation.validate}>
                  <IconButton
                    aria-label={texts.runs.validation.validate}
                    onClick={() => openDialog({ kind: "validate", runIds: closed.map(({ id }) => id) })}
                  >
                    <ValidateIcon fontSize="small" />
                  </IconButton>
                </Tooltip>
              )}
            </>
          )
        }
      />
      {loading && <LinearProgress aria-label={texts.common.loading} />}
      {loading && plan.runs.length === 0 ? null : plan.runs.length === 0 ? (
        <Typography color="textSecondary" sx={{ p: 2 }}>
          {texts.runs.empty}
        </Typography>
      ) : (
        <>
          <Typography variant="body2" color="textSecondary" sx={{ px: 1.5, py: 0.75 }}>
            {fill(texts.runs.totals, { time: durationText(time), distance: distanceText(distance, unit) })}
          </Typography>
          <Box role="list" sx={{ flex: 1, overflow: "auto", minHeight: 0 }}>
            {plan.runs.map((run) => (
              <RunCard
                key={run.id}
                run={run}
                stops={stops.get(run.id) ?? []}
                violations={check?.violations.filter((item) => item.run_id === run.id).length ?? 0}
              />
            ))}
          </Box>
        </>
      )}
    </>
  );
}
