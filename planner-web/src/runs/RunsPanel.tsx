import CheckIcon from "@mui/icons-material/RuleOutlined";
import ValidateIcon from "@mui/icons-material/FactCheckOutlined";
import { Badge, Box, IconButton, LinearProgress, Tooltip, Typography } from "@mui/material";
import {
  distanceText,
  durationText,
  fill,
  type Job,
  type Run,
  texts,
  useLevel,
  useModule,
  useSession,
} from "@routewright/web";
import { useVirtualizer } from "@tanstack/react-virtual";
import { type ReactNode, useMemo, useRef } from "react";
import { usePlanContext } from "../plan/context.ts";
import { openDialog } from "../plan/dialogs.ts";
import { stopsByRun } from "../plan/plan.ts";
import { useProblems } from "../plan/use-problems.ts";
import { PanelHead } from "../ui/PanelHead.tsx";
import { useMayEdit } from "../ui/view.ts";
import { RunCard } from "./RunCard.tsx";
import { useConstraintsCheck } from "./violations.ts";

/** Runs of the active scenario with their totals. */
export function RunsPanel(): ReactNode {
  const { plan, loading } = usePlanContext();
  const unit = useSession((state) => state.user?.organisation.settings.distance_unit ?? "km");
  const stops = stopsByRun(plan.jobs);
  const { data: check } = useConstraintsCheck();
  const violations = useMemo(() => countByRun(check?.violations ?? []), [check]);
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
          <RunList runs={plan.runs} stops={stops} violations={violations} />
        </>
      )}
    </>
  );
}

function countByRun(violations: readonly { run_id: number | null }[]): ReadonlyMap<number, number> {
  const counts = new Map<number, number>();
  for (const { run_id: id } of violations) if (id !== null) counts.set(id, (counts.get(id) ?? 0) + 1);
  return counts;
}

interface RunListProps {
  runs: readonly Run[];
  stops: ReadonlyMap<number, readonly Job[]>;
  violations: ReadonlyMap<number, number>;
}

/** Pixels of a closed card. */
const CARD = 54;
const NO_STOPS: readonly Job[] = [];

/** The cards that are seen; an opened one is as high as its stops. */
function RunList({ runs, stops, violations }: RunListProps): ReactNode {
  const problems = useProblems();
  const scroller = useRef<HTMLDivElement>(null);
  const cards = useVirtualizer({
    count: runs.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => CARD,
    getItemKey: (index) => runs[index]?.id ?? index,
    overscan: 3,
    // Cards measured while React draws must not draw again at once.
    useFlushSync: false,
  });
  return (
    <Box ref={scroller} sx={{ flex: 1, overflow: "auto", minHeight: 0 }}>
      <Box
        role="list"
        aria-label={texts.runs.title}
        sx={{ position: "relative" }}
        style={{ height: cards.getTotalSize() }}
      >
        {cards.getVirtualItems().map(({ index, start, key }) => {
          const run = runs[index];
          return run === undefined ? null : (
            <Box
              key={key}
              ref={cards.measureElement}
              data-index={index}
              sx={{ position: "absolute", insetInline: 0, top: 0 }}
              style={{ transform: `translateY(${start}px)` }}
            >
              <RunCard
                run={run}
                stops={stops.get(run.id) ?? NO_STOPS}
                violations={violations.get(run.id) ?? 0}
                problems={problems.ofRun(run.id)}
              />
            </Box>
          );
        })}
      </Box>
    </Box>
  );
}
