import { Box, CircularProgress } from "@mui/material";
import {
  confirmEmail,
  ConnectionNotice,
  ConsentDialog,
  holds,
  isMaster,
  OrganisationBanner,
  session,
  SignIn,
  startSession,
  takeNextPage,
  texts,
  useSession,
} from "@routewright/web";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { Navigate, Outlet, useLocation } from "react-router";

/** Shows its pages to signed-in users, and the sign-in page to everybody else. */
export function SignedIn(): ReactNode {
  return (
    <>
      <ConnectionNotice />
      <Pages />
    </>
  );
}

function Pages(): ReactNode {
  const status = useSession((state) => state.status);
  const user = useSession((state) => state.user);
  const { pathname } = useLocation();
  const [opened, setOpened] = useState(false);
  useEffect(() => {
    void startSession().then(() => {
      tellRefusal();
      setOpened(true);
    });
  }, []);
  const wasOut = useRef(false);
  useEffect(() => {
    const cameIn = wasOut.current;
    wasOut.current = status === "signed_out";
    if (status !== "signed_in") return;
    void confirmEmail();
    const next = takeNextPage();
    if (next !== null) window.location.replace(next);
    // Who runs the platform has no jobs on a map: after signing in, its pages are what matters.
    else if (cameIn && isMaster(session().user)) window.location.assign("/dashboard/");
  }, [status]);
  if (status === "starting" || !opened) {
    return (
      <Box sx={{ height: "100dvh", display: "grid", placeItems: "center" }}>
        <CircularProgress aria-label={texts.common.loading} />
      </Box>
    );
  }
  if (status === "signed_out") return <SignIn />;
  // Accounts that are restricted to one view land there and open nothing else.
  if (holds(user, "customer_view_login") && pathname !== "/customerview") {
    return <Navigate to="/customerview" replace />;
  }
  if (holds(user, "live_overview_login") && pathname !== "/liveview")
    return <Navigate to="/liveview" replace />;
  return (
    <Box sx={{ height: "100dvh", display: "flex", flexDirection: "column" }}>
      <OrganisationBanner />
      <Box sx={{ flex: 1, minHeight: 0 }}>
        <Outlet />
      </Box>
      <ConsentDialog />
    </Box>
  );
}

/** Parameter with which a refused sign-in by a provider comes back. */
const REFUSAL = "login_error";

/** Shows on the sign-in page why the provider's sign-in was refused; the reason leaves the address bar. */
function tellRefusal(): void {
  const url = new URL(window.location.href);
  const reason = url.searchParams.get(REFUSAL);
  if (reason === null) return;
  url.searchParams.delete(REFUSAL);
  window.history.replaceState(window.history.state, "", url);
  if (session().status === "signed_out") useSession.setState({ problem: reason });
}
