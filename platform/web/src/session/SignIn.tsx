import { Box, Card, Divider, Typography } from "@mui/material";
import { type ReactNode, useState } from "react";
import { ColourModeSwitch } from "../theme/ColourModeSwitch.tsx";
import { texts } from "../texts/index.ts";
import { ForgotPassword } from "./ForgotPassword.tsx";
import { Mark } from "./Mark.tsx";
import { NewPassword } from "./NewPassword.tsx";
import { Providers } from "./Providers.tsx";
import { SignInForm } from "./SignInForm.tsx";

type Step = "sign-in" | "forgot" | "new-password";

/** Parameter of the link in the reset mail. */
const RESET_PARAMETER = "reset";

/** Sign-in page: e-mail and password, the installation's sign-in providers, and password reset. */
export function SignIn(): ReactNode {
  const resetToken = new URLSearchParams(window.location.search).get(RESET_PARAMETER);
  const [step, setStep] = useState<Step>(resetToken === null ? "sign-in" : "new-password");
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
              <Providers before={<Divider sx={{ my: 2 }}>{texts.session.or}</Divider>} />
            </>
          )}
          {step === "forgot" && <ForgotPassword onBack={() => setStep("sign-in")} />}
          {step === "new-password" && (
            <NewPassword token={resetToken ?? ""} onDone={() => leaveReset(() => setStep("sign-in"))} />
          )}
        </Card>
        <Box sx={{ display: "flex", justifyContent: "center" }}>
          <ColourModeSwitch />
        </Box>
      </Box>
    </Box>
  );
}

function leaveReset(then: () => void): void {
  const url = new URL(window.location.href);
  url.searchParams.delete(RESET_PARAMETER);
  window.history.replaceState(window.history.state, "", url);
  then();
}
