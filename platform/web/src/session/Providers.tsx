import { Box, Button } from "@mui/material";
import { type ReactNode, useEffect, useState } from "react";
import { apiUrl } from "../api/base.ts";
import { fill, texts } from "../texts/index.ts";
import { signInProviders, type SignInProvider } from "./session.ts";

/** Key of the way in that makes an organisation. */
const SIGN_UP = "sign_up";

/** One button per sign-in provider of the installation, and the offer to sign up where that is allowed. */
export function Providers({ before, onSignUp }: { before: ReactNode; onSignUp: () => void }): ReactNode {
  const [providers, setProviders] = useState<SignInProvider[]>([]);
  useEffect(() => {
    let shown = true;
    void signInProviders().then((found) => {
      if (shown) setProviders(found);
    });
    return () => {
      shown = false;
    };
  }, []);
  if (providers.length === 0) return null;
  const elsewhere = providers.filter(({ key }) => key !== SIGN_UP);
  return (
    <>
      {before}
      <Box sx={{ display: "grid", gap: 1 }}>
        {elsewhere.map(({ name, url }) => (
          <Button key={url} variant="outlined" size="medium" href={apiUrl(url)}>
            {fill(texts.session.signInWith, { provider: name })}
          </Button>
        ))}
        {elsewhere.length < providers.length && (
          <Button size="medium" onClick={onSignUp}>
            {texts.session.signUp.offer}
          </Button>
        )}
      </Box>
    </>
  );
}
