import { Avatar, AvatarGroup, Tooltip } from "@mui/material";
import { fill, texts, useSession } from "@routewright/web";
import type { ReactNode } from "react";
import { usePlanContext } from "../plan/context.ts";
import type { Plan } from "../plan/plan.ts";
import { type Doing, type Person, usePresence } from "../plan/presence.ts";

/** Names of what is in hand that a tooltip has room for. */
const NAMED = 3;

/** Who else has the plan open, and what they do there. */
export function Presence(): ReactNode {
  const self = useSession(({ user }) => user?.id);
  const people = usePresence((presence) => presence.people);
  const others = people.filter(({ user_id: id }) => id !== self);
  return others.length === 0 ? null : <Others others={others} />;
}

function Others({ others }: { others: readonly Person[] }): ReactNode {
  const { plan } = usePlanContext();
  return (
    <AvatarGroup
      max={5}
      aria-label={texts.presence.label}
      sx={{ "& .MuiAvatar-root": { width: 28, height: 28, fontSize: 12, bgcolor: "#37474f", color: "#fff" } }}
    >
      {others.map((person) => (
        <Tooltip key={person.user_id} title={sentence(person, plan)}>
          <Avatar
            tabIndex={0}
            aria-label={sentence(person, plan)}
            sx={{ "&&": { bgcolor: person.colour, outline: person.doing === null ? 0 : "2px solid" } }}
          >
            {person.initials}
          </Avatar>
        </Tooltip>
      ))}
    </AvatarGroup>
  );
}

function sentence({ name, doing }: Person, plan: Plan): string {
  if (doing === null) return fill(texts.presence.here, { name });
  const text = doing.kind === "dragging" ? texts.presence.dragging : texts.presence.editing;
  return fill(text, { name, what: named(doing, plan) });
}

function named({ job_ids: jobs = [], run_ids: runs = [] }: Doing, plan: Plan): string {
  const uids = [
    ...plan.jobs.filter(({ id }) => jobs.includes(id)),
    ...plan.runs.filter(({ id }) => runs.includes(id)),
  ].map(({ uid }) => uid);
  const more = uids.length - NAMED;
  return uids.slice(0, NAMED).join(", ") + (more > 0 ? ` +${more}` : "");
}
