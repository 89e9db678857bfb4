import LabelIcon from "@mui/icons-material/LabelOutlined";
import {
  Autocomplete,
  Button,
  Dialog,
  DialogActions,
  DialogContent,
  DialogTitle,
  TextField,
} from "@mui/material";
import {
  messageOfError,
  request,
  requestAll,
  toastError,
  toastSuccess,
  useSession,
  type Tag,
  texts,
  fill,
} from "@routewright/web";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useListContext, useRefresh } from "react-admin";
import { useMay } from "../../data/organisation.ts";

const DONE = {
  POST: texts.admin.jobs.tagsAdded,
  DELETE: texts.admin.jobs.tagsRemoved,
  PUT: texts.admin.jobs.tagsReplaced,
};

/** Adds tags to the chosen jobs, removes them, or replaces all their tags. */
export function TagJobs() {
  const { selectedIds } = useListContext<{ id: number }>();
  const mayWrite = useMay("jobs_write");
  const refresh = useRefresh();
  const organisation = useSession((state) => state.user?.organisation.id);
  const [open, setOpen] = useState(false);
  const [chosen, setChosen] = useState<Tag[]>([]);
  const { data: tags = [] } = useQuery({
    queryKey: ["tags", organisation],
    queryFn: () => requestAll<Tag>("/tags", {}, { quiet: true }),
    enabled: open,
  });
  if (!mayWrite) return null;

  async function assign(method: keyof typeof DONE): Promise<void> {
    const body = { job_ids: selectedIds, tag_ids: chosen.map((tag) => tag.id) };
    try {
      await request("/jobs/assign_tags_bulk", { method, body, quiet: true });
      toastSuccess(DONE[method]);
      setOpen(false);
      refresh();
    } catch (error) {
      toastError(messageOfError(error));
    }
  }
  return (
    <>
      <Button startIcon={<LabelIcon />} onClick={() => setOpen(true)}>
        {texts.admin.shared.tags}
      </Button>
      <Dialog open={open} onClose={() => setOpen(false)} fullWidth maxWidth="xs">
        <DialogTitle>{fill(texts.admin.jobs.tagsOf, { n: selectedIds.length })}</DialogTitle>
        <DialogContent>
          <Autocomplete
            multiple
            options={tags}
            value={chosen}
            getOptionLabel={(tag) => tag.name}
            isOptionEqualToValue={(one, other) => one.id === other.id}
            onChange={(_event, next) => setChosen(next)}
            renderInput={(field) => <TextField {...field} label={texts.admin.shared.tags} margin="dense" />}
          />
        </DialogContent>
        <DialogActions>
          <Button onClick={() => setOpen(false)}>{texts.common.cancel}</Button>
          <Button disabled={chosen.length === 0} onClick={() => void assign("DELETE")}>
            {texts.common.remove}
          </Button>
          <Button onClick={() => void assign("PUT")}>{texts.admin.shared.replace}</Button>
          <Button variant="contained" disabled={chosen.length === 0} onClick={() => void assign("POST")}>
            {texts.common.add}
          </Button>
        </DialogActions>
      </Dialog>
    </>
  );
}
