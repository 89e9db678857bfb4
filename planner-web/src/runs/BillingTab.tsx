import { Box } from "@mui/material";
import {
  type BillingRate,
  Facts,
  fill,
  fromKm,
  momentText,
  requestAll,
  type Run,
  RunBill,
  texts,
  useLevel,
  useSession,
} from "@routewright/web";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { keys } from "../plan/keys.ts";
import { useUsers } from "../plan/queries.ts";
import { refreshRun } from "./actions.ts";
import { DraftChoice, DraftGrid, type DraftProps, DraftText } from "./DraftInputs.tsx";

/** What the run costs, and who validated it. */
export function BillingTab(props: DraftProps & { run: Run }): ReactNode {
  const { run, ...draft } = props;
  const settings = useSession((state) => state.user?.organisation.settings);
  const zone = useSession((state) => state.user?.organisation.timezone);
  const writesRates = useLevel("billing_rates_write");
  const { data: users = [] } = useUsers();
  const { data: rates = [] } = useQuery({
    queryKey: keys.billingRates,
    queryFn: () => requestAll<BillingRate>("/billing_rates"),
  });
  const unit = settings?.distance_unit ?? "km";
  const billingKm = run.billing_km ?? null;
  const cost = run.estimated_cost ?? null;
  return (
    <Box sx={{ display: "grid", gap: 3 }}>
      <DraftGrid>
        <DraftChoice
          {...draft}
          name="billing_rate_id"
          options={rates.map(({ id, name }) => ({ id, label: name }))}
        />
        <DraftText {...draft} name="min_billing_hours" />
        <DraftChoice
          {...draft}
          onChange={writesRates ? draft.onChange : null}
          name="validated_by_id"
          options={users.map(({ id, email }) => ({ id, label: email }))}
        />
      </DraftGrid>
      <Facts
        facts={[
          [
            fill(texts.runs.fields.billing_km, { unit }),
            billingKm === null ? null : fromKm(billingKm, unit).toFixed(2),
          ],
          [texts.runs.fields.billing_time, run.billing_time?.toFixed(2)],
          [texts.runs.fields.vehicle_billing_rate, run.vehicle_billing_rate],
          [
            texts.runs.fields.estimated_cost,
            cost === null
              ? null
              : `${cost.toFixed(2)} ${run.cost_currency ?? settings?.currency ?? ""}`.trim(),
          ],
          [texts.runs.fields.validated_at, momentText(run.validated_at, zone)],
        ]}
      />
      <RunBill runId={run.id} version={run.modified} onChanged={() => void refreshRun(run)} />
    </Box>
  );
}
