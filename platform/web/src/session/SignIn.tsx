import { Box, Card, Divider, Typography } from "@mui/material";
import { type ReactNode, useState } from "react";
import { ColourModeSwitch } from "../theme/ColourModeSwitch.tsx";
import { LicencesLink } from "../layout/LicencesLink.tsx";
import { texts } from "../texts/index.ts";
import { ForgotPassword } from "./ForgotPassword.tsx";
import { Mark } from "./Mark.tsx";
import { NewPassword } from "./NewPassword.tsx";
import { Providers } from "./Providers.tsx";
import { SignInForm } from "./SignInForm.tsx";
import { SignUpForm } from "./SignUpForm.tsx";

type Step = "sign-in" | "sign-up" | "forgot" | "new-password";

/** Parameter of the link in the reset mail. */
const RESET_PARAMETER = "reset";
/** Parameter of links that lead to the sign-up form. */
const SIGN_UP_PARAMETER = "sign_up";

/** Sign-in page: e-mail and password, the installation's sign-in providers, and password reset. */
export function SignIn(): ReactNode {
  const parameters = new URLSearchParams(window.location.search);
  const resetToken = parameters.get(RESET_PARAMETER);
  const first = parameters.has(SIGN_UP_PARAMETER) ? "sign-up" : "sign-in";
  const [step, setStep] = useState<Step>(resetToken === null ? first : "new-password");
  return (
    <Box
      component="main"
      sx={{ minHeight: "100dvh", display: "grid", placeItems: "center", p: 2, bgcolor: "background.default" }}
    >
      <Box sx={{ width: "100%", maxWidth: 400, display: "grid", gap: 2.5 }}>
        <Box sx={{ display: "flex", alignItems: "center", gap: 1.25 }}>
          <Mark size={34} />
          <Box>
            <Typography component="h1" variant="h5">
              {texts.session.product}
            </Typography>
            <Typography variant="body2" color="textSecondary">
              {texts.session.tagline}
            </Typography>
          </Box>
        </Box>
        <Card variant="outlined" sx={{ p: 3 }}>
          {step === "sign-in" && (
            <>
              <SignInForm onForgot={() => setStep("forgot")} />
              <Providers
                before={<Divider sx={{ my: 2 }}>{texts.session.or}</Divider>}
                onSignUp={() => setStep("sign-up")}
              />
            </>
          )}
          {step === "sign-up" && (
            <SignUpForm onBack={() => leave(SIGN_UP_PARAMETER, () => setStep("sign-in"))} />
          )}
          {step === "forgot" && <ForgotPassword onBack={() => setStep("sign-in")} />}
          {step === "new-password" && (
            <NewPassword
              token={resetToken ?? ""}
              onDone={() => leave(RESET_PARAMETER, () => setStep("sign-in"))}
            />
          )}
        </Card>
        <Box sx={{ display: "flex", justifyContent: "center" }}>
          <ColourModeSwitch />
        </Box>
        <Box sx={{ textAlign: "center" }}>
          <LicencesLink />
        </Box>
      </Box>
    </Box>
  );
}

function leave(parameter: string, then: () => void): void {
  const url = new URL(window.location.href);
  url.searchParams.delete(parameter);
  window.history.replaceState(window.history.state, "", url);
  then();
}
