import { fill, texts } from "@routewright/web";
import { Box } from "@mui/material";
import { fieldLabel } from "./labels.ts";
import { choiceName } from "./planning.ts";

/** A value of a field before and after a change. */
export type Change = [was: unknown, is: unknown];

/** One entry of the audit trail. */
export interface AuditEntry {
  id: number;
  at: string;
  actor_kind: string;
  actor: string;
  action: string | null;
  change: string;
  object_kind: string;
  object_id: number | null;
  object_name: string | null;
  changes: Record<string, Change>;
  reason: string | null;
  request_id: string | null;
}

/** A value as people read it. */
export function told(value: unknown): string {
  if (value === null || value === undefined || value === "") return texts.admin.audit.nothing;
  if (value === true) return texts.common.yes;
  if (value === false) return texts.common.no;
  if (Array.isArray(value))
    return value.length === 0 ? texts.admin.audit.nothing : value.map(told).join(", ");
  if (typeof value === "object") {
    const parts = Object.entries(value).map(([name, part]) => `${fieldLabel(name)}: ${told(part)}`);
    return parts.length === 0 ? texts.admin.audit.nothing : parts.join(", ");
  }
  return typeof value === "string" || typeof value === "number" ? String(value) : texts.admin.audit.nothing;
}

/**
 * The lines of an entry: moves in words, objects by what differs within them, everything else as before → after; of what
 * changed no field, what it was: "Signed in", or the route.
 */
export function lines({
  action,
  change,
  changes,
}: Pick<AuditEntry, "action" | "change" | "changes">): string[] {
  const found = Object.entries(changes).flatMap(([field, pair]) => linesOf(field, pair, change));
  if (found.length > 0 || change !== "done" || action === null) return found;
  return [action.includes("/") ? action : choiceName(action)];
}

function linesOf(field: string, [was, is]: Change, change: string): string[] {
  const { from, to, movedFrom, arrow } = texts.admin.audit;
  if (field === "run" && change === "changed") {
    if (was === null) return [fill(to, { place: told(is) })];
    if (is === null) return [fill(from, { place: told(was) })];
    return [fill(movedFrom, { from: told(was), to: told(is) })];
  }
  if (isObject(was) && isObject(is)) {
    const keys = [...new Set([...Object.keys(was), ...Object.keys(is)])];
    return keys
      .filter((key) => JSON.stringify(was[key]) !== JSON.stringify(is[key]))
      .map((key) => fill(arrow, { field: fieldLabel(key), was: told(was[key]), is: told(is[key]) }));
  }
  if (change === "created" || change === "deleted") {
    const value = told(change === "created" ? is : was);
    return value === texts.admin.audit.nothing ? [] : [`${fieldLabel(field)}: ${value}`];
  }
  return [fill(arrow, { field: fieldLabel(field), was: told(was), is: told(is) })];
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

const MOST_LINES = 4;

/** What changed, one line for each field; of many the first ones, unless all are wanted. */
export function Changes({ entry, all }: { entry: AuditEntry; all?: true }) {
  const found = lines(entry);
  const shown = all ? found : found.slice(0, MOST_LINES);
  return (
    <Box sx={{ whiteSpace: "normal", overflowWrap: "anywhere", minWidth: 220, maxWidth: 520 }}>
      {entry.reason !== null && (
        <Box sx={{ fontStyle: "italic" }}>{fill(texts.admin.audit.because, { reason: entry.reason })}</Box>
      )}
      {shown.map((line) => (
        <Box key={line}>{line}</Box>
      ))}
      {found.length > shown.length && (
        <Box title={found.slice(shown.length).join("\n")} sx={{ color: "text.secondary" }}>
          {fill(texts.admin.audit.more, { n: found.length - shown.length })}
        </Box>
      )}
    </Box>
  );
}
