import { Chip } from "@mui/material";
import { texts } from "@routewright/web";
import { NumberInput, SelectInput, TextInput } from "react-admin";
import type { Noun } from "../../data/noun.ts";
import { DayInput } from "../../inputs/index.ts";
import { type AuditEntry, Changes } from "../../resource/Changes.tsx";
import { AUDIT } from "../../resource/History.tsx";
import { choiceName, choices } from "../../resource/planning.ts";
import { KeptFor } from "./KeptFor.tsx";

const COLOURS: Record<string, "success" | "error" | "info" | "default"> = {
  created: "success",
  changed: "info",
  deleted: "error",
};

/** Kinds of objects that are filtered for; others are found by the search. */
const KINDS = [
  "job",
  "run",
  "scenario",
  "client",
  "driver",
  "vehicle",
  "tracking_device",
  "bill",
  "location",
  "billing_rate",
  "setting",
  "tag",
  "reason",
  "file",
  "secret",
  "job_proof",
  "run_proof",
  "evidence",
  "message",
  "export",
  "user",
  "role",
  "sign_in",
  "organisation",
];

/** Who did what to which thing of the organisation. */
export const auditTrail: Noun = {
  name: AUDIT,
  path: "audit",
  ...texts.admin.nouns.auditTrail,
  levels: {
    read: "organisation_settings_write",
    write: "organisation_settings_write",
    delete: "organisation_settings_write",
  },
  deletable: false,
  creatable: false,
  representation: "object_name",
  columns: [
    { source: "at", kind: "moment" },
    {
      source: "actor",
      label: texts.admin.audit.who,
      sortable: false,
      render: (record) => <Who {...(record as AuditEntry)} />,
    },
    {
      source: "change",
      label: texts.admin.audit.what,
      sortable: false,
      render: (record) => <What change={(record as AuditEntry).change} />,
    },
    { source: "object_kind", label: texts.admin.audit.kind, kind: "choice" },
    { source: "object_name", label: texts.admin.audit.object },
    {
      source: "changes",
      label: texts.admin.audit.changes,
      sortable: false,
      render: (record) => <Changes entry={record as AuditEntry} />,
    },
    { source: "action", label: texts.admin.audit.route, sortable: false, hidden: true },
    { source: "object_id", label: texts.admin.audit.objectId, sortable: false, hidden: true },
    { source: "request_id", sortable: false, hidden: true },
  ],
  filters: [
    <SelectInput
      key="object_kind"
      source="object_kind"
      label={texts.admin.audit.kind}
      choices={choices(KINDS)}
      alwaysOn
    />,
    <SelectInput
      key="change"
      source="change"
      label={texts.admin.audit.what}
      choices={choices(["created", "changed", "deleted", "done"])}
    />,
    <SelectInput
      key="actor_kind"
      source="actor_kind"
      label={texts.admin.audit.as}
      choices={choices(["user", "operator", "driver", "link", "worker", "system"])}
    />,
    <TextInput key="actor" source="actor" label={texts.admin.audit.who} />,
    <TextInput key="object_name" source="object_name" label={texts.admin.audit.object} />,
    <NumberInput key="object_id" source="object_id" label={texts.admin.audit.objectId} />,
    <TextInput key="action" source="action" label={texts.admin.audit.route} />,
    <DayInput key="start" source="at_start" label={texts.admin.shared.from} />,
    <DayInput key="end" source="at_end" label={texts.admin.shared.until} />,
  ],
  listActions: <KeptFor />,
  files: { path: "/audit/export", name: "audit" },
};

function What({ change }: { change: string }) {
  return (
    <Chip size="small" variant="outlined" label={choiceName(change)} color={COLOURS[change] ?? "default"} />
  );
}

function Who({ actor, actor_kind: kind }: AuditEntry) {
  return (
    <>
      {actor}
      {kind === "operator" && <Chip size="small" color="warning" label={choiceName(kind)} sx={{ ml: 1 }} />}
    </>
  );
}
