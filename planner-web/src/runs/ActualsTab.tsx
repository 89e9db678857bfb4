import { personName } from "@routewright/web";
import type { ReactNode } from "react";
import { useDriverUsers, useVehicles } from "../plan/queries.ts";
import { DraftChoice, DraftGrid, DraftMoment, type DraftProps, DraftText } from "./DraftInputs.tsx";

/** What really happened on the run. */
export function ActualsTab(props: DraftProps): ReactNode {
  const { data: vehicles = [] } = useVehicles();
  const { data: users = [] } = useDriverUsers();
  return (
    <DraftGrid>
      <DraftMoment {...props} name="actual_start_time" />
      <DraftMoment {...props} name="actual_end_time" />
      <DraftMoment {...props} name="billing_start_time" />
      <DraftText {...props} name="start_odometer" />
      <DraftText {...props} name="end_odometer" />
      <DraftText {...props} name="additional_billing_kms" />
      <DraftChoice
        {...props}
        name="vehicle_id"
        options={vehicles.map(({ id, uid }) => ({ id, label: uid }))}
      />
      <DraftChoice
        {...props}
        name="driver_user_id"
        options={users.map((user) => ({ id: user.id, label: personName(user) }))}
      />
      <DraftText {...props} name="device_id" />
    </DraftGrid>
  );
}
