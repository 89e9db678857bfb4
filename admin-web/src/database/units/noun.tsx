import { texts, randomUid } from "@routewright/web";
import AutorenewIcon from "@mui/icons-material/Autorenew";
import { Button } from "@mui/material";
import { BooleanInput, TextInput } from "react-admin";
import { useFormContext } from "react-hook-form";
import { ExtraFieldsInput, OneInput, Row, SCENARIO_FILTER } from "../../inputs/index.ts";
import { levelsOf, type Noun } from "../../data/noun.ts";
import { needed, notBlank } from "../../inputs/validators.ts";
import { UnitDetailsButton } from "./UnitDetails.tsx";

/** Units: the pieces that are loaded and delivered for a job. */
export const units: Noun = {
  name: "database/units",
  path: "units",
  ...texts.admin.nouns.units,
  audited: "unit",
  levels: levelsOf("units"),
  module: "units",
  representation: "uid",
  columns: [
    { source: "uid" },
    { source: "name" },
    { source: "job_id", reference: "database/jobs", sortable: false },
    { source: "container_id", reference: "containers/search_containers", sortable: false },
    { source: "invoice" },
    { source: "reference" },
    { source: "is_in_pool", label: texts.admin.shared.inPool, kind: "yesno", sortable: false },
    { source: "created", kind: "moment" },
  ],
  filters: [
    SCENARIO_FILTER,
    <OneInput key="job" source="job_id" of="database/jobs" />,
    <BooleanInput key="pool" source="is_in_pool" label={texts.admin.shared.inPool} />,
  ],
  form: () => (
    <>
      <Row>
        <TextInput
          source="uid"
          validate={[needed(texts.checks.uidRequired), notBlank]}
          helperText={<GenerateUid />}
        />
        <TextInput source="name" validate={notBlank} />
      </Row>
      <Row>
        <OneInput source="job_id" of="database/jobs" helperText={texts.admin.units.jobHelp} />
        <OneInput source="container_id" of="containers/search_containers" />
      </Row>
      <Row>
        <TextInput source="invoice" />
        <TextInput source="reference" />
      </Row>
      <ExtraFieldsInput source="extra_fields" />
    </>
  ),
  rowActions: <UnitDetailsButton />,
  editActions: <UnitDetailsButton />,
  defaults: () => ({ extra_fields: {} }),
  toSend: ({ uid, name, invoice, reference, job_id, container_id, extra_fields }) => ({
    uid,
    name,
    invoice,
    reference,
    job_id,
    container_id,
    extra_fields,
  }),
};

function GenerateUid() {
  const { setValue } = useFormContext();
  return (
    <Button
      size="small"
      startIcon={<AutorenewIcon />}
      onClick={() => setValue("uid", randomUid(), { shouldDirty: true })}
    >
      {texts.admin.units.generate}
    </Button>
  );
}
