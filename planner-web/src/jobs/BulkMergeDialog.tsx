import { Box, Button, Checkbox, FormControlLabel, Typography } from "@mui/material";
import { fill, type Job, request, texts } from "@routewright/web";
import { type ReactNode, useState } from "react";
import { usePlanContext } from "../plan/context.ts";
import { selectJobs } from "../plan/selection.ts";
import { usePlanWork } from "../plan/use-plan-work.ts";
import { Modal } from "../ui/Modal.tsx";
import { groupsOfPlaces, mergeGroups } from "./merge-groups.ts";

interface BulkMergeDialogProps {
  jobIds: number[];
  onClose: () => void;
}

/** Merges the marked jobs place by place: one job stays for each of them. */
export function BulkMergeDialog({ jobIds, onClose }: BulkMergeDialogProps): ReactNode {
  const { plan } = usePlanContext();
  const { working, run } = usePlanWork();
  const [left, setLeft] = useState<ReadonlySet<number>>(new Set());
  const groups = groupsOfPlaces(plan.jobs.filter((job) => jobIds.includes(job.id)));
  const chosen = groups.filter(([first]) => first !== undefined && !left.has(first.id));
  const merge = (): Promise<void> => {
    const body = { groups: mergeGroups(chosen), is_pool: false };
    return run(request<Job[]>("/jobs/bulk_merge", { method: "PUT", body, quiet: true }), {
      loading: texts.jobs.merging,
      success: texts.jobs.merged,
      failure: texts.jobs.mergeFailed,
      done: (kept) => {
        selectJobs(kept.map(({ id }) => id));
        onClose();
      },
    });
  };
  const toggle = (id: number): void => {
    const next = new Set(left);
    if (!next.delete(id)) next.add(id);
    setLeft(next);
  };
  return (
    <Modal
      title={texts.jobs.mergePlaces}
      width={560}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{texts.common.cancel}</Button>
          <Button
            variant="contained"
            loading={working}
            disabled={chosen.length === 0}
            onClick={() => void merge()}
          >
            {texts.jobs.merge}
          </Button>
        </>
      }
    >
      <Typography color={groups.length === 0 ? "textSecondary" : "textPrimary"} sx={{ mb: 1 }}>
        {groups.length === 0 ? texts.jobs.mergeNoPlaces : texts.jobs.mergePlacesText}
      </Typography>
      <Box sx={{ display: "grid", gap: 0.5 }}>
        {groups.map(([first, ...others]) =>
          first === undefined ? null : (
            <FormControlLabel
              key={first.id}
              sx={{ alignItems: "flex-start" }}
              control={<Checkbox checked={!left.has(first.id)} onChange={() => toggle(first.id)} />}
              label={
                <Box sx={{ py: 1 }}>
                  <Typography variant="subtitle2">{first.location.address}</Typography>
                  <Typography variant="body2" color="textSecondary">
                    {fill(texts.jobs.mergeInto, {
                      uid: first.uid,
                      uids: others.map(({ uid }) => uid).join(", "),
                    })}
                  </Typography>
                </Box>
              }
            />
          ),
        )}
      </Box>
    </Modal>
  );
}
