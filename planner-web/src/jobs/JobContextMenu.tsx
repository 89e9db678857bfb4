import { ListSubheader, Menu, MenuItem } from "@mui/material";
import { fill, type Job, texts, useLevel } from "@routewright/web";
import type { ReactNode } from "react";
import { openDialog } from "../plan/dialogs.ts";
import { useSelection } from "../plan/selection.ts";
import { useUiSettings } from "../settings/ui-settings.ts";
import { useMayEdit } from "../shell/view.ts";
import { useJobActions } from "./selection-actions.ts";

export interface MenuPlace {
  /** Pixels from the window's left and top. */
  x: number;
  y: number;
}

interface JobContextMenuProps {
  job: Pick<Job, "id">;
  place: MenuPlace | null;
  onClose: () => void;
}

/**
 * Context menu of a job in lists, in the timeline and on the map. Where the user switched actions for selected
 * items on, and the job is one of several marked ones, they come below and act on all of them.
 */
export function JobContextMenu({ job, place, onClose }: JobContextMenuProps): ReactNode {
  return (
    <Menu
      open={place !== null}
      onClose={onClose}
      anchorReference="anchorPosition"
      {...(place === null ? {} : { anchorPosition: { left: place.x, top: place.y } })}
    >
      {place !== null && <Items job={job} onClose={onClose} />}
    </Menu>
  );
}

function Items({ job, onClose }: Omit<JobContextMenuProps, "place">): ReactNode {
  const actionsFor = useJobActions();
  const edits = useMayEdit();
  const writes = useLevel("jobs_write") && edits;
  const marked = useSelection((state) => state.jobIds);
  const forSelected = useUiSettings((ui) => ui["context-menu.enable-selected-items-actions"]);
  const several = forSelected && marked.has(job.id) && marked.size > 1;
  const ids = several ? [...marked] : [job.id];
  const own = [
    { label: texts.jobs.detailsTitle, act: () => openDialog({ kind: "job-details", jobId: job.id }) },
    ...(writes ? [{ label: texts.common.edit, act: () => openDialog({ kind: "job", jobId: job.id }) }] : []),
  ];
  const shared = actionsFor(ids.length).map(({ label, act }) => ({ label, act: () => act(ids) }));
  const item = ({ label, act }: { label: string; act: () => void }): ReactNode => (
    <MenuItem
      key={label}
      onClick={() => {
        onClose();
        act();
      }}
    >
      {label}
    </MenuItem>
  );
  return [
    ...own.map(item),
    several && <ListSubheader key="selected">{fill(texts.jobs.selected, { n: ids.length })}</ListSubheader>,
    ...shared.map(item),
  ];
}
