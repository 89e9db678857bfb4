import { Typography } from "@mui/material";
import { clockText, fill, organisationNow, type Run, texts, useSession } from "@routewright/web";
import type { ReactNode } from "react";
import { usePlanContext } from "../plan/context.ts";
import { stopsOf } from "../plan/plan.ts";
import { useRoad } from "../road/road.ts";
import { staleText } from "../road/words.ts";
import { heardAt, type RunContact, SILENT, unconfirmedText, useRunContact } from "./contact.ts";

interface PhoneContactProps {
  run: Run;
  /** Only what a dispatcher has to care for. */
  brief?: boolean;
}

/** What is known of the driver's phone: when it was heard of, what waits on it, what its driver has not confirmed. */
export function PhoneContact({ run, brief = false }: PhoneContactProps): ReactNode {
  const zone = useSession((state) => state.user?.organisation.timezone);
  const contact = useRunContact(run);
  const { plan } = usePlanContext();
  const road = useRoad();
  const heard = heardAt(run, contact, road.runs.get(run.id)?.track ?? [], stopsOf(plan.jobs, run.id));
  const driven = run.actual_start_time !== null && run.actual_end_time === null;
  const stale = driven && road.now !== null ? staleText(road.runs.get(run.id)?.track.at(-1), road.now) : "";
  const silent = heard !== null && (road.now ?? organisationNow()) - heard > SILENT;
  const never = contact === null && !brief && run.dispatched;
  const lines: Line[] = [
    ...(never ? [{ text: texts.contact.never, colour: "textSecondary" as const }] : []),
    ...(contact === null ? [] : linesOf(contact, silent, brief, (at) => clockText(at, zone))),
    ...(stale === "" ? [] : [{ text: stale, colour: "warning" as const }]),
  ];
  if (lines.length === 0) return null;
  return (
    <Typography variant="caption" component="div" color="textSecondary">
      {lines.map(({ text, colour }, index) => (
        <Typography key={text} variant="caption" component="span" color={colour}>
          {index > 0 && " · "}
          {text}
        </Typography>
      ))}
    </Typography>
  );
}

interface Line {
  text: string;
  colour: "textSecondary" | "warning" | "error";
}

function linesOf(
  contact: RunContact,
  silent: boolean,
  brief: boolean,
  clock: (at: string) => string,
): Line[] {
  const lines: Line[] = [];
  if (silent || !brief) {
    const text = silent ? texts.contact.silent : texts.contact.heard;
    lines.push({
      text: fill(text, { time: clock(contact.last_at) }),
      colour: silent ? "error" : "textSecondary",
    });
  }
  if (contact.waiting > 0) {
    lines.push({ text: fill(texts.contact.waiting, { n: contact.waiting }), colour: "warning" });
  }
  const what = unconfirmedText(contact);
  if (what !== "") lines.push({ text: fill(texts.contact.unconfirmed, { what }), colour: "warning" });
  else if (contact.confirmed_at !== null && !brief) {
    const time = clock(contact.confirmed_at);
    lines.push({ text: fill(texts.contact.confirmed, { time }), colour: "textSecondary" });
  }
  return lines;
}
