import { MenuItem, TextField } from "@mui/material";
import { texts } from "@routewright/web";
import type { ReactNode } from "react";
import { useScenarioReasons } from "../plan/queries.ts";

interface ReasonChoiceProps {
  value: number | null;
  onChange: (id: number | null) => void;
}

/** Why a plan is changed after dispatch. Nobody has to say it; nothing is shown where no reasons are defined. */
export function ReasonChoice({ value, onChange }: ReasonChoiceProps): ReactNode {
  const { data: reasons = [] } = useScenarioReasons();
  if (reasons.length === 0) return null;
  return (
    <TextField
      select
      label={texts.scenarios.reason}
      value={value ?? ""}
      onChange={(event) => onChange(event.target.value === "" ? null : Number(event.target.value))}
      sx={{ maxWidth: 320 }}
    >
      <MenuItem value="">{texts.common.none}</MenuItem>
      {reasons.map(({ id, name }) => (
        <MenuItem key={id} value={id}>
          {name}
        </MenuItem>
      ))}
    </TextField>
  );
}
