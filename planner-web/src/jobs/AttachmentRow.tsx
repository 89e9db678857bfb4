import DeleteIcon from "@mui/icons-material/DeleteOutlined";
import ExpandIcon from "@mui/icons-material/ExpandMore";
import {
  Box,
  Button,
  Checkbox,
  Collapse,
  IconButton,
  Link,
  TableCell,
  TableRow,
  Tooltip,
} from "@mui/material";
import { Facts, texts } from "@routewright/web";
import { type ReactNode, useState } from "react";
import { ConfirmDialog } from "../ui/ConfirmDialog.tsx";
import type { Attachment, AttachmentColumn } from "./attachments.ts";

interface AttachmentRowProps {
  item: Attachment;
  marked: boolean;
  onMark: () => void;
  columns: readonly AttachmentColumn[];
  onEdit: (() => void) | null;
  onDelete: (() => Promise<void>) | null;
  /** `null`: there is nothing to open. */
  onOpen: (() => void) | null;
}

/** One unit, return or container of a job; its extra fields fold out. */
export function AttachmentRow(props: AttachmentRowProps): ReactNode {
  const { item, columns, marked, onMark, onEdit, onDelete, onOpen } = props;
  const [open, setOpen] = useState(false);
  const [asking, setAsking] = useState(false);
  const extra = Object.entries(item.extra_fields);
  return (
    <>
      <TableRow hover>
        <TableCell padding="checkbox">
          <Checkbox checked={marked} onChange={onMark} slotProps={{ input: { "aria-label": item.uid } }} />
        </TableCell>
        <TableCell>
          {onOpen === null ? (
            item.uid
          ) : (
            <Link component="button" type="button" onClick={onOpen}>
              {item.uid}
            </Link>
          )}
        </TableCell>
        {columns.map(({ name }) => (
          <TableCell key={name}>{item[name]}</TableCell>
        ))}
        <TableCell align="right" sx={{ whiteSpace: "nowrap" }}>
          {extra.length > 0 && (
            <IconButton
              aria-label={texts.jobs.extraFields}
              aria-expanded={open}
              onClick={() => setOpen(!open)}
            >
              <ExpandIcon fontSize="small" sx={{ transform: open ? "rotate(180deg)" : "none" }} />
            </IconButton>
          )}
          {onEdit !== null && <Button onClick={onEdit}>{texts.common.edit}</Button>}
          {onDelete !== null && (
            <Tooltip title={texts.common.delete}>
              <IconButton
                color="error"
                aria-label={`${texts.common.delete} ${item.uid}`}
                onClick={() => setAsking(true)}
              >
                <DeleteIcon fontSize="small" />
              </IconButton>
            </Tooltip>
          )}
          {asking && onDelete !== null && (
            <ConfirmDialog
              title={texts.attachments.deleteQuestion}
              text={item.uid}
              onClose={() => setAsking(false)}
              choices={[
                {
                  label: texts.common.delete,
                  colour: "error",
                  act: () => {
                    setAsking(false);
                    void onDelete().catch(() => undefined);
                  },
                },
              ]}
            />
          )}
        </TableCell>
      </TableRow>
      {extra.length > 0 && (
        <TableRow>
          <TableCell colSpan={columns.length + 3} sx={{ py: 0, borderBottom: open ? undefined : "none" }}>
            <Collapse in={open} unmountOnExit>
              <Box sx={{ py: 1 }}>
                <Facts facts={extra} />
              </Box>
            </Collapse>
          </TableCell>
        </TableRow>
      )}
    </>
  );
}
