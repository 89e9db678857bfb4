import ColumnsIcon from "@mui/icons-material/ViewColumnOutlined";
import { Checkbox, IconButton, ListItemText, Menu, MenuItem, Tooltip } from "@mui/material";
import { texts } from "@routewright/web";
import { type ReactNode, useState } from "react";
import { JOB_COLUMNS, toggleColumn, useJobColumns } from "./columns.ts";

/** Shows and hides columns of the job lists. */
export function ColumnMenu(): ReactNode {
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const hidden = useJobColumns((state) => state.hidden);
  return (
    <>
      <Tooltip title={texts.jobs.columns}>
        <IconButton aria-label={texts.jobs.columns} onClick={(event) => setAnchor(event.currentTarget)}>
          <ColumnsIcon fontSize="small" />
        </IconButton>
      </Tooltip>
      <Menu open={anchor !== null} anchorEl={anchor} onClose={() => setAnchor(null)}>
        {JOB_COLUMNS.map(({ name }) => (
          <MenuItem key={name} dense sx={{ py: 0 }} onClick={() => toggleColumn(name)}>
            <Checkbox edge="start" tabIndex={-1} checked={!hidden.includes(name)} />
            <ListItemText primary={texts.jobs.fields[name]} />
          </MenuItem>
        ))}
      </Menu>
    </>
  );
}
