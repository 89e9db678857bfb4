import { TableCell, type TableCellProps } from "@mui/material";
import { texts } from "@routewright/web";
import type { ReactNode } from "react";

/** Read aloud, not shown. */
const HEARD = {
  position: "absolute",
  width: 1,
  height: 1,
  overflow: "hidden",
  clipPath: "inset(50%)",
  whiteSpace: "nowrap",
} as const;

/** The head of a column of buttons: its name is only heard. */
export function ButtonsHead(props: TableCellProps): ReactNode {
  return (
    <TableCell {...props}>
      <span style={HEARD}>{texts.common.actions}</span>
    </TableCell>
  );
}
