import { Alert, Box, Button, Typography } from "@mui/material";
import { type ReactNode, useState } from "react";
import { useForm } from "react-hook-form";
import { messageOfError } from "../api/error.ts";
import { toastSuccess } from "../feedback/toasts.ts";
import { texts } from "../texts/index.ts";
import { resetPassword } from "./session.ts";
import { PasswordInput } from "./SignInForm.tsx";

interface Fields {
  password: string;
  repeated: string;
}

/** Second half of a password reset: the page behind the link in the mail. */
export function NewPassword({ token, onDone }: { token: string; onDone: () => void }): ReactNode {
  const [problem, setProblem] = useState<string | null>(null);
  const { register, handleSubmit, formState } = useForm<Fields>({
    defaultValues: { password: "", repeated: "" },
  });
  const submit = handleSubmit(async ({ password }) => {
    setProblem(null);
    try {
      await resetPassword(token, password);
      toastSuccess(texts.session.passwordSaved);
      onDone();
    } catch (error) {
      setProblem(messageOfError(error));
    }
  });
  return (
    <Box component="form" noValidate onSubmit={submit} sx={{ display: "grid", gap: 2 }}>
      <Typography component="h2" variant="h6">
        {texts.session.newPasswordTitle}
      </Typography>
      {problem !== null && <Alert severity="error">{problem}</Alert>}
      <PasswordInput
        label={texts.session.newPassword}
        autoComplete="new-password"
        registration={register("password", { required: texts.session.passwordRequired })}
        problem={formState.errors.password?.message}
      />
      <PasswordInput
        label={texts.session.repeatPassword}
        autoComplete="new-password"
        registration={register("repeated", {
          validate: (value, all) => value === all.password || texts.session.passwordsDiffer,
        })}
        problem={formState.errors.repeated?.message}
      />
      <Button type="submit" variant="contained" size="medium" loading={formState.isSubmitting}>
        {texts.common.save}
      </Button>
      <Button onClick={onDone}>{texts.session.backToSignIn}</Button>
    </Box>
  );
}
