import { messageOfError, toastError, toastSuccess } from "@routewright/web";
import { useState } from "react";
import { useRefresh } from "react-admin";

/** What the buttons of a row do: `act` waits for a call, says what became of it and reads the list anew. */
export function useRowAction(): {
  busy: boolean;
  act: (call: Promise<unknown>, said: string) => Promise<void>;
} {
  const refresh = useRefresh();
  const [busy, setBusy] = useState(false);

  async function act(call: Promise<unknown>, said: string): Promise<void> {
    setBusy(true);
    try {
      await call;
      toastSuccess(said);
      refresh();
    } catch (error) {
      toastError(messageOfError(error));
    } finally {
      setBusy(false);
    }
  }
  return { busy, act };
}
