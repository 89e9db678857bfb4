import { Typography } from "@mui/material";
import { texts } from "@routewright/web";
import { ArrayInput, ResourceContextProvider, SelectInput, SimpleFormIterator, TextInput } from "react-admin";
import { Row } from "../inputs/index.ts";
import { needed } from "../inputs/validators.ts";
import { choices } from "../resource/planning.ts";

const PARTS = ["photo", "signature", "scan", "pin", "note", "age_check"] as const;
const DEMANDS = choices(["required", "warn", "optional"]);

/** What proofs have to have: for all jobs, and where jobs of a type differ. */
export function ProofDemands() {
  const words = texts.admin.settings.demands;
  return (
    <>
      <Typography variant="h6" component="h2" sx={{ mt: 2 }}>
        {words.title}
      </Typography>
      <Typography variant="body2" color="textSecondary" sx={{ mb: 2, maxWidth: "70ch" }}>
        {words.help}
      </Typography>
      <Demands source="demands" />
      <ResourceContextProvider value="pod_settings">
        <ArrayInput source="by_job_type" label={words.byJobType} helperText={words.byJobTypeHelp}>
          <SimpleFormIterator disableReordering fullWidth>
            <TextInput source="job_type" label={words.jobType} validate={needed()} helperText={false} />
            <Demands source="demands" />
          </SimpleFormIterator>
        </ArrayInput>
      </ResourceContextProvider>
    </>
  );
}

function Demands({ source }: { source: string }) {
  const words = texts.admin.settings.demands;
  return (
    <>
      {[PARTS.slice(0, 3), PARTS.slice(3)].map((parts) => (
        <Row key={parts.join()}>
          {parts.map((part) => (
            <SelectInput
              key={part}
              source={`${source}.${part}`}
              label={words.parts[part]}
              choices={DEMANDS}
              emptyText={words.unset}
              helperText={false}
            />
          ))}
        </Row>
      ))}
    </>
  );
}
