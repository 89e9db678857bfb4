import {
  Button,
  Autocomplete,
  Checkbox,
  Chip,
  TextField,
  ToggleButton,
  ToggleButtonGroup,
  Box,
  Typography,
} from "@mui/material";
import { fill, inkOn, type Job, request, type Tag, texts, withToast } from "@routewright/web";
import { type ReactNode, useState } from "react";
import { usePlanContext } from "../plan/context.ts";
import { keys } from "../plan/keys.ts";
import { useTags } from "../plan/queries.ts";
import { Modal } from "../ui/Modal.tsx";
import { useChanged } from "../ui/unsaved.tsx";
import { queryClient } from "../ui/query-client.ts";

type Mode = "PUT" | "POST" | "DELETE";
const MODES: readonly { mode: Mode; label: string }[] = [
  { mode: "POST", label: texts.jobs.tagAdd },
  { mode: "PUT", label: texts.jobs.tagReplace },
  { mode: "DELETE", label: texts.jobs.tagRemove },
];

interface TagsDialogProps {
  jobIds: number[];
  /** They were just sent to the pool: the tags are offered, not asked for. */
  fromPool?: boolean;
  onClose: () => void;
}

/** Tags of one job, or tags for many. */
export function TagsDialog({ jobIds, fromPool = false, onClose }: TagsDialogProps): ReactNode {
  const { plan, scenarioId } = usePlanContext();
  const { data: tags = [] } = useTags();
  const single = !fromPool && jobIds.length === 1 ? plan.jobs.find((job) => job.id === jobIds[0]) : undefined;
  const [chosen, setChosen] = useState<Tag[]>(single?.tags ?? []);
  const [mode, setMode] = useState<Mode>(single === undefined ? "POST" : "PUT");
  const unsaved = useChanged(chosen.map((tag) => tag.id));
  const save = async (): Promise<void> => {
    const tagIds = chosen.map((tag) => tag.id);
    const call =
      single === undefined
        ? request<Pick<Job, "id" | "tags">[]>("/jobs/assign_tags_bulk", {
            method: mode,
            body: { job_ids: jobIds, tag_ids: tagIds },
            quiet: true,
          })
        : request<Pick<Job, "id" | "tags">>(`/jobs/${single.id}/assign_tags`, {
            method: mode,
            body: { tag_ids: tagIds },
            quiet: true,
          }).then((job) => [job]);
    const answer = await withToast(call, {
      loading: texts.jobs.assigningTags,
      success: texts.jobs.tagsAssigned,
      failure: texts.jobs.tagsFailed,
    });
    const byId = new Map(answer.map(({ id, tags: now }) => [id, now]));
    if (scenarioId !== null) {
      queryClient.setQueryData<Job[]>(keys.jobs(scenarioId), (list) =>
        list?.map((job) => ({ ...job, tags: byId.get(job.id) ?? job.tags })),
      );
    }
    await queryClient.invalidateQueries({ queryKey: ["job"] });
    await queryClient.invalidateQueries({ queryKey: keys.jobPages });
    onClose();
  };
  return (
    <Modal
      title={single === undefined ? texts.jobs.addTags : fill(texts.jobs.tagsTitle, { uid: single.uid })}
      width={480}
      unsaved={unsaved}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{fromPool ? texts.common.no : texts.common.cancel}</Button>
          <Button
            variant="contained"
            disabled={fromPool && chosen.length === 0}
            onClick={() => void save().catch(() => undefined)}
          >
            {texts.common.save}
          </Button>
        </>
      }
    >
      <Box sx={{ display: "grid", gap: 2, pt: 0.5 }}>
        {single === undefined && (
          <>
            {fromPool && <Typography>{texts.jobs.tagQuestion}</Typography>}
            <Typography>{fill(texts.jobs.selected, { n: jobIds.length })}</Typography>
            <ToggleButtonGroup
              exclusive
              size="small"
              value={mode}
              onChange={(_, value: Mode | null) => setMode(value ?? mode)}
            >
              {MODES.map((item) => (
                <ToggleButton key={item.mode} value={item.mode} sx={{ textTransform: "none" }}>
                  {item.label}
                </ToggleButton>
              ))}
            </ToggleButtonGroup>
          </>
        )}
        <Autocomplete
          multiple
          disableCloseOnSelect
          options={tags}
          value={chosen}
          getOptionLabel={(tag) => tag.name}
          isOptionEqualToValue={(option, value) => option.id === value.id}
          noOptionsText={texts.jobs.noTags}
          onChange={(_, value) => setChosen(value)}
          renderOption={({ key, ...properties }, tag, { selected }) => (
            <li key={key} {...properties}>
              <Checkbox checked={selected} />
              {tag.name}
            </li>
          )}
          renderValue={(values, getItemProps) =>
            values.map((tag, index) => {
              const { key, ...item } = getItemProps({ index });
              return (
                <Chip
                  key={key}
                  {...item}
                  label={tag.name}
                  sx={{ bgcolor: tag.color, color: inkOn(tag.color) }}
                />
              );
            })
          }
          renderInput={(parameters) => <TextField {...parameters} label={texts.jobs.fields.tags} />}
        />
      </Box>
    </Modal>
  );
}
