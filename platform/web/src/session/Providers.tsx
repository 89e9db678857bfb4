import { Box, Button } from "@mui/material";
import { type ReactNode, useEffect, useState } from "react";
import { apiUrl } from "../api/base.ts";
import { fill, texts } from "../texts/index.ts";
import { signInProviders, type SignInProvider } from "./session.ts";

/** One button per sign-in provider of the installation; nothing when there is none. */
export function Providers({ before }: { before: ReactNode }): ReactNode {
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
  return (
    <>
      {before}
      <Box sx={{ display: "grid", gap: 1 }}>
        {providers.map(({ name, url }) => (
          <Button key={url} variant="outlined" size="medium" href={apiUrl(url)}>
            {fill(texts.session.signInWith, { provider: name })}
          </Button>
        ))}
      </Box>
    </>
  );
}
