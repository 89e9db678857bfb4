import { Alert, Box, Button, Link, TextField, Typography } from "@mui/material";
import { type ReactNode, useState } from "react";
import { useForm } from "react-hook-form";
import { ApiError, messageOfError } from "../api/error.ts";
import { hasSpecialCharacters, isEmail } from "../forms/checks.ts";
import { texts } from "../texts/index.ts";
import { PasswordInput } from "./SignInForm.tsx";
import { signUp, type SignUp } from "./session.ts";

const NAMES = ["organisation_name", "first_name", "last_name"] as const;
const words = texts.session.signUp;

/** Makes an organisation with its first administrator, who is signed in by that. */
export function SignUpForm({ onBack }: { onBack: () => void }): ReactNode {
  const [problem, setProblem] = useState<string | null>(null);
  const { register, handleSubmit, formState, setError } = useForm<SignUp>({
    defaultValues: { organisation_name: "", first_name: "", last_name: "", email: "", password: "" },
  });
  const submit = handleSubmit(async (fields) => {
    setProblem(null);
    try {
      await signUp(fields);
    } catch (error) {
      const told = error instanceof ApiError ? Object.entries(error.fields) : [];
      const known = told.filter(([field]) => field in fields);
      for (const [field, message] of known) setError(field as keyof SignUp, { message });
      // What no field says is said above them.
      if (known.length === 0) setProblem(messageOfError(error));
    }
  });
  const { errors } = formState;
  return (
    <Box component="form" noValidate onSubmit={submit} sx={{ display: "grid", gap: 2 }}>
      <Typography component="h2" variant="h6">
        {words.title}
      </Typography>
      <Typography variant="body2" color="textSecondary">
        {words.help}
      </Typography>
      {problem !== null && <Alert severity="error">{problem}</Alert>}
      {NAMES.map((name, index) => (
        <TextField
          key={name}
          label={words[name]}
          autoComplete={words.autoComplete[name]}
          autoFocus={index === 0}
          {...register(name, {
            validate: (value) =>
              value.trim() === ""
                ? words.required[name]
                : !hasSpecialCharacters(value) || texts.checks.specialField,
          })}
          error={errors[name] !== undefined}
          helperText={errors[name]?.message}
        />
      ))}
      <TextField
        label={texts.session.email}
        type="email"
        autoComplete="username"
        {...register("email", {
          required: texts.session.emailRequired,
          validate: (value) => isEmail(value.trim()) || texts.checks.email,
        })}
        error={errors.email !== undefined}
        helperText={errors.email?.message}
      />
      <PasswordInput
        label={texts.session.password}
        autoComplete="new-password"
        registration={register("password", { required: texts.session.passwordRequired })}
        problem={errors.password?.message}
      />
      <Button type="submit" variant="contained" size="medium" loading={formState.isSubmitting}>
        {words.submit}
      </Button>
      <Link component="button" type="button" variant="body2" onClick={onBack} sx={{ justifySelf: "center" }}>
        {texts.session.backToSignIn}
      </Link>
    </Box>
  );
}
