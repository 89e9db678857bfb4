import { MenuItem, TextField, Tooltip } from "@mui/material";
import { ROUTE_ENDS, type RouteEnd, type RunMethod, texts } from "@routewright/web";
import type { ReactNode } from "react";
import { ColourField } from "../fields/ColourField.tsx";
import { EMAILS, PHONES } from "../fields/recipients.ts";
import { LocationField } from "../locations/LocationField.tsx";
import { useSmsEnabled, useTerritories } from "../plan/queries.ts";
import { TerritoryChoice } from "../territories/TerritoryChoice.tsx";
import {
  DraftCapacity,
  DraftGrid,
  DraftMoment,
  type DraftProps,
  DraftRecipients,
  DraftText,
  DraftTime,
  DraftTypes,
} from "./DraftInputs.tsx";

const METHODS = Object.keys(texts.runs.methods) as RunMethod[];

/** Planning and constraints of a run. */
export function PlanningTab(props: DraftProps): ReactNode {
  const { draft, onChange } = props;
  const sms = useSmsEnabled();
  const locked = onChange === null;
  const { data: territories = [] } = useTerritories();
  return (
    <DraftGrid>
      <DraftMoment {...props} name="planned_start_time" />
      <DraftMoment {...props} name="planned_end_time" />
      <DraftCapacity {...props} />
      <DraftTime {...props} name="shift_start" />
      <DraftTime {...props} name="shift_end" />
      <DraftTypes {...props} />
      <DraftTime {...props} name="lunch_time" />
      <DraftTime {...props} name="lunch_latest_start" />
      <DraftText {...props} name="lunch_duration" />
      <Tooltip title={sms ? "" : texts.runs.smsDisabled} placement="top">
        <TextField
          select
          label={texts.runs.fields.preferred_method}
          value={draft.preferred_method}
          disabled={locked}
          onChange={(event) => onChange?.({ preferred_method: event.target.value as RunMethod })}
        >
          {METHODS.map((method) => (
            <MenuItem key={method} value={method} disabled={method === "sms" && !sms}>
              {texts.runs.methods[method]}
            </MenuItem>
          ))}
        </TextField>
      </Tooltip>
      <DraftRecipients {...props} name="email" kind={EMAILS} />
      <DraftRecipients {...props} name="phone_number" kind={PHONES} />
      <TextField
        select
        label={texts.runs.fields.route_end}
        value={draft.route_end}
        disabled={locked}
        onChange={(event) => onChange?.({ route_end: event.target.value as RouteEnd })}
      >
        {ROUTE_ENDS.map((end) => (
          <MenuItem key={end} value={end}>
            {texts.runs.routeEnds[end]}
          </MenuItem>
        ))}
      </TextField>
      {locked ? (
        <TextField
          label={texts.runs.fields.start_location}
          disabled
          value={draft.start_location?.address ?? ""}
        />
      ) : (
        <LocationField
          label={texts.runs.fields.start_location}
          value={draft.start_location}
          onChange={(value) => onChange({ start_location: value })}
          problem={props.problems["start_location"]}
        />
      )}
      {draft.route_end === "end_location" &&
        (locked ? (
          <TextField
            label={texts.runs.fields.end_location}
            disabled
            value={draft.end_location?.address ?? ""}
          />
        ) : (
          <LocationField
            label={texts.runs.fields.end_location}
            value={draft.end_location}
            onChange={(value) => onChange({ end_location: value })}
            problem={props.problems["end_location"]}
          />
        ))}
      <ColourField
        label={texts.runs.fields.route_colour}
        value={draft.route_colour}
        disabled={locked}
        onChange={(value) => onChange?.({ route_colour: value })}
      />
      <DraftText {...props} name="speed_multiplier" />
      <DraftText {...props} name="alternatives_group" />
      {territories.length > 0 && (
        <TerritoryChoice
          label={texts.territories.list}
          disabled={locked}
          options={territories}
          value={draft.territory_ids}
          onChange={(ids) => onChange?.({ territory_ids: ids })}
        />
      )}
    </DraftGrid>
  );
}
