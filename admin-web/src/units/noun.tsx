import AutorenewIcon from "@mui/icons-material/Autorenew";
import { Button } from "@mui/material";
import { BooleanInput, TextInput } from "react-admin";
import { useFormContext } from "react-hook-form";
import { ExtraFieldsInput, OneInput, Row } from "../inputs/index.ts";
import { levelsOf, type Noun } from "../resource/noun.ts";
import { needed, notBlank } from "../validators.ts";
import { randomUid } from "./uid.ts";

/** Units: the pieces that are loaded and delivered for a job. */
export const units: Noun = {
  name: "database/units",
  path: "units",
  singular: "Unit",
  plural: "Units",
  levels: levelsOf("units"),
  module: "units",
  representation: "uid",
  columns: [
    { source: "uid" },
    { source: "name" },
    { source: "job_id", reference: "database/jobs", sortable: false },
    { source: "container_id", reference: "containers/search_containers", sortable: false },
    { source: "invoice", sortable: false },
    { source: "reference", sortable: false },
    { source: "is_in_pool", label: "In pool", kind: "yesno", sortable: false },
    { source: "created", kind: "moment", sortable: false },
  ],
  filters: [
    <OneInput key="scenario" source="scenario_ids" of="database/scenarios" label="Scenario" />,
    <OneInput key="job" source="job_id" of="database/jobs" />,
    <BooleanInput key="pool" source="is_in_pool" label="In pool" />,
  ],
  form: () => (
    <>
      <Row>
        <TextInput
          source="uid"
          validate={[needed("UID is required"), notBlank]}
          helperText={<GenerateUid />}
        />
        <TextInput source="name" validate={notBlank} />
      </Row>
      <Row>
        <OneInput source="job_id" of="database/jobs" helperText="Left empty, the unit is in the pool." />
        <OneInput source="container_id" of="containers/search_containers" />
      </Row>
      <Row>
        <TextInput source="invoice" />
        <TextInput source="reference" />
      </Row>
      <ExtraFieldsInput source="extra_fields" />
    </>
  ),
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
      Generate
    </Button>
  );
}
