import { Autocomplete, Box, Button, TextField } from "@mui/material";
import {
  ApiError,
  type Page,
  request,
  texts,
  useSession,
  isEmail,
  type User,
  mayCall,
} from "@routewright/web";
import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { Controller, type Path, useForm } from "react-hook-form";
import { useUnsaved } from "../ui/unsaved.tsx";
import { useDebounced } from "../ui/use-debounced.ts";

interface Option {
  id: number;
  name: string;
}

interface Fields {
  email: string;
  password: string;
  first_name: string;
  last_name: string;
  organisation: Option | null;
  role: Option | null;
}

/** Adds a user to an organisation with a role; both lists are loaded on demand. */
export function AddUsers(): ReactNode {
  const user = useSession((state) => state.user);
  const own = user === null ? null : { id: user.organisation.id, name: user.organisation.name };
  const empty: Fields = {
    email: "",
    password: "",
    first_name: "",
    last_name: "",
    organisation: own,
    role: null,
  };
  const form = useForm<Fields>({ defaultValues: empty, reValidateMode: "onSubmit" });
  const { control, register, formState, watch } = form;
  const { errors } = formState;
  useUnsaved(formState.isDirty);
  const organisation = watch("organisation");
  const labels = texts.settings;
  const submit = form.handleSubmit(async ({ organisation: chosen, role, ...rest }) => {
    try {
      await request<User>("/users", {
        method: "POST",
        body: { ...rest, organisation_id: chosen?.id, role_id: role?.id },
      });
      form.reset(empty);
    } catch (error) {
      if (!(error instanceof ApiError)) return;
      for (const [name, message] of Object.entries(error.fields))
        form.setError(name.replace(/_id$/, "") as Path<Fields>, { message });
    }
  });
  const input = (
    name: "email" | "password" | "first_name" | "last_name",
    label: string,
    needed: string,
  ): ReactNode => (
    <TextField
      label={label}
      type={name === "password" ? "password" : "text"}
      autoComplete="off"
      {...register(name, {
        required: needed,
        validate: (value) => name !== "email" || isEmail(value.trim()) || texts.checks.email,
      })}
      error={errors[name] !== undefined}
      helperText={errors[name]?.message}
    />
  );
  return (
    <Box component="form" noValidate onSubmit={submit} sx={{ display: "grid", gap: 2, pt: 0.5 }}>
      {input("email", texts.session.email, texts.session.emailRequired)}
      {input("password", texts.session.password, texts.session.passwordRequired)}
      {input("first_name", texts.session.firstName, labels.firstNameRequired)}
      {input("last_name", texts.session.lastName, labels.lastNameRequired)}
      <Controller
        control={control}
        name="organisation"
        rules={{ required: labels.organisationRequired }}
        render={({ field }) => (
          <OptionField
            label={labels.organisation}
            path="/organisations"
            value={field.value}
            onChange={(chosen) => {
              field.onChange(chosen);
              // Roles are the organisation's own.
              form.setValue("role", null);
            }}
            problem={errors.organisation?.message}
          />
        )}
      />
      <Controller
        control={control}
        name="role"
        rules={{ required: labels.roleRequired }}
        render={({ field }) => (
          <OptionField
            label={labels.role}
            path="/roles"
            query={{ organisation_id: organisation?.id ?? null }}
            value={field.value}
            onChange={field.onChange}
            problem={errors.role?.message}
          />
        )}
      />
      <Button type="submit" variant="contained" loading={formState.isSubmitting} sx={{ justifySelf: "end" }}>
        {labels.addUser}
      </Button>
    </Box>
  );
}

interface OptionFieldProps {
  label: string;
  path: string;
  query?: Record<string, number | null>;
  value: Option | null;
  onChange: (value: Option | null) => void;
  problem: string | undefined;
}

function OptionField({ label, path, query, value, onChange, problem }: OptionFieldProps): ReactNode {
  const [text, setText] = useState("");
  const asked = useDebounced(text, 1_000);
  const user = useSession((state) => state.user);
  const { data, isFetching } = useQuery({
    queryKey: ["options", path, query, asked],
    queryFn: () => request<Page<Option>>(path, { query: { ...query, search: asked, per_page: 20 } }),
    enabled: mayCall("GET", path, user),
  });
  return (
    <Autocomplete<Option>
      options={data?.data ?? (value === null ? [] : [value])}
      value={value}
      loading={isFetching}
      getOptionLabel={({ name }) => name}
      isOptionEqualToValue={(option, chosen) => option.id === chosen.id}
      onInputChange={(_, next, reason) => {
        if (reason === "input") setText(next);
      }}
      onChange={(_, option) => onChange(option)}
      renderInput={(parameters) => (
        <TextField {...parameters} label={label} error={problem !== undefined} helperText={problem} />
      )}
    />
  );
}
