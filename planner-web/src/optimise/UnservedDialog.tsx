import { Button, Table, TableBody, TableCell, TableHead, TableRow, Typography } from "@mui/material";
import { texts } from "@routewright/web";
import type { ReactNode } from "react";
import { usePlanContext } from "../plan/context.ts";
import { openDialog } from "../plan/dialogs.ts";
import { selectJobs } from "../plan/selection.ts";
import { Modal } from "../shell/Modal.tsx";
import { useOptimisation } from "./task.ts";

/** Jobs that found no place, each with its reason. */
export function UnservedDialog({ onClose }: { onClose: () => void }): ReactNode {
  const unserved = useOptimisation((state) => state.unserved);
  const { plan } = usePlanContext();
  const customers = new Map(plan.jobs.map((job) => [job.id, job.customer_name]));
  return (
    <Modal
      title={texts.optimise.unservedTitle}
      width={620}
      onClose={onClose}
      actions={
        <Button
          variant="contained"
          onClick={() => {
            selectJobs(unserved.map(({ id }) => id));
            onClose();
          }}
        >
          {texts.map.showOnMap}
        </Button>
      }
    >
      <Typography sx={{ mb: 1 }}>{texts.optimise.unservedIntro}</Typography>
      <Table>
        <TableHead>
          <TableRow>
            <TableCell>{texts.jobs.fields.uid}</TableCell>
            <TableCell>{texts.jobs.fields.customer_name}</TableCell>
            <TableCell>{texts.proofs.reason}</TableCell>
            <TableCell />
          </TableRow>
        </TableHead>
        <TableBody>
          {unserved.map(({ id, uid, reason }) => (
            <TableRow key={id}>
              <TableCell>{uid}</TableCell>
              <TableCell>{customers.get(id)}</TableCell>
              <TableCell>{texts.optimise.reasons[reason]}</TableCell>
              <TableCell align="right">
                <Button onClick={() => openDialog({ kind: "job", jobId: id })}>{texts.common.edit}</Button>
              </TableCell>
            </TableRow>
          ))}
        </TableBody>
      </Table>
    </Modal>
  );
}
