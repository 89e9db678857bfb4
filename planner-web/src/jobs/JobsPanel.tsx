import AddIcon from "@mui/icons-material/Add";
import MoreIcon from "@mui/icons-material/MoreHoriz";
import {
  Box,
  Button,
  Checkbox,
  Chip,
  IconButton,
  Menu,
  MenuItem,
  ToggleButton,
  ToggleButtonGroup,
  Typography,
} from "@mui/material";
import { fill, type Job, texts, useLevel } from "@routewright/web";
import { useVirtualizer } from "@tanstack/react-virtual";
import { type ReactNode, useDeferredValue, useMemo, useRef, useState } from "react";
import { usePlanContext } from "../plan/context.ts";
import { openDialog } from "../plan/dialogs.ts";
import { unservedOf } from "../plan/plan.ts";
import { selectJobs, useSelection } from "../plan/selection.ts";
import { PanelHead } from "../shell/PanelHead.tsx";
import { useMayEdit } from "../shell/view.ts";
import { JobRow, ROW_HEIGHT } from "./JobRow.tsx";
import { moveToPool } from "./pool.ts";

type Shown = "all" | "unserved" | "served";

/** Jobs of the active scenario beside the map. */
export function JobsPanel(): ReactNode {
  const { plan, scenario, scenarioId } = usePlanContext();
  const [search, setSearch] = useState("");
  const [shown, setShown] = useState<Shown>("all");
  const asked = useDeferredValue(search.trim().toLowerCase());
  const edits = useMayEdit();
  const writes = useLevel("jobs_write");
  const jobs = useMemo(() => filterJobs(plan.jobs, shown, asked), [plan.jobs, shown, asked]);
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
      {edits && <SelectionBar jobs={jobs} />}
      <JobList
        jobs={jobs}
        empty={total === 0 && scenario !== null ? texts.jobs.empty : texts.jobs.nothingFound}
        silent={scenario === null}
      />
    </>
  );
}

function FilterButton({ value, label, ...rest }: { value: Shown; label: string }): ReactNode {
  return (
    <ToggleButton {...rest} value={value} sx={{ textTransform: "none", py: 0.25, px: 1.25 }}>
      {label}
    </ToggleButton>
  );
}

function filterJobs(jobs: readonly Job[], shown: Shown, search: string): readonly Job[] {
  return jobs.filter((job) => {
    if (shown !== "all" && (job.run_id === null) !== (shown === "unserved")) return false;
    if (search === "") return true;
    const words = [job.uid, job.customer_name, job.location.address, job.reference, job.invoice];
    return words.some((word) => word?.toLowerCase().includes(search) ?? false);
  });
}

function JobList({
  jobs,
  empty,
  silent,
}: {
  jobs: readonly Job[];
  empty: string;
  silent: boolean;
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
    return (
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
  const { scenarioId } = usePlanContext();
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
      {writes && scenarioId !== null && (
        <Button onClick={() => void moveToPool(ids, scenarioId)}>{texts.jobs.moveToPool}</Button>
      )}
      {writes && ids.length > 1 && (
        <Button onClick={() => openDialog({ kind: "merge", jobIds: ids })}>{texts.jobs.merge}</Button>
      )}
    </Box>
  );
}

function PanelMenu(): ReactNode {
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const bulk = useLevel("bulk_entry_jobs");
  const items = [
    { label: texts.jobs.table, act: () => openDialog({ kind: "job-panel", jobId: null }), shown: true },
    {
      label: texts.jobs.poolTitle,
      act: () => openDialog({ kind: "job-panel", jobId: null, pool: true }),
      shown: bulk,
    },
    { label: texts.imports.title, act: () => openDialog({ kind: "import-jobs" }), shown: true },
  ];
  return (
    <>
      <IconButton aria-label={texts.common.more} onClick={(event) => setAnchor(event.currentTarget)}>
        <MoreIcon fontSize="small" />
      </IconButton>
      <Menu open={anchor !== null} anchorEl={anchor} onClose={() => setAnchor(null)}>
        {items
          .filter((item) => item.shown)
          .map(({ label, act }) => (
            <MenuItem
              key={label}
              onClick={() => {
                setAnchor(null);
                act();
              }}
            >
              {label}
            </MenuItem>
          ))}
      </Menu>
    </>
  );
}
