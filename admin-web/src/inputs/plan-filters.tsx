import { texts } from "@routewright/web";
import { useEffect } from "react";
import { useFormContext, useWatch } from "react-hook-form";
import { DayInput } from "./DayInput.tsx";
import { ManyInput } from "./OneInput.tsx";

/** Filters of lists by the days of their scenarios, from and until. */
export const DAY_FILTERS = [
  <DayInput key="start" source="scheduled_date_start" label={texts.admin.shared.from} />,
  <DayInput key="end" source="scheduled_date_end" label={texts.admin.shared.until} />,
];

/** Filter of lists by scenarios: a day may have gone by several. */
export const SCENARIO_FILTER = (
  <ScenariosInput key="scenario" source="scenario_ids" label={texts.admin.shared.scenario} />
);

function ScenariosInput({ source, label }: { source: string; label: string }) {
  const { setValue } = useFormContext();
  const value: unknown = useWatch({ name: source });
  // Links and lists that were left narrowed to one scenario.
  const one = typeof value === "number" || (typeof value === "string" && value !== "");
  useEffect(() => {
    if (one) setValue(source, [Number(value)]);
  }, [one, setValue, source, value]);
  return one ? null : <ManyInput source={source} of="database/scenarios" label={label} />;
}
