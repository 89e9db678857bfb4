import VisibilityIcon from "@mui/icons-material/VisibilityOutlined";
import HiddenIcon from "@mui/icons-material/VisibilityOffOutlined";
import {
  Alert,
  Box,
  Button,
  Checkbox,
  FormControlLabel,
  IconButton,
  InputAdornment,
  Link,
  TextField,
} from "@mui/material";
import { type ReactNode, useState } from "react";
import { useForm } from "react-hook-form";
import { messageOfError } from "../api/error.ts";
import { texts } from "../texts/index.ts";
import { hasConfirmation, signIn } from "./session.ts";
import { useSession } from "./store.ts";

interface Fields {
  email: string;
  password: string;
  rememberMe: boolean;
}

export function SignInForm({ onForgot }: { onForgot: () => void }): ReactNode {
  const earlier = useSession((state) => state.problem);
  const [problem, setProblem] = useState(earlier);
  const { register, handleSubmit, formState } = useForm<Fields>({
    defaultValues: { email: "", password: "", rememberMe: false },
  });
  const submit = handleSubmit(async ({ email, password, rememberMe }) => {
    setProblem(null);
    try {
      await signIn(email.trim(), password, rememberMe);
    } catch (error) {
      setProblem(messageOfError(error));
    }
  });
  return (
    <Box component="form" noValidate onSubmit={submit} sx={{ display: "grid", gap: 2 }}>
      {hasConfirmation() && <Alert severity="info">{texts.session.confirmAfterSignIn}</Alert>}
      {problem !== null && <Alert severity="error">{problem}</Alert>}
      <TextField
        label={texts.session.email}
        type="email"
        autoComplete="username"
        autoFocus
        {...register("email", { required: texts.session.emailRequired })}
        error={formState.errors.email !== undefined}
        helperText={formState.errors.email?.message}
      />
      <PasswordInput
        label={texts.session.password}
        autoComplete="current-password"
        registration={register("password", { required: texts.session.passwordRequired })}
        problem={formState.errors.password?.message}
      />
      <Box sx={{ display: "flex", justifyContent: "space-between", alignItems: "center" }}>
        <FormControlLabel
          control={<Checkbox {...register("rememberMe")} />}
          label={texts.session.rememberMe}
        />
        <Link component="button" type="button" variant="body2" onClick={onForgot}>
          {texts.session.forgotPassword}
        </Link>
      </Box>
      <Button type="submit" variant="contained" size="medium" loading={formState.isSubmitting}>
        {texts.session.signIn}
      </Button>
    </Box>
  );
}

interface PasswordInputProps {
  label: string;
  autoComplete: string;
  registration: object;
  problem: string | undefined;
}

/** Password field whose text can be shown. */
export function PasswordInput({ label, autoComplete, registration, problem }: PasswordInputProps): ReactNode {
  const [shown, setShown] = useState(false);
  return (
    <TextField
      label={label}
      type={shown ? "text" : "password"}
      autoComplete={autoComplete}
      {...registration}
      error={problem !== undefined}
      helperText={problem}
      slotProps={{
        input: {
          endAdornment: (
            <InputAdornment position="end">
              <IconButton
                edge="end"
                aria-label={shown ? texts.session.hidePassword : texts.session.showPassword}
                onClick={() => setShown(!shown)}
              >
                {shown ? <HiddenIcon fontSize="small" /> : <VisibilityIcon fontSize="small" />}
              </IconButton>
            </InputAdornment>
          ),
        },
      }}
    />
  );
}
