import { Alert, Button } from "@mui/material";
import type { ReactNode } from "react";
import { fill, texts } from "../texts/index.ts";
import { leaveOrganisation } from "./session.ts";
import { useSession } from "./store.ts";

/** Tells a Master user in whose organisation the work is done. */
export function OrganisationBanner(): ReactNode {
  const workingIn = useSession((state) => state.workingIn);
  const email = useSession((state) => state.user?.email ?? "");
  if (workingIn === null) return null;
  return (
    <Alert
      severity="warning"
      square
      sx={{ py: 0, alignItems: "center" }}
      action={
        <Button color="inherit" onClick={() => void leaveOrganisation().then(() => window.location.reload())}>
          {texts.session.leave}
        </Button>
      }
    >
      {fill(texts.session.workingIn, { organisation: workingIn.name, user: email })}
    </Alert>
  );
}
