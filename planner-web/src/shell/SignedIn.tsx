import { Box, CircularProgress } from "@mui/material";
import {
  ConsentDialog,
  holds,
  OrganisationBanner,
  SignIn,
  startSession,
  texts,
  useSession,
} from "@routewright/web";
import { type ReactNode, useEffect } from "react";
import { Navigate, Outlet, useLocation } from "react-router";

/** Shows its pages to signed-in users, and the sign-in page to everybody else. */
export function SignedIn(): ReactNode {
  const status = useSession((state) => state.status);
  const user = useSession((state) => state.user);
  const { pathname } = useLocation();
  useEffect(() => {
    void startSession();
  }, []);
  if (status === "starting") {
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
