import { texts } from "@routewright/web";
import { BooleanInput, TextInput } from "react-admin";
import { DAY_FILTERS, ExtraFieldsInput, OneInput, Row, SCENARIO_FILTER } from "../inputs/index.ts";
import { levelsOf, type Noun } from "../data/noun.ts";
import { needed, notBlank } from "../inputs/validators.ts";

/** Returns: what is brought back from a customer. The list is the search page. */
export const returns: Noun = {
  name: "returns/search_returns",
  path: "returns",
  listPath: "search/returns",
  ...texts.admin.nouns.returns,
  levels: levelsOf("returns"),
  module: "returns",
  representation: "uid",
  columns: [
    { source: "uid" },
    { source: "job_id", reference: "database/jobs", sortBy: "job.uid" },
    { source: "client_id", reference: "database/clients", sortable: false },
    { source: "comments" },
    { source: "is_in_pool", label: texts.admin.shared.inPool, kind: "yesno", sortable: false },
    { source: "created", kind: "moment" },
  ],
  filters: [
    ...DAY_FILTERS,
    SCENARIO_FILTER,
    <OneInput key="client" source="client_id" of="database/clients" />,
    <BooleanInput key="pool" source="is_in_pool" label={texts.admin.shared.inPool} />,
  ],
  files: { path: "/search/returns/export", name: "returns" },
  form: ReturnForm,
  said: {
    created: texts.attachments.returnCreated,
    updated: texts.attachments.returnUpdated,
    deleted: texts.attachments.returnDeleted,
    createFailed: texts.attachments.returnFailed,
    updateFailed: texts.attachments.returnFailed,
    deleteFailed: texts.attachments.returnNotDeleted,
    saving: texts.attachments.savingReturn,
    deleting: texts.attachments.removingReturn,
  },
  defaults: () => ({ extra_fields: {} }),
  toSend: ({ uid, comments, extra_fields, job_id, client_id }) => ({
    uid,
    comments,
    extra_fields,
    job_id,
    client_id,
  }),
};

export function ReturnForm() {
  return (
    <>
      <Row>
        <TextInput source="uid" validate={[needed(texts.checks.uidRequired), notBlank]} />
        <OneInput source="job_id" of="database/jobs" helperText={texts.admin.returns.jobHelp} />
        <OneInput source="client_id" of="database/clients" />
      </Row>
      <TextInput source="comments" multiline minRows={2} />
      <ExtraFieldsInput source="extra_fields" />
    </>
  );
}
