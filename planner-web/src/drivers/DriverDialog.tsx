import { zodResolver } from "@hookform/resolvers/zod";
import { Box, Button, MenuItem, TextField } from "@mui/material";
import {
  ApiError,
  type Driver,
  ROUTE_ENDS,
  request,
  ROUTE_PALETTE,
  SizeField,
  texts,
} from "@routewright/web";
import { type ReactNode, useState } from "react";
import { Controller, type Path, useForm } from "react-hook-form";
import { ColourField } from "../fields/ColourField.tsx";
import { RecipientsField } from "../fields/RecipientsField.tsx";
import { EMAILS, PHONES, type RecipientKind } from "../fields/recipients.ts";
import { TimeField } from "../fields/TimeField.tsx";
import { WordsField } from "../fields/WordsField.tsx";
import { LocationField } from "../locations/LocationField.tsx";
import { useKnownTypes, useMeasures } from "../plan/known-words.ts";
import { keys } from "../plan/keys.ts";
import { drivers, useDrivers, useSmsEnabled, useTerritories } from "../plan/queries.ts";
import { Modal } from "../ui/Modal.tsx";
import { TerritoryChoice } from "../territories/TerritoryChoice.tsx";
import { queryClient } from "../ui/query-client.ts";
import { type DriverFields, driverFieldsOf, driverInputOf, driverSchema } from "./driver-fields.ts";

interface DriverDialogProps {
  driverId: number | null;
  onClose: () => void;
}

export function DriverDialog({ driverId, onClose }: DriverDialogProps): ReactNode {
  const { data } = useDrivers();
  const driver = data?.find(({ id }) => id === driverId) ?? null;
  if (driverId !== null && driver === null) return null;
  return <DriverForm driver={driver} count={data?.length ?? 0} onClose={onClose} />;
}

function DriverForm({
  driver,
  count,
  onClose,
}: {
  driver: Driver | null;
  count: number;
  onClose: () => void;
}): ReactNode {
  const sms = useSmsEnabled();
  const measures = useMeasures();
  const types = useKnownTypes();
  const { data: territories = [] } = useTerritories();
  const [servedBefore] = useState(() => (driver?.territories ?? []).map(({ id }) => id));
  const [served, setServed] = useState<readonly number[]>(servedBefore);
  const initial = driverFieldsOf(driver);
  const form = useForm<DriverFields>({
    resolver: zodResolver(driverSchema) as never,
    reValidateMode: "onSubmit",
    defaultValues: {
      ...initial,
      route_colour: initial.route_colour || (ROUTE_PALETTE[count % ROUTE_PALETTE.length] ?? ROUTE_PALETTE[0]),
    },
  });
  const { control, register, formState, watch } = form;
  const { errors } = formState;
  const submit = form.handleSubmit(async (fields) => {
    try {
      const input = driverInputOf(fields);
      const saved = await (driver === null ? drivers.create(input) : drivers.change(driver.id, input));
      if (served.join() !== servedBefore.join()) {
        await request<Driver>(`/drivers/${saved.id}/territories`, {
          method: "PUT",
          body: { territory_ids: served },
          quiet: true,
        });
      }
      await queryClient.invalidateQueries({ queryKey: keys.drivers });
      onClose();
    } catch (error) {
      if (!(error instanceof ApiError)) return;
      for (const [name, message] of Object.entries(error.fields)) {
        form.setError(name as Path<DriverFields>, { message });
      }
    }
  });
  const time = (name: "shift_start" | "shift_end" | "lunch_time" | "lunch_latest_start"): ReactNode => (
    <Controller
      control={control}
      name={name}
      render={({ field }) => (
        <TimeField
          label={texts.runs.fields[name]}
          step={5}
          value={field.value}
          onChange={field.onChange}
          problem={errors[name]?.message}
        />
      )}
    />
  );
  const recipients = (name: "email" | "phone_number", kind: RecipientKind): ReactNode => (
    <Controller
      control={control}
      name={name}
      render={({ field }) => (
        <RecipientsField
          kind={kind}
          label={texts.runs.fields[name]}
          value={field.value}
          onChange={field.onChange}
          problem={errors[name]?.message}
        />
      )}
    />
  );
  const text = (name: "lunch_duration" | "speed_multiplier"): ReactNode => (
    <TextField
      label={texts.runs.fields[name]}
      {...register(name)}
      error={errors[name] !== undefined}
      helperText={errors[name]?.message}
    />
  );
  const place = (name: "location" | "end_location", label: string): ReactNode => (
    <Controller
      control={control}
      name={name}
      render={({ field }) => (
        <LocationField
          label={label}
          value={field.value}
          onChange={field.onChange}
          problem={errors[name]?.message}
        />
      )}
    />
  );
  return (
    <Modal
      title={driver === null ? texts.drivers.add : `${texts.drivers.edit} – ${driver.uid}`}
      width={760}
      sticky
      unsaved={formState.isDirty || served.join() !== servedBefore.join()}
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
      <Box sx={{ display: "grid", gap: 2, pt: 0.5, gridTemplateColumns: { xs: "1fr", sm: "1fr 1fr" } }}>
        <TextField
          autoFocus
          required
          label={texts.jobs.fields.uid}
          {...register("uid")}
          error={errors.uid !== undefined}
          helperText={errors.uid?.message}
        />
        <Controller
          control={control}
          name="route_colour"
          render={({ field }) => (
            <ColourField
              label={texts.runs.fields.route_colour}
              value={field.value}
              onChange={field.onChange}
            />
          )}
        />
        {recipients("email", EMAILS)}
        {recipients("phone_number", PHONES)}
        <Controller
          control={control}
          name="preferred_method"
          render={({ field }) => (
            <TextField select label={texts.runs.fields.preferred_method} {...field}>
              <MenuItem value="email">{texts.runs.methods.email}</MenuItem>
              <MenuItem value="sms" disabled={!sms} title={sms ? undefined : texts.runs.smsDisabled}>
                {texts.runs.methods.sms}
              </MenuItem>
            </TextField>
          )}
        />
        {text("speed_multiplier")}
        {time("shift_start")}
        {time("shift_end")}
        {time("lunch_time")}
        {time("lunch_latest_start")}
        {text("lunch_duration")}
        <Controller
          control={control}
          name="capacity"
          render={({ field }) => (
            <SizeField
              label={texts.runs.fields.capacity}
              value={field.value}
              onChange={field.onChange}
              measures={measures}
              limits
              problem={errors.capacity?.message}
              help={texts.runs.capacityHelp}
            />
          )}
        />
        <Controller
          control={control}
          name="spec_type"
          render={({ field }) => (
            <WordsField
              label={texts.runs.fields.spec_type}
              value={field.value}
              onChange={field.onChange}
              known={types}
              problem={errors.spec_type?.message}
            />
          )}
        />
        <Controller
          control={control}
          name="route_end"
          render={({ field }) => (
            <TextField select label={texts.runs.fields.route_end} {...field}>
              {ROUTE_ENDS.map((end) => (
                <MenuItem key={end} value={end}>
                  {texts.runs.routeEnds[end]}
                </MenuItem>
              ))}
            </TextField>
          )}
        />
        {place("location", texts.drivers.depot)}
        {watch("route_end") === "end_location" && place("end_location", texts.runs.fields.end_location)}
        {territories.length > 0 && (
          <TerritoryChoice
            label={texts.territories.list}
            options={territories}
            value={served}
            onChange={setServed}
          />
        )}
      </Box>
    </Modal>
  );
}
