import EditIcon from "@mui/icons-material/EditOutlined";
import InfoIcon from "@mui/icons-material/InfoOutlined";
import PriorityIcon from "@mui/icons-material/PriorityHigh";
import { Box, Checkbox, IconButton, Tooltip, Typography } from "@mui/material";
import { type Job, type Run, shortTime, sizeWords, texts, useLevel } from "@routewright/web";
import { memo, type ReactNode, useState } from "react";
import { Swatch } from "../fields/ColourField.tsx";
import { flyTo } from "../map/fit.ts";
import { InHand } from "../plan/InHand.tsx";
import { openDialog } from "../plan/dialogs.ts";
import { ProblemIcon } from "../plan/ProblemIcon.tsx";
import type { Problem } from "../plan/problems.ts";
import { hoverJob, selectJob, useSelection } from "../plan/selection.ts";
import { useMayEdit } from "../ui/view.ts";
import { EtaText } from "./EtaText.tsx";
import { JobContextMenu, type MenuPlace } from "./JobContextMenu.tsx";

export const ROW_HEIGHT = 62;

interface JobRowProps {
  job: Job;
  run: Run | undefined;
  problems: readonly Problem[];
  top: number;
}

/** One job of the side list. */
export const JobRow = memo(function JobRow({ job, run, problems, top }: JobRowProps): ReactNode {
  const selected = useSelection((state) => state.jobIds.has(job.id));
  const hovered = useSelection((state) => state.hoveredJobId === job.id);
  const edits = useMayEdit();
  const writes = useLevel("jobs_write");
  const reason = problems.find(({ kind }) => kind === "unserved" || kind === "late")?.text;
  const [menu, setMenu] = useState<MenuPlace | null>(null);
  const window = [shortTime(job.arrive_after), shortTime(job.leave_by)];
  return (
    <Box
      role="listitem"
      onMouseEnter={() => hoverJob(job.id)}
      onMouseLeave={() => hoverJob(null)}
      onDoubleClick={() => openDialog({ kind: "job-details", jobId: job.id })}
      onContextMenu={(event) => {
        event.preventDefault();
        setMenu({ x: event.clientX, y: event.clientY });
      }}
      sx={{
        position: "absolute",
        insetInline: 0,
        top,
        height: ROW_HEIGHT,
        display: "flex",
        alignItems: "center",
        gap: 0.5,
        px: 0.75,
        borderBottom: 1,
        borderColor: "divider",
        bgcolor: selected ? "action.selected" : hovered ? "action.hover" : "transparent",
      }}
    >
      <Checkbox
        checked={selected}
        onChange={() => selectJob(job.id, true)}
        slotProps={{ input: { "aria-label": job.uid } }}
      />
      <Box
        component="button"
        type="button"
        onClick={() => {
          selectJob(job.id);
          flyTo(job.location);
        }}
        sx={{
          all: "unset",
          flex: 1,
          minWidth: 0,
          cursor: "pointer",
          "&:focus-visible": { outline: "2px solid", outlineColor: "primary.main", borderRadius: 0.5 },
        }}
      >
        <Box sx={{ display: "flex", alignItems: "center", gap: 0.75 }}>
          <Swatch colour={run?.route_colour ?? job.colour} />
          <Typography variant="subtitle2" noWrap>
            {job.uid}
            <InHand kind="job" id={job.id} />
          </Typography>
          {job.priority && (
            <PriorityIcon color="warning" sx={{ fontSize: 14 }} titleAccess={texts.jobs.fields.priority} />
          )}
          <Typography variant="body2" noWrap sx={{ flex: 1 }}>
            {job.customer_name}
          </Typography>
        </Box>
        <Typography variant="caption" color="textSecondary" noWrap component="div">
          {job.location.address}
        </Typography>
        <Typography variant="caption" color="textSecondary" noWrap component="div">
          {job.run_id === null ? texts.jobs.unserved : `${run?.uid ?? "…"} · ${job.seq ?? ""}`}
          {reason !== undefined && `: ${reason}`}
          {window.some((time) => time !== "") && ` · ${window[0] || "…"}–${window[1] || "…"}`}
          {job.size !== null && ` · ${sizeWords(job.size)}`}
        </Typography>
      </Box>
      <ProblemIcon problems={problems} />
      <EtaText job={job} problems={problems} />
      <Tooltip title={texts.jobs.details}>
        <IconButton
          aria-label={`${texts.jobs.details} ${job.uid}`}
          onClick={() => openDialog({ kind: "job-details", jobId: job.id })}
        >
          <InfoIcon fontSize="small" />
        </IconButton>
      </Tooltip>
      {edits && writes && (
        <Tooltip title={texts.jobs.edit}>
          <IconButton
            aria-label={`${texts.jobs.edit} ${job.uid}`}
            onClick={() => openDialog({ kind: "job", jobId: job.id })}
          >
            <EditIcon fontSize="small" />
          </IconButton>
        </Tooltip>
      )}
      <JobContextMenu job={job} place={menu} onClose={() => setMenu(null)} />
    </Box>
  );
});
