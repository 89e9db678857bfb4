import { clockText, fill, type Runsheet, type RunsheetJob, texts } from "@routewright/web";
import { lazy, type ReactNode, Suspense, useState } from "react";
import { Button } from "../phone/Button.tsx";
import { Notice } from "../phone/Notice.tsx";
import { JobCard, stopId } from "./JobCard.tsx";
import { NoteDialog } from "./NoteDialog.tsx";
import type { SheetState } from "./use-sheet.ts";

/** Maps are large: they come when one is shown. */
const RunMap = lazy(async () => ({ default: (await import("./RunMap.tsx")).RunMap }));

export type Screen =
  { kind: "list" } | { kind: "start" } | { kind: "end" } | { kind: "proof"; jobId: number };

interface ListProps {
  state: SheetState;
  sheet: Runsheet;
  onOpen: (screen: Screen) => void;
}

/** The stops: what is open with the next one on top, what is done folded away. */
export function List({ state, sheet, onOpen }: ListProps): ReactNode {
  const jobs = [...sheet.jobs].sort((a, b) => a.seq - b.seq);
  const isDone = (job: RunsheetJob): boolean => state.resultOf(job.id) !== null;
  const open = jobs.filter((job) => !isDone(job));
  const over = jobs.filter(isDone);
  const done = over.length;
  const [next] = open;
  const [unfolded, setUnfolded] = useState(false);
  const [telling, setTelling] = useState(false);
  const [mapped, setMapped] = useState(false);
  const { actual_start_time: started, actual_end_time: ended } = sheet.run;
  const zone = sheet.organisation.timezone;
  const anyOrder = sheet.settings.app_settings.allow_out_of_sequence;
  const driving = started !== null && ended === null;
  const progress = fill(texts.runsheet.progress, { done, total: jobs.length });
  const show = (jobId: number): void => {
    if (over.some(({ id }) => id === jobId)) setUnfolded(true);
    // After what was folded is there.
    requestAnimationFrame(() => document.getElementById(stopId(jobId))?.scrollIntoView({ block: "center" }));
  };
  const card = (job: RunsheetJob): ReactNode => (
    <JobCard
      key={job.id}
      job={job}
      zone={zone}
      result={state.resultOf(job.id)}
      next={job.id === next?.id}
      showPhone={sheet.settings.app_settings.show_customer_phone}
      onProof={
        driving && (anyOrder || isDone(job) || job.id === next?.id)
          ? () => onOpen({ kind: "proof", jobId: job.id })
          : null
      }
    />
  );
  return (
    <>
      <div>
        <p className="ph-quiet">
          {progress}
          {started !== null && ` · ${fill(texts.runsheet.started, { time: clockText(started, zone) })}`}
          {ended !== null && ` · ${fill(texts.runsheet.ended, { time: clockText(ended, zone) })}`}
        </p>
        <progress className="ph-progress" aria-label={progress} max={Math.max(1, jobs.length)} value={done} />
      </div>
      {started === null && (
        <Button kind="filled" onClick={() => onOpen({ kind: "start" })}>
          {texts.runsheet.start}
        </Button>
      )}
      {driving && next === undefined && <Notice tone="success">{texts.runsheet.allDone}</Notice>}
      {driving && (
        <Button kind="outlined" onClick={() => setTelling(true)}>
          {texts.runsheet.note}
        </Button>
      )}
      <Button kind="outlined" icon="map" expanded={mapped} onClick={() => setMapped((shown) => !shown)}>
        {mapped ? texts.runsheet.hideMap : texts.runsheet.showMap}
      </Button>
      {mapped && (
        <Suspense
          fallback={<div className="ph-spinner" role="progressbar" aria-label={texts.common.loading} />}
        >
          <RunMap sheet={sheet} resultOf={state.resultOf} next={next ?? null} onStop={show} />
        </Suspense>
      )}
      {telling && <NoteDialog job={next ?? null} state={state} onClose={() => setTelling(false)} />}
      {open.map(card)}
      {done > 0 && (
        <Button expanded={unfolded} onClick={() => setUnfolded((shown) => !shown)}>
          {fill(unfolded ? texts.runsheet.hideDone : texts.runsheet.showDone, { n: done })}
        </Button>
      )}
      {unfolded && over.map(card)}
      {driving && (
        <Button kind={next === undefined ? "filled" : "outlined"} onClick={() => onOpen({ kind: "end" })}>
          {texts.runsheet.end}
        </Button>
      )}
    </>
  );
}
