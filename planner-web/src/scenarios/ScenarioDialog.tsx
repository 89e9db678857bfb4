import { Box, Button, MenuItem, TextField } from "@mui/material";
import {
  DayField,
  dayjs,
  type Page,
  request,
  requiredText,
  type Scenario,
  type ScenarioTemplate,
  texts,
  useSession,
  withToast,
} from "@routewright/web";
import { zodResolver } from "@hookform/resolvers/zod";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Controller, useForm } from "react-hook-form";
import { z } from "zod";
import { usePlanContext } from "../plan/context.ts";
import { unlessDriverBusy } from "../plan/driver-busy.ts";
import { keys } from "../plan/keys.ts";
import { scenarios, useScenario, useTerritoryGroups } from "../plan/queries.ts";
import { failureText } from "../ui/failure.ts";
import { Modal } from "../ui/Modal.tsx";
import { TerritoryChoice } from "../territories/TerritoryChoice.tsx";
import { queryClient } from "../ui/query-client.ts";

const schema = z.object({
  name: requiredText,
  scheduled_date: requiredText,
  template: z.string(),
  groups: z.array(z.number()),
});
type Fields = z.infer<typeof schema>;

interface ScenarioDialogProps {
  scenarioId: number | null;
  onClose: () => void;
}

/** Creates or edits a scenario: name and scheduled date, on creation also from a template. */
export function ScenarioDialog({ scenarioId, onClose }: ScenarioDialogProps): ReactNode {
  const { data } = useScenario(scenarioId);
  if (scenarioId !== null && data === undefined) return null;
  return <ScenarioForm scenario={data ?? null} onClose={onClose} />;
}

function ScenarioForm({ scenario, onClose }: { scenario: Scenario | null; onClose: () => void }): ReactNode {
  const { activate } = usePlanContext();
  const zone = useSession((state) => state.user?.organisation.timezone);
  const templates = useQuery({
    queryKey: ["scenario-templates"],
    queryFn: () =>
      request<Page<ScenarioTemplate>>("/scenarios/templates", { quiet: true, query: { per_page: 300 } }),
    enabled: scenario === null,
  });
  const { register, control, handleSubmit, formState } = useForm<Fields>({
    resolver: zodResolver(schema),
    reValidateMode: "onSubmit",
    defaultValues: {
      name: scenario?.name ?? "",
      scheduled_date:
        scenario?.scheduled_date ??
        dayjs()
          .tz(zone ?? "UTC")
          .format("YYYY-MM-DD"),
      template: "",
      groups: scenario?.territory_group_ids ?? [],
    },
  });
  const submit = handleSubmit(async (fields) => {
    try {
      if (scenario === null) {
        const created = await unlessDriverBusy((force) => create(fields, force));
        if (created === null) return;
        activate(created.id);
      } else await update(scenario, fields);
      onClose();
    } catch {
      // Told by the toast; the form keeps what was typed.
    }
  });
  const { errors } = formState;
  const { data: groups = [] } = useTerritoryGroups();
  const options = templates.data?.data ?? [];
  return (
    <Modal
      title={scenario === null ? texts.scenarios.addTitle : texts.scenarios.editTitle}
      width={440}
      unsaved={formState.isDirty}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{texts.common.cancel}</Button>
          <Button variant="contained" loading={formState.isSubmitting} onClick={() => void submit()}>
            {texts.common.save}
          </Button>
        </>
      }
    >
      <Box component="form" noValidate onSubmit={submit} sx={{ display: "grid", gap: 2, pt: 0.5 }}>
        <TextField
          autoFocus
          label={texts.scenarios.name}
          {...register("name")}
          error={errors.name !== undefined}
          helperText={errors.name?.message}
        />
        <Controller
          control={control}
          name="scheduled_date"
          render={({ field }) => (
            <DayField
              label={texts.scenarios.date}
              name={field.name}
              value={field.value}
              onChange={field.onChange}
              onBlur={field.onBlur}
              inputRef={field.ref}
              error={errors.scheduled_date !== undefined}
              helperText={errors.scheduled_date?.message}
            />
          )}
        />
        {options.length > 0 && (
          <TextField select label={texts.scenarios.fromTemplate} defaultValue="" {...register("template")}>
            <MenuItem value="">{texts.common.none}</MenuItem>
            {options.map(({ id, name }) => (
              <MenuItem key={id} value={String(id)}>
                {name}
              </MenuItem>
            ))}
          </TextField>
        )}
        {groups.length > 0 && (
          <Controller
            control={control}
            name="groups"
            render={({ field }) => (
              <TerritoryChoice
                label={texts.territories.groups}
                options={groups}
                value={field.value}
                onChange={field.onChange}
              />
            )}
          />
        )}
        <input type="submit" hidden />
      </Box>
    </Modal>
  );
}

async function create({ name, scheduled_date, template, groups }: Fields, force: boolean): Promise<Scenario> {
  const body = {
    name: name.trim(),
    scheduled_date,
    // A template brings its own groups unless others are chosen.
    ...(groups.length === 0 ? {} : { territory_group_ids: groups }),
  };
  const call =
    template === ""
      ? scenarios.create(body, { quiet: true })
      : request<Scenario>("/scenarios/advanced", {
          method: "POST",
          body: { ...body, template_id: Number(template), ...(force ? { force } : {}) },
          quiet: true,
        });
  const created = await withToast(call, {
    loading: texts.scenarios.creating,
    success: texts.scenarios.created,
    failure: failureText(texts.scenarios.createFailed),
  });
  await queryClient.invalidateQueries({ queryKey: keys.scenarios });
  return created;
}

async function update(scenario: Scenario, { name, scheduled_date, groups }: Fields): Promise<void> {
  const { id } = scenario;
  let changed = await withToast(
    scenarios.change(id, { name: name.trim(), scheduled_date }, { quiet: true }),
    {
      loading: texts.scenarios.updating,
      success: texts.scenarios.updated,
      failure: failureText(texts.scenarios.updateFailed),
    },
  );
  if ([...groups].sort().join() !== [...scenario.territory_group_ids].sort().join()) {
    changed = await withToast(putGroups(id, groups), {
      loading: texts.territories.updatingGroups,
      success: texts.territories.groupsUpdated,
      failure: failureText(texts.territories.groupsFailed),
    });
  }
  queryClient.setQueryData(keys.scenario(id), changed);
  await queryClient.invalidateQueries({ queryKey: keys.scenarios });
}

function putGroups(id: number, groups: readonly number[]): Promise<Scenario> {
  return request<Scenario>(`/scenarios/${id}/territory_groups`, {
    method: "PUT",
    body: { territory_group_ids: groups },
    quiet: true,
  });
}
