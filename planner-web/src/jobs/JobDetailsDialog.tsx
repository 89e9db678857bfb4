import CheckIcon from "@mui/icons-material/Check";
import { Alert, AlertTitle, Box, Button, Chip, Collapse, Tab, Tabs, Typography } from "@mui/material";
import {
  clockText,
  etaRange,
  Facts,
  inkOn,
  type JobDetail,
  mayCall,
  momentText,
  recordTimeMoment,
  request,
  session,
  shortTime,
  sizeWords,
  texts,
  useLevel,
  useModule,
} from "@routewright/web";
import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { usePlanContext } from "../plan/context.ts";
import { openDialog } from "../plan/dialogs.ts";
import { useDriverName } from "../plan/DriverName.tsx";
import { keys } from "../plan/keys.ts";
import { runsById } from "../plan/plan.ts";
import { useTerritories } from "../plan/queries.ts";
import { useProblems } from "../plan/use-problems.ts";
import { expectedOf, useRoad } from "../road/road.ts";
import { expectedText } from "../road/words.ts";
import { RequestCard } from "../requests/RequestCard.tsx";
import { useRequests } from "../requests/requests.ts";
import { Modal } from "../ui/Modal.tsx";
import { Waiting } from "../ui/Waiting.tsx";
import { useMayEdit, useView } from "../ui/view.ts";
import { DuplicateJobDialog } from "./DuplicateJobDialog.tsx";

interface JobDetailsDialogProps {
  jobId: number;
  onClose: () => void;
}

/** Everything about one job, with ways to its run, proof and attachments. */
export function JobDetailsDialog({ jobId, onClose }: JobDetailsDialogProps): ReactNode {
  const [tab, setTab] = useState(0);
  const { data: job, error } = useQuery({
    queryKey: [...keys.job(jobId), "all"],
    queryFn: () => request<JobDetail>(`/jobs/${jobId}/all`, { quiet: true }),
    staleTime: 5_000,
  });
  if (job === undefined) return <Waiting title={texts.jobs.detailsTitle} error={error} onClose={onClose} />;
  return (
    <Modal
      title={`${texts.jobs.detailsTitle} – ${job.uid}`}
      width={640}
      onClose={onClose}
      actions={<Buttons job={job} onClose={onClose} />}
    >
      <Problems jobId={job.id} />
      <Asked job={job} />
      <Words job={job} />
      <Tabs value={tab} onChange={(_, value: number) => setTab(value)} sx={{ mb: 2 }}>
        <Tab label={texts.jobs.tabInfo} />
        <Tab label={texts.jobs.tabDelivery} />
        <Tab label={texts.jobs.tabConstraints} />
      </Tabs>
      {tab === 0 && <Info job={job} />}
      {tab === 1 && <Delivery job={job} />}
      {tab === 2 && <Constraints job={job} />}
    </Modal>
  );
}

/** What is wrong with the job, and the way to what would help. */
function Problems({ jobId }: { jobId: number }): ReactNode {
  const { scenarioId } = usePlanContext();
  const problems = useProblems().ofJob(jobId);
  const view = useView();
  if (problems.length === 0 || view === "customer") return null;
  const asks = problems.some(({ kind }) => kind === "unserved" || kind === "late");
  const may = mayCall("GET", `/scenarios/${scenarioId ?? 0}/diagnosis/${jobId}`, session().user);
  return (
    <Alert
      severity={problems.some(({ severity }) => severity === "error") ? "error" : "warning"}
      sx={{ mb: 2 }}
      action={
        asks &&
        may && (
          <Button color="inherit" onClick={() => openDialog({ kind: "diagnosis", jobId })}>
            {texts.problems.why}
          </Button>
        )
      }
    >
      {problems.map(({ kind, text }, index) => (
        <div key={index}>
          {texts.problems.kinds[kind]}: {text}
        </div>
      ))}
    </Alert>
  );
}

/** Another day that the customer asked for. */
function Asked({ job }: { job: JobDetail }): ReactNode {
  const customer = useView() === "customer";
  const asked = useRequests(job.idm && !customer).filter(({ job_id: of }) => of === job.id);
  return asked.map((one) => (
    <Box key={one.id} sx={{ mb: 2 }}>
      <RequestCard asked={one} />
    </Box>
  ));
}

/** What the customer asked of the driver, marked as his own words. */
function Words({
  job: { customer_instructions: words, customer_safe_place: place },
}: {
  job: JobDetail;
}): ReactNode {
  if (words === null && place === null) return null;
  return (
    <Alert severity="info" sx={{ mb: 2, overflowWrap: "anywhere" }}>
      <AlertTitle>{texts.requests.words}</AlertTitle>
      {words !== null && <Box sx={{ whiteSpace: "pre-wrap" }}>{words}</Box>}
      {place !== null && (
        <div>
          {texts.requests.safePlace}: {place}
        </div>
      )}
    </Alert>
  );
}

function Buttons({ job, onClose }: { job: JobDetail; onClose: () => void }): ReactNode {
  const edits = useMayEdit();
  const writes = useLevel("jobs_write");
  const seesRun = useLevel("run_detail_read");
  const seesProofs = useLevel("proofs_read");
  const units = useModule("units");
  const returns = useModule("returns");
  const containers = useModule("containers");
  const [duplicating, setDuplicating] = useState(false);
  const { run } = job;
  return (
    <>
      {edits && writes && (
        <>
          <Button sx={{ mr: "auto" }} onClick={() => setDuplicating(true)}>
            {texts.jobs.duplicateJob}
          </Button>
          <Button onClick={() => openDialog({ kind: "tags", jobIds: [job.id] })}>
            {texts.jobs.fields.tags}
          </Button>
          <Button onClick={() => openDialog({ kind: "job", jobId: job.id })}>{texts.common.edit}</Button>
          {duplicating && (
            <DuplicateJobDialog job={job} onClose={() => setDuplicating(false)} onDone={onClose} />
          )}
        </>
      )}
      {run !== null && seesRun && (
        <Button onClick={() => openDialog({ kind: "run", runId: run.id })}>{texts.jobs.runDetails}</Button>
      )}
      {seesProofs && (
        <Button onClick={() => openDialog({ kind: "job-proof", jobId: job.id })}>
          {texts.jobs.jobProof}
        </Button>
      )}
      {(units || returns || containers) && (
        <Button onClick={() => openDialog({ kind: "attachments", jobId: job.id })}>
          {texts.jobs.attachments}
        </Button>
      )}
    </>
  );
}

function Info({ job }: { job: JobDetail }): ReactNode {
  const [open, setOpen] = useState(true);
  const { data: territories } = useTerritories();
  const within = job.territory_ids.map((id) => territories?.find((item) => item.id === id)?.name ?? `#${id}`);
  const extra = Object.entries(job.extra_fields);
  return (
    <Box sx={{ display: "grid", gap: 1.5 }}>
      <Facts
        facts={[
          [texts.jobs.fields.customer_name, job.customer_name],
          [texts.jobs.fields.address, job.location.address],
          [texts.jobs.fields.phone_number, job.phone_number],
          [texts.jobs.fields.customer_email, job.customer_email],
          [texts.jobs.territories, within.join(", ")],
          [texts.jobs.fields.dock_location, job.dock_location],
          [texts.jobs.fields.invoice, job.invoice],
          [texts.jobs.fields.reference, job.reference],
          ...extra.map(([name, value]) => [name, value] as const),
        ]}
      />
      {job.tags.length > 0 && (
        <Box sx={{ display: "flex", gap: 0.5, flexWrap: "wrap" }}>
          {job.tags.map((tag) => (
            <Chip key={tag.id} label={tag.name} sx={{ bgcolor: tag.color, color: inkOn(tag.color) }} />
          ))}
        </Box>
      )}
      {job.comments !== null && (
        <Box>
          <Button onClick={() => setOpen(!open)} aria-expanded={open}>
            {texts.jobs.fields.comments}
          </Button>
          <Collapse in={open}>
            <Typography sx={{ whiteSpace: "pre-wrap", px: 1 }}>{job.comments}</Typography>
          </Collapse>
        </Box>
      )}
    </Box>
  );
}

function Delivery({ job }: { job: JobDetail }): ReactNode {
  const customer = useView() === "customer";
  const { plan } = usePlanContext();
  const name = useDriverName()(runsById(plan.runs).get(job.run_id ?? 0));
  const best = job.updated_eta ?? job.eta;
  const range = best === null ? null : etaRange(best);
  const late =
    job.updated_eta !== null && job.eta !== null && Date.parse(job.updated_eta) > Date.parse(job.eta);
  const proof = job.proof_time ?? null;
  const road = useRoad();
  const expected = road.driven && proof === null ? expectedOf(road, job) : null;
  return (
    <Facts
      facts={[
        [
          texts.jobs.fields.driver,
          [job.run?.driver?.uid ?? texts.jobs.unserved, name].filter(Boolean).join(" · "),
        ],
        [texts.jobs.fields.seq, job.seq === null ? null : String(job.seq)],
        ...(customer
          ? []
          : ([
              [texts.jobs.fields.eta, momentText(job.eta, job.timezone)],
              [texts.jobs.fields.etd, momentText(job.etd, job.timezone)],
              [
                texts.jobs.fields.updated_eta,
                job.updated_eta === null ? null : (
                  <Typography key="eta" component="span" color={late ? "error" : "success"}>
                    {momentText(job.updated_eta, job.timezone)}
                  </Typography>
                ),
              ],
              [
                texts.live.expectedNow,
                expected === null ? null : (
                  <span key="expected" title={texts.live.rangeHelp}>
                    {expectedText(expected, job.timezone)}
                  </span>
                ),
              ],
              [
                texts.jobs.fields.eta_range,
                range === null
                  ? null
                  : `${clockText(range.from, job.timezone)} – ${clockText(range.to, job.timezone)}`,
              ],
            ] as const)),
        [texts.jobs.jobProof, proof === null ? null : momentText(recordTimeMoment(proof), job.timezone)],
      ]}
    />
  );
}

function Constraints({ job }: { job: JobDetail }): ReactNode {
  return (
    <Facts
      facts={[
        [texts.jobs.fields.duration, String(job.duration)],
        [texts.jobs.fields.spec_type, job.spec_type],
        [texts.jobs.fields.size, sizeWords(job.size)],
        [texts.jobs.fields.arrive_after, shortTime(job.arrive_after)],
        [texts.jobs.fields.leave_by, shortTime(job.leave_by)],
        [
          texts.jobs.fields.priority,
          job.priority ? (
            <CheckIcon key="tick" fontSize="small" titleAccess={texts.common.yes} />
          ) : (
            texts.common.no
          ),
        ],
        [texts.jobs.fields.pickup_from, job.pickup_from],
        [texts.jobs.fields.deliver_to, job.deliver_to],
      ]}
    />
  );
}
