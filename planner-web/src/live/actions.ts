import {
  areEmails,
  fill,
  hasPlainAccess,
  type Job,
  type Run,
  texts,
  useLevel,
  useSession,
} from "@routewright/web";
import { mayApply } from "../doctor/diagnosis.ts";
import { useScenarioContext } from "../plan/context.ts";
import { openDialog } from "../plan/dialogs.ts";
import { stopsOf, type Plan } from "../plan/plan.ts";
import type { Problems } from "../plan/problems.ts";
import { sendLinks } from "../tracking/send-links.ts";
import type { MenuItemOf } from "../ui/MenuButton.tsx";
import type { Exception } from "./model.ts";

type Actions = (
  about: Pick<Exception, "jobId" | "runId">,
  job: Job | undefined,
  run: Run | undefined,
) => MenuItemOf[];

/**
 * What the user may look at and do about an exception. Each opens where its effect is told or chosen before anything
 * changes. Who may only watch the live overview does nothing.
 */
export function useExceptionActions(plan: Plan, problems: Problems): Actions {
  const seesRun = useLevel("run_detail_read");
  const plain = useSession(({ user }) => hasPlainAccess(user));
  const writesRuns = useLevel("runs_write") && plain;
  const writesJobs = useLevel("jobs_write") && plain;
  const { scenarioId } = useScenarioContext();
  return (_, job, run) => {
    const jobOpen = job !== undefined && !job.visited;
    const runOpen = run !== undefined && run.validated_at === null && run.actual_end_time === null;
    const left = run === undefined ? [] : stopsOf(plan.jobs, run.id).filter(({ visited }) => !visited);
    const movable = jobOpen && (run === undefined || run.validated_at === null);
    const wants =
      jobOpen && problems.ofJob(job.id).some(({ kind }) => kind === "late" || kind === "unserved");
    // Runs on the road are the office's to change: the remedies speak of those that have not left.
    const remedied =
      wants && (run === undefined || run.actual_start_time === null) && mayApply(scenarioId ?? 0);
    const driver = run?.phone_number ?? run?.driver.phone_number ?? "";
    const customer = job?.phone_number ?? "";
    const email = job?.customer_email ?? "";
    const actions: (MenuItemOf & { shown: boolean })[] = [
      {
        label: fill(texts.live.callDriver, { phone: driver }),
        href: telephone(driver),
        shown: (writesRuns || writesJobs) && driver !== "",
      },
      {
        label: texts.live.findRun,
        act: () => openDialog({ kind: "diagnosis", jobId: job?.id ?? 0 }),
        shown: movable && writesRuns && writesJobs && remedied,
      },
      {
        label: texts.live.anotherRun,
        act: () => openDialog({ kind: "move", jobIds: [job?.id ?? 0] }),
        shown: movable && writesRuns,
      },
      {
        label: fill(texts.live.moveOpen, { n: left.length }),
        act: () => openDialog({ kind: "move", jobIds: left.map(({ id }) => id) }),
        shown: job === undefined && runOpen && left.length > 0 && writesRuns,
      },
      {
        label: texts.live.anotherDay,
        act: () => openDialog({ kind: "another-day", jobId: job?.id ?? 0 }),
        shown: movable && writesJobs,
      },
      {
        label: texts.runs.delay,
        act: () => openDialog({ kind: "delay", runId: run?.id ?? 0 }),
        shown: runOpen && left.length > 0 && writesRuns,
      },
      {
        label: texts.live.tellCustomer,
        act: () => job !== undefined && tellCustomer(job, email),
        shown: jobOpen && run !== undefined && writesJobs && email.trim() !== "" && areEmails(email),
      },
      {
        label: fill(texts.live.callCustomer, { phone: customer }),
        href: telephone(customer),
        shown: job !== undefined && (writesRuns || writesJobs) && customer !== "",
      },
      {
        label: texts.jobs.details,
        act: () => openDialog({ kind: "job-details", jobId: job?.id ?? 0 }),
        shown: job !== undefined,
      },
      {
        label: texts.runs.detailsTitle,
        act: () => openDialog({ kind: "run", runId: run?.id ?? 0 }),
        shown: run !== undefined && seesRun,
      },
    ];
    return actions.filter(({ shown }) => shown);
  };
}

function telephone(number: string): string {
  return `tel:${number.replace(/[^+\d]/g, "")}`;
}

/** Sends the link to the page that tells when the job is expected now, after saying whom. */
function tellCustomer(job: Job, email: string): void {
  openDialog({
    kind: "question",
    title: texts.live.tellTitle,
    text: fill(texts.live.tellQuestion, { uid: job.uid, email }),
    yes: texts.tracking.send,
    answer: (yes) => {
      if (yes) void sendLinks([job], () => email);
    },
  });
}
