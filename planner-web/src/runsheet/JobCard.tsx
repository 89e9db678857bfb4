import { clockText, fill, type RunsheetJob, shortTime, sizeWords, texts } from "@routewright/web";
import type { ReactNode } from "react";
import { Button } from "../phone/Button.tsx";
import { Icon } from "../phone/Icon.tsx";
import { navigationLink } from "./navigation.ts";

interface JobCardProps {
  job: RunsheetJob;
  zone: string;
  /** What became of it; `null` while it is open. */
  result: "done" | "failed" | null;
  next: boolean;
  showPhone: boolean;
  /** `null`: no proof can be recorded now. */
  onProof: (() => void) | null;
}

const TONES = { done: "success", failed: "error", next: "primary", open: undefined } as const;

/** Id of a stop's card in the page. */
export function stopId(jobId: number): string {
  return `stop-${jobId}`;
}

/** One stop of the run sheet. */
export function JobCard({ job, zone, result, next, showPhone, onProof }: JobCardProps): ReactNode {
  const done = result !== null;
  const eta = job.updated_eta ?? job.eta;
  const { lat, lon } = job.location;
  return (
    <section
      id={stopId(job.id)}
      className="ph-card"
      data-next={next}
      aria-label={job.customer_name ?? job.uid}
    >
      <div className="ph-row">
        <span className="ph-chip" data-tone={TONES[result ?? (next ? "next" : "open")]}>
          {job.seq}
        </span>
        <h3 className="ph-grow">{job.customer_name ?? job.uid}</h3>
        {job.priority && <Icon name="priority" tone="warning" title={texts.jobs.fields.priority} />}
        {result === "done" && <Icon name="done" tone="success" title={texts.runsheet.delivered} />}
        {result === "failed" && <Icon name="failed" tone="error" title={texts.runsheet.notDelivered} />}
        {!done && eta !== null && <span className="ph-strong">{clockText(eta, zone)}</span>}
      </div>
      <p>{job.location.address}</p>
      <p className="ph-quiet">{factsOf(job)}</p>
      {job.comments !== null && <p className="ph-note">{job.comments}</p>}
      <Wishes job={job} />
      {!done && (
        <div className="ph-row">
          <Button
            kind="outlined"
            icon="navigate"
            href={navigationLink(lat, lon, navigator.userAgent, navigator.maxTouchPoints > 1)}
          >
            {texts.runsheet.navigate}
          </Button>
          {showPhone && job.phone_number !== null && (
            <Button kind="outlined" icon="call" href={`tel:${job.phone_number}`}>
              {texts.runsheet.call}
            </Button>
          )}
          {onProof !== null && (
            <Button kind={next ? "filled" : "outlined"} grow onClick={onProof}>
              {texts.runsheet.recordProof}
            </Button>
          )}
        </div>
      )}
      {done && onProof !== null && (
        <Button kind="outlined" onClick={onProof}>
          {texts.runsheet.lookOrCorrect}
        </Button>
      )}
    </section>
  );
}

/** What the customer asked for, marked as his own words. */
function Wishes({
  job: { customer_instructions: words, customer_safe_place: place },
}: {
  job: RunsheetJob;
}): ReactNode {
  if (words === null && place === null) return null;
  return (
    <blockquote className="ph-words" aria-label={texts.runsheet.customerSays}>
      <strong>{texts.runsheet.customerSays}</strong>
      {words !== null && <p>{words}</p>}
      {place !== null && <p>{fill(texts.runsheet.leaveIt, { place })}</p>}
    </blockquote>
  );
}

function factsOf(job: RunsheetJob): string {
  const window = [shortTime(job.arrive_after), shortTime(job.leave_by)];
  const facts = [
    job.uid,
    window.some((time) => time !== "")
      ? `${texts.runsheet.window} ${window[0] || "…"}–${window[1] || "…"}`
      : null,
    sizeWords(job.size) || null,
    job.dock_location,
    job.units.length > 0 ? `${job.units.length} ${texts.runsheet.units}` : null,
  ];
  return facts.filter((part) => part !== null).join(" · ");
}
