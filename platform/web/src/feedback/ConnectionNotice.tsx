import { Alert } from "@mui/material";
import { type ReactNode, useEffect } from "react";
import { texts } from "../texts/index.ts";
import { found, lost, useConnection, watchNetwork } from "./connection.ts";

/** Above every dialog. */
const Z_INDEX = 2700;

/** Says that the server cannot be reached and is asked again; once per app. What is open can still be read. */
export function ConnectionNotice(): ReactNode {
  const away = useConnection(({ troubles }) => troubles.size > 0);
  const network = useConnection(({ troubles }) => troubles.has("network"));
  useEffect(() => {
    const offline = (): void => lost("network");
    const online = (): void => found("network");
    if (!navigator.onLine) offline();
    window.addEventListener("offline", offline);
    window.addEventListener("online", online);
    return () => {
      window.removeEventListener("offline", offline);
      window.removeEventListener("online", online);
    };
  }, []);
  useEffect(() => {
    if (!network) return;
    const stop = new AbortController();
    void watchNetwork(stop.signal);
    return () => stop.abort();
  }, [network]);
  if (!away) return null;
  return (
    <Alert
      role="status"
      severity="warning"
      elevation={4}
      sx={{
        position: "fixed",
        top: 8,
        left: "50%",
        transform: "translateX(-50%)",
        zIndex: Z_INDEX,
        py: 0,
        width: "max-content",
        maxWidth: "94vw",
      }}
    >
      {texts.errors.connectionLost}
    </Alert>
  );
}
