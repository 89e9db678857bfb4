import { Alert, Button } from "@mui/material";
import type { ReactNode } from "react";
import { RehearsalBar } from "../rehearsal/RehearsalBar.tsx";
import { fill, texts } from "../texts/index.ts";
import { leaveOrganisation } from "./session.ts";
import { useSession } from "./store.ts";

/** Tells a Master user in whose organisation the work is done, and everybody that it is a rehearsal. */
export function OrganisationBanner(): ReactNode {
  const workingIn = useSession((state) => state.workingIn);
  const email = useSession((state) => state.user?.email ?? "");
  const rehearses = useSession((state) => (state.user?.organisation.rehearsal ?? null) !== null);
  if (rehearses) return <RehearsalBar />;
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
