import { texts, fill } from "@routewright/web";
import { Alert, Box, Button, Typography } from "@mui/material";
import {
  DeleteButton,
  Edit,
  ListButton,
  TabbedForm,
  TabbedFormTabs,
  TopToolbar,
  useRecordContext,
} from "react-admin";
import type { Run } from "@routewright/web/model";
import type { Noun } from "../../data/noun.ts";
import { useMay } from "../../data/organisation.ts";
import { download } from "../../data/files.ts";
import { PlanningInputs } from "../../inputs/index.ts";
import { Sheet } from "../../ui/Sheet.tsx";
import { HistoryButton } from "../../resource/History.tsx";
import { EditError, FormToolbar, RecordTitle } from "../../resource/NounForm.tsx";
import { ActualsInputs, BillingInputs, RunSheetInputs } from "./RunInputs.tsx";
import { RunPerformance } from "./RunPerformance.tsx";
import { useWholeRun } from "./useWholeRun.ts";
import { ValidateRun } from "./ValidateRun.tsx";

/** A run: its constraints, what was driven, how it did and what it costs. */
export function RunEdit({ noun }: { noun: Noun }) {
  const billing = useMay("billing_rates_read");
  return (
    <Edit
      title={<RecordTitle noun={noun} />}
      mutationMode="pessimistic"
      redirect={false}
      component={Sheet}
      actions={<RunActions noun={noun} />}
      error={<EditError />}
    >
      <RunHead />
      <TabbedForm
        tabs={<TabbedFormTabs variant="scrollable" scrollButtons="auto" allowScrollButtonsMobile />}
        toolbar={<FormToolbar noun={noun} mode="edit" />}
        reValidateMode="onSubmit"
        warnWhenUnsavedChanges
        noValidate
      >
        <TabbedForm.Tab label={texts.runs.tabPlanning}>
          <Alert severity="info" sx={{ mb: 2, width: "100%" }}>
            {texts.runs.reoptimise}
          </Alert>
          <PlanningInputs startSource="start_location" />
          <RunSheetInputs />
        </TabbedForm.Tab>
        <TabbedForm.Tab label={texts.runs.tabActuals}>
          <ActualsInputs />
        </TabbedForm.Tab>
        <TabbedForm.Tab label={texts.runs.tabPerformance}>
          <RunPerformance />
        </TabbedForm.Tab>
        {billing && (
          <TabbedForm.Tab label={texts.runs.tabBilling}>
            <BillingInputs />
          </TabbedForm.Tab>
        )}
      </TabbedForm>
    </Edit>
  );
}

function RunHead() {
  const run = useRecordContext<Run>();
  if (!run) return null;
  return (
    <Box sx={{ px: 2, pt: 2, display: "flex", gap: 1, alignItems: "baseline", flexWrap: "wrap" }}>
      <Typography variant="h6">{run.uid}</Typography>
      <Typography color="text.secondary">
        {[run.scenario?.name, run.scenario?.scheduled_date.replaceAll("-", "/"), run.driver.uid, run.status]
          .filter(Boolean)
          .join(" · ")}
      </Typography>
    </Box>
  );
}

function RunActions({ noun }: { noun: Noun }) {
  const run = useWholeRun();
  const pods = useMay("pod_pdf_export");
  const jobIds = run?.jobs.map((job) => job.id) ?? [];
  return (
    <TopToolbar sx={{ flexWrap: "wrap", bgcolor: { xs: "transparent" } }}>
      <ValidateRun />
      {run && (
        <Button onClick={() => void download(`/runs/${run.id}/runsheet_pdf`, `run-${run.uid}.pdf`)}>
          {texts.admin.runs.runSheetPdf}
        </Button>
      )}
      {run && pods && jobIds.length > 0 && (
        <Button
          onClick={() =>
            void download("/pod_pdfs/jobs", `pods-${run.uid}.zip`, {
              query: { job_ids: jobIds },
              texts: {
                loading: texts.admin.shared.downloading,
                success: texts.admin.shared.fileDownloaded,
                failure: texts.admin.shared.noProofs,
              },
            })
          }
        >
          {texts.admin.shared.downloadPoD}
        </Button>
      )}
      {noun.audited && <HistoryButton kind={noun.audited} />}
      <ListButton />
    </TopToolbar>
  );
}

/** Deletes a run without jobs. */
export function DeleteRun() {
  const run = useWholeRun();
  if (!run) return null;
  return (
    <DeleteButton
      mutationMode="pessimistic"
      disabled={run.jobs.length > 0}
      confirmTitle={fill(texts.runs.deleteText, { uid: run.uid })}
      confirmContent=""
    />
  );
}
