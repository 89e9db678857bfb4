import { ListSubheader, Menu, MenuItem } from "@mui/material";
import { fill, type Job, texts, useLevel } from "@routewright/web";
import type { ReactNode } from "react";
import { openDialog } from "../plan/dialogs.ts";
import { useSelection } from "../plan/selection.ts";
import { useUiSettings } from "../settings/ui-settings.ts";
import { useMayEdit } from "../ui/view.ts";
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
 * Context menu of a job in lists, in the timeline and on the map. On one of several marked jobs its actions act on
 * all of them, as dragging does. Where the user switched actions for selected items on, those of the marked jobs come
 * below also when the menu is another job's.
 */
export function JobContextMenu({ job, place, onClose }: JobContextMenuProps): ReactNode {
  // Every row of a list has one: closed, it costs nothing.
  if (place === null) return null;
  return (
    <Menu
      open
      onClose={onClose}
      anchorReference="anchorPosition"
      anchorPosition={{ left: place.x, top: place.y }}
    >
      <Items job={job} onClose={onClose} />
    </Menu>
  );
}

function Items({ job, onClose }: Omit<JobContextMenuProps, "place">): ReactNode {
  const actionsFor = useJobActions();
  const edits = useMayEdit();
  const writes = useLevel("jobs_write") && edits;
  const marked = useSelection((state) => state.jobIds);
  const forSelected = useUiSettings((ui) => ui["context-menu.enable-selected-items-actions"]);
  const several = marked.has(job.id) && marked.size > 1;
  const ids = several ? [...marked] : [job.id];
  const others = forSelected && !marked.has(job.id) ? [...marked] : [];
  const own = [
    { label: texts.jobs.detailsTitle, act: () => openDialog({ kind: "job-details", jobId: job.id }) },
    ...(writes ? [{ label: texts.common.edit, act: () => openDialog({ kind: "job", jobId: job.id }) }] : []),
  ];
  const actions = (on: number[]): Item[] =>
    actionsFor(on.length).map(({ label, act }) => ({ label, act: () => act(on) }));
  const heading = (count: number): ReactNode => (
    <ListSubheader key="selected">{fill(texts.jobs.selected, { n: count })}</ListSubheader>
  );
  const item =
    (group: string) =>
    ({ label, act }: Item): ReactNode => (
      <MenuItem
        key={`${group} ${label}`}
        onClick={() => {
          onClose();
          act();
        }}
      >
        {label}
      </MenuItem>
    );
  return [
    ...own.map(item("own")),
    several && heading(ids.length),
    ...actions(ids).map(item("shared")),
    others.length > 0 && heading(others.length),
    ...(others.length > 0 ? actions(others).map(item("others")) : []),
  ];
}

interface Item {
  label: string;
  act: () => void;
}
