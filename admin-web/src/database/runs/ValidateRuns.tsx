import VerifiedIcon from "@mui/icons-material/Verified";
import { Button } from "@mui/material";
import { messageOfError, request, toastError, texts } from "@routewright/web";
import type { ValidationAnswer } from "@routewright/web/model";
import { useState } from "react";
import { useListContext, useRefresh, useUnselectAll } from "react-admin";
import { useMay } from "../../data/organisation.ts";
import { ValidationSummary } from "./ValidationSummary.tsx";

/** Validates the chosen rows of a list of runs and shows what came of it. */
export function ValidateRuns({ path = "/runs/validate" }: { path?: string }) {
  const { selectedIds, data, resource } = useListContext<{ id: number; uid: string }>();
  const mayWrite = useMay("runs_write");
  const seesBilling = useMay("billing_rates_read");
  const refresh = useRefresh();
  const unselect = useUnselectAll(resource);
  const [answer, setAnswer] = useState<ValidationAnswer>();
  const [busy, setBusy] = useState(false);
  if (!mayWrite || !seesBilling) return null;
  const names = new Map((data ?? []).map((run) => [run.id, run.uid]));

  async function validate(ids: unknown[], force: boolean): Promise<void> {
    setBusy(true);
    try {
      const body = { run_ids: ids, force };
      const now = await request<ValidationAnswer>(path, { method: "PATCH", body, quiet: true });
      setAnswer({ ...now, validated: [...(force ? (answer?.validated ?? []) : []), ...now.validated] });
      refresh();
    } catch (error) {
      toastError(messageOfError(error));
    } finally {
      setBusy(false);
    }
  }
  return (
    <>
      <Button startIcon={<VerifiedIcon />} loading={busy} onClick={() => void validate(selectedIds, false)}>
        {texts.runs.validation.validate}
      </Button>
      <ValidationSummary
        answer={answer}
        names={names}
        confirm={(ids) => void validate(ids, true)}
        close={() => {
          setAnswer(undefined);
          unselect();
        }}
      />
    </>
  );
}
