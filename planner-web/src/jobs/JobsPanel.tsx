import AddIcon from "@mui/icons-material/Add";
import {
  Box,
  Button,
  Checkbox,
  Chip,
  LinearProgress,
  ToggleButton,
  ToggleButtonGroup,
  Typography,
} from "@mui/material";
import { fill, type Job, texts, type Unit, useLevel } from "@routewright/web";
import { useVirtualizer } from "@tanstack/react-virtual";
import { type ReactNode, useDeferredValue, useMemo, useRef, useState } from "react";
import { usePlanContext } from "../plan/context.ts";
import { openDialog } from "../plan/dialogs.ts";
import { unservedOf } from "../plan/plan.ts";
import { useScenarioUnits } from "../plan/queries.ts";
import { selectJobs, useSelection } from "../plan/selection.ts";
import { PanelHead } from "../shell/PanelHead.tsx";
import { download } from "../dispatch/send.ts";
import { MenuButton } from "../shell/MenuButton.tsx";
import { useMayEdit } from "../shell/view.ts";
import { JobRow, ROW_HEIGHT } from "./JobRow.tsx";
import { useJobActions } from "./selection-actions.ts";

type Shown = "all" | "unserved" | "served";

/** Jobs of the active scenario beside the map. */
export function JobsPanel(): ReactNode {
  const { plan, scenario, scenarioId, loading, error } = usePlanContext();
  const [search, setSearch] = useState("");
  const [shown, setShown] = useState<Shown>("all");
  const asked = useDeferredValue(search.trim().toLowerCase());
  const edits = useMayEdit();
  const writes = useLevel("jobs_write");
  const { data: units } = useScenarioUnits(scenarioId);
  const jobs = useMemo(
    () => filterJobs(plan.jobs, shown, asked, jobsWithUnit(units ?? [], asked)),
    [plan.jobs, units, shown, asked],
  );
  const unserved = unservedOf(plan.jobs).length;
  const total = plan.jobs.length;
  return (
    <>
      <PanelHead
        title={texts.jobs.title}
        note={jobs.length === total ? String(total) : `${jobs.length} / ${total}`}
        search={{ label: texts.jobs.search, value: search, onChange: setSearch }}
        actions={
          edits &&
          writes &&
          scenarioId !== null && (
            <>
              <Button
                variant="contained"
                startIcon={<AddIcon />}
                onClick={() => openDialog({ kind: "job", jobId: null })}
              >
                {texts.jobs.newJob}
              </Button>
              <PanelMenu />
            </>
          )
        }
      />
      <Box sx={{ px: 1.5, py: 0.75, display: "flex", alignItems: "center", gap: 1 }}>
        <ToggleButtonGroup
          exclusive
          size="small"
          value={shown}
          onChange={(_, value: Shown | null) => setShown(value ?? "all")}
          aria-label={texts.jobs.fields.status}
        >
          <FilterButton value="all" label={texts.common.all} />
          <FilterButton value="unserved" label={`${texts.jobs.unserved} ${unserved}`} />
          <FilterButton value="served" label={`${texts.jobs.served} ${total - unserved}`} />
        </ToggleButtonGroup>
      </Box>
      <VisitCounts jobs={plan.jobs} />
      {edits && <SelectionBar jobs={jobs} />}
      {loading && <LinearProgress aria-label={texts.common.loading} />}
      <JobList
        jobs={jobs}
        empty={total === 0 && scenario !== null ? texts.jobs.empty : texts.jobs.nothingFound}
        silent={scenario === null}
        loading={loading || error !== null}
      />
    </>
  );
}

/** How many jobs were visited, and how; nothing before the first proof. */
function VisitCounts({ jobs }: { jobs: readonly Job[] }): ReactNode {
  const visited = jobs.filter((job) => job.visited);
  if (visited.length === 0) return null;
  const successful = visited.filter((job) => job.successful).length;
  return (
    <Typography variant="caption" color="textSecondary" sx={{ px: 1.5, pb: 0.75 }}>
      {fill(texts.jobs.visitedCount, { n: visited.length })} ·{" "}
      {fill(texts.jobs.successfulCount, { n: successful })} ·{" "}
      {fill(texts.jobs.unsuccessfulCount, { n: visited.length - successful })}
    </Typography>
  );
}

function FilterButton({ value, label, ...rest }: { value: Shown; label: string }): ReactNode {
  return (
    <ToggleButton {...rest} value={value} sx={{ textTransform: "none", py: 0.25, px: 1.25 }}>
      {label}
    </ToggleButton>
  );
}

/** Jobs that carry a unit whose uid holds the text. */
function jobsWithUnit(units: readonly Unit[], search: string): ReadonlySet<number> {
  const ids = new Set<number>();
  if (search === "") return ids;
  for (const { uid, job_id: jobId } of units) {
    if (jobId !== null && uid.toLowerCase().includes(search)) ids.add(jobId);
  }
  return ids;
}

function filterJobs(
  jobs: readonly Job[],
  shown: Shown,
  search: string,
  withUnit: ReadonlySet<number>,
): readonly Job[] {
  return jobs.filter((job) => {
    if (shown !== "all" && (job.run_id === null) !== (shown === "unserved")) return false;
    if (search === "" || withUnit.has(job.id)) return true;
    const words = [job.uid, job.customer_name, job.location.address, job.reference, job.invoice];
    return words.some((word) => word?.toLowerCase().includes(search) ?? false);
  });
}

function JobList({
  jobs,
  empty,
  silent,
  loading,
}: {
  jobs: readonly Job[];
  empty: string;
  silent: boolean;
  loading: boolean;
}): ReactNode {
  const scroller = useRef<HTMLDivElement>(null);
  const rows = useVirtualizer({
    count: jobs.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: 8,
    // Rows measured while React draws must not draw again at once.
    useFlushSync: false,
  });
  if (jobs.length === 0) {
    return loading ? null : (
      <Typography color="textSecondary" sx={{ p: 2 }}>
        {silent ? texts.scenarios.none : empty}
      </Typography>
    );
  }
  return (
    <Box ref={scroller} sx={{ flex: 1, overflow: "auto", minHeight: 0 }}>
      <Box
        role="list"
        aria-label={texts.jobs.title}
        sx={{ position: "relative", height: rows.getTotalSize() }}
      >
        {rows.getVirtualItems().map(({ index, start }) => {
          const job = jobs[index];
          return job === undefined ? null : <JobRow key={job.id} job={job} top={start} />;
        })}
      </Box>
    </Box>
  );
}

/** What can be done with the marked jobs. */
function SelectionBar({ jobs }: { jobs: readonly Job[] }): ReactNode {
  const selected = useSelection((state) => state.jobIds);
  const writes = useLevel("jobs_write");
  const moves = useLevel("runs_write");
  if (selected.size === 0) return null;
  const ids = [...selected];
  const all = jobs.length > 0 && jobs.every((job) => selected.has(job.id));
  return (
    <Box
      sx={{
        px: 1,
        py: 0.5,
        display: "flex",
        alignItems: "center",
        gap: 0.5,
        bgcolor: "action.selected",
        flexWrap: "wrap",
      }}
    >
      <Checkbox
        checked={all}
        indeterminate={!all}
        slotProps={{ input: { "aria-label": texts.drivers.selectAll } }}
        onChange={(_, checked) => selectJobs(checked ? jobs.map((job) => job.id) : [])}
      />
      <Chip label={fill(texts.jobs.selected, { n: ids.length })} onDelete={() => selectJobs([])} />
      {moves && (
        <Button onClick={() => openDialog({ kind: "move", jobIds: ids })}>{texts.runs.moveTo}</Button>
      )}
      {writes && (
        <Button onClick={() => openDialog({ kind: "tags", jobIds: ids })}>{texts.jobs.fields.tags}</Button>
      )}
      <MoreActions ids={ids} />
    </Box>
  );
}

/** Everything else that can be done with the marked jobs. */
function MoreActions({ ids }: { ids: number[] }): ReactNode {
  const beside = new Set([texts.runs.moveTo, texts.jobs.fields.tags]);
  const items = useJobActions()(ids.length).filter(({ label }) => !beside.has(label));
  return (
    <MenuButton
      label={fill(texts.jobs.moreForSelected, { n: ids.length })}
      items={items.map(({ label, act }) => ({ label, act: () => act(ids) }))}
    />
  );
}

function PanelMenu(): ReactNode {
  const { scenarioId } = usePlanContext();
  const bulk = useLevel("bulk_entry_jobs");
  const excel = useLevel("excel_export");
  const readsProofs = useLevel("proofs_read");
  const proofs = readsProofs && excel;
  const items = [
    {
      label: texts.jobs.bulkCreate,
      act: () => openDialog({ kind: "job-panel", jobId: null }),
      shown: bulk,
    },
    {
      label: texts.jobs.poolTitle,
      act: () => openDialog({ kind: "job-panel", jobId: null, pool: true }),
      shown: bulk,
    },
    { label: texts.imports.title, act: () => openDialog({ kind: "import-jobs" }), shown: true },
    {
      label: texts.proofs.searchTitle,
      act: () => openDialog({ kind: "search-proofs" }),
      shown: readsProofs,
    },
    {
      label: texts.jobs.exportProofs,
      act: () =>
        void download("/export_proofs", "proofs.xlsx", texts.dispatch.downloadingExcel, {
          scenario_id: String(scenarioId),
        }),
      shown: proofs,
    },
  ];
  return <MenuButton label={texts.common.more} items={items.filter((item) => item.shown)} />;
}
