import { Alert, Box, Button, TextField, Typography } from "@mui/material";
import { type ReactNode, useState } from "react";
import { useForm } from "react-hook-form";
import { messageOfError } from "../api/error.ts";
import { isEmail } from "../forms/checks.ts";
import { texts } from "../texts/index.ts";
import { askForPasswordReset } from "./session.ts";

export function ForgotPassword({ onBack }: { onBack: () => void }): ReactNode {
  const [answer, setAnswer] = useState<{ sent: boolean; text: string } | null>(null);
  const { register, handleSubmit, formState } = useForm<{ email: string }>({ defaultValues: { email: "" } });
  const submit = handleSubmit(async ({ email }) => {
    try {
      await askForPasswordReset(email.trim());
      setAnswer({ sent: true, text: texts.session.resetSent });
    } catch (error) {
      setAnswer({ sent: false, text: messageOfError(error) });
    }
  });
  return (
    <Box component="form" noValidate onSubmit={submit} sx={{ display: "grid", gap: 2 }}>
      <Typography component="h2" variant="h6">
        {texts.session.resetTitle}
      </Typography>
      <Typography variant="body2" color="textSecondary">
        {texts.session.resetHelp}
      </Typography>
      {answer !== null && <Alert severity={answer.sent ? "success" : "error"}>{answer.text}</Alert>}
      <TextField
        label={texts.session.email}
        type="email"
        autoComplete="username"
        autoFocus
        {...register("email", {
          required: texts.session.emailRequired,
          validate: (value) => isEmail(value.trim()) || texts.checks.email,
        })}
        error={formState.errors.email !== undefined}
        helperText={formState.errors.email?.message}
      />
      <Button type="submit" variant="contained" size="medium" loading={formState.isSubmitting}>
        {texts.session.resetSend}
      </Button>
      <Button onClick={onBack}>{texts.session.backToSignIn}</Button>
    </Box>
  );
}
