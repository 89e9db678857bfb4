import { Button } from "@mui/material";
import { answer, messageOfError, quietApi, texts, toastError, toastSuccess } from "@routewright/web";
import { useState } from "react";
import { useRecordContext, useRefresh } from "react-admin";
import { useMay } from "../data/organisation.ts";

/** Finishes what was interrupted in an organisation and migrates what is behind. */
export function Advance() {
  const row = useRecordContext<{
    id: number;
    state: string;
    schema_version: number | null;
    current_version: number;
  }>();
  const may = useMay("organisations_write");
  const refresh = useRefresh();
  const [busy, setBusy] = useState(false);
  if (!row || !may || row.state === "deleting") return null;
  if (row.state === "ready" && row.schema_version === row.current_version) return null;
  const { id } = row;

  async function advance(): Promise<void> {
    setBusy(true);
    try {
      const after = await answer(
        quietApi.POST("/operators/organisations/{id}/advance", { params: { path: { id } } }),
      );
      if (after.schema_error) toastError(after.schema_error);
      else toastSuccess(texts.admin.platform.advanced);
      refresh();
    } catch (error) {
      toastError(messageOfError(error));
    } finally {
      setBusy(false);
    }
  }
  return (
    <Button loading={busy} onClick={() => void advance()}>
      {texts.admin.platform.advance}
    </Button>
  );
}
