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
import { memo, type ReactNode, useDeferredValue, useMemo, useRef, useState } from "react";
import { useAddressesToConfirm } from "../locations/addresses.ts";
import { usePlanContext, useScenarioContext } from "../plan/context.ts";
import { openDialog } from "../plan/dialogs.ts";
import { runsById, unservedOf } from "../plan/plan.ts";
import { useScenarioUnits } from "../plan/queries.ts";
import { passes } from "../plan/filter.ts";
import type { Problems } from "../plan/problems.ts";
import { filterJobs, type JobFilter, selectJobs, useSelection } from "../plan/selection.ts";
import { useProblems } from "../plan/use-problems.ts";
import { PanelHead } from "../ui/PanelHead.tsx";
import { download } from "../dispatch/send.ts";
import { MenuButton } from "../ui/MenuButton.tsx";
import { useMayEdit, useView } from "../ui/view.ts";
import { JobRow, ROW_HEIGHT } from "./JobRow.tsx";
import { useJobActions } from "./selection-actions.ts";

/** Jobs of the active scenario beside the map. */
export function JobsPanel(): ReactNode {
  const { plan, scenario, scenarioId, loading, error } = usePlanContext();
  const [search, setSearch] = useState("");
  const shown = useSelection((state) => state.jobFilter);
  const problems = useProblems();
  const customer = useView() === "customer";
  const asked = useDeferredValue(search.trim().toLowerCase());
  const edits = useMayEdit();
  const { data: units } = useScenarioUnits(scenarioId);
  const jobs = useMemo(
    () => found(plan.jobs, shown, problems, asked, jobsWithUnit(units ?? [], asked)),
    [plan.jobs, units, shown, problems, asked],
  );
  const unserved = unservedOf(plan.jobs).length;
  const total = plan.jobs.length;
  const late = useMemo(
    () => plan.jobs.filter((job) => problems.has(job.id, "late")).length,
    [plan.jobs, problems],
  );
  const wrong = useMemo(
    () => plan.jobs.filter((job) => problems.ofJob(job.id).length > 0).length,
    [plan.jobs, problems],
  );
  return (
    <>
      <Head
        note={jobs.length === total ? String(total) : `${jobs.length} / ${total}`}
        search={search}
        onSearch={setSearch}
      />
      <Box sx={{ px: 1.5, py: 0.75, display: "flex", alignItems: "center", gap: 1 }}>
        <Filters
          shown={shown}
          unserved={unserved}
          served={total - unserved}
          late={customer ? null : late}
          wrong={customer ? null : wrong}
        />
      </Box>
      <VisitCounts jobs={plan.jobs} />
      {edits && <SelectionBar jobs={jobs} />}
      {loading && <LinearProgress aria-label={texts.common.loading} />}
      <JobList
        jobs={jobs}
        problems={problems}
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

interface HeadProps {
  note: string;
  search: string;
  onSearch: (search: string) => void;
}

const Head = memo(function Head({ note, search, onSearch }: HeadProps): ReactNode {
  const { scenarioId } = useScenarioContext();
  const edits = useMayEdit();
  const writes = useLevel("jobs_write");
  return (
    <PanelHead
      title={texts.jobs.title}
      note={note}
      search={{ label: texts.jobs.search, value: search, onChange: onSearch }}
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
  );
});

interface FiltersProps {
  shown: JobFilter;
  /** How many jobs each would show; `null`: not offered. */
  unserved: number;
  served: number;
  late: number | null;
  wrong: number | null;
}

const Filters = memo(function Filters({ shown, unserved, served, late, wrong }: FiltersProps): ReactNode {
  return (
    <ToggleButtonGroup
      exclusive
      size="small"
      value={shown.startsWith("unserved") ? "unserved" : shown}
      onChange={(_, value: JobFilter | null) => filterJobs(value ?? "all")}
      sx={{ flexWrap: "wrap" }}
      aria-label={texts.jobs.fields.status}
    >
      <FilterButton value="all" label={texts.common.all} />
      <FilterButton value="unserved" label={`${texts.jobs.unserved} ${unserved}`} />
      <FilterButton value="served" label={`${texts.jobs.served} ${served}`} />
      {late !== null && <FilterButton value="late" label={`${texts.jobs.late} ${late}`} />}
      {wrong !== null && <FilterButton value="problem" label={`${texts.problems.filter} ${wrong}`} />}
    </ToggleButtonGroup>
  );
});

function FilterButton({ value, label, ...rest }: { value: JobFilter; label: string }): ReactNode {
  return (
    <ToggleButton {...rest} value={value} sx={{ textTransform: "none", py: 0.25, px: 0.75 }}>
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

function found(
  jobs: readonly Job[],
  shown: JobFilter,
  problems: Problems,
  search: string,
  withUnit: ReadonlySet<number>,
): readonly Job[] {
  return jobs.filter((job) => {
    if (!passes(job, shown, problems)) return false;
    if (search === "" || withUnit.has(job.id)) return true;
    const words = [job.uid, job.customer_name, job.location.address, job.reference, job.invoice];
    return words.some((word) => word?.toLowerCase().includes(search) ?? false);
  });
}

const rowHeight = (): number => ROW_HEIGHT;

function JobList({
  jobs,
  problems,
  empty,
  silent,
  loading,
}: {
  jobs: readonly Job[];
  problems: Problems;
  empty: string;
  silent: boolean;
  loading: boolean;
}): ReactNode {
  const runs = runsById(usePlanContext().plan.runs);
  const scroller = useRef<HTMLDivElement>(null);
  const rows = useVirtualizer({
    count: jobs.length,
    getScrollElement: () => scroller.current,
    estimateSize: rowHeight,
    overscan: 4,
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
          return job === undefined ? null : (
            <JobRow
              key={job.id}
              job={job}
              run={runs.get(job.run_id ?? 0)}
              problems={problems.ofJob(job.id)}
              top={start}
            />
          );
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
  const { scenarioId } = useScenarioContext();
  const bulk = useLevel("bulk_entry_jobs");
  const excel = useLevel("excel_export");
  const readsProofs = useLevel("proofs_read");
  const proofs = readsProofs && excel;
  const doubtful = useAddressesToConfirm(true)?.length ?? 0;
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
      label: doubtful > 0 ? fill(texts.addresses.count, { n: doubtful }) : texts.addresses.title,
      act: () => openDialog({ kind: "addresses" }),
      shown: true,
    },
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
