import { Typography } from "@mui/material";
import { driverName } from "@routewright/web";
import type { ReactNode } from "react";
import { useView } from "../ui/view.ts";
import { useDriverUsers } from "./queries.ts";

/** A driver, or a run by its driver. */
interface Driven {
  uid: string;
  driver_user_id: number | null;
}

/** Who drives, for what shows a uid; `null` where nobody with a name is known. Customers are not told. */
export function useDriverName(): (driven: Driven | undefined) => string | null {
  const { data: users } = useDriverUsers();
  const customer = useView() === "customer";
  return (driven) =>
    driven === undefined || customer
      ? null
      : driverName(
          driven.uid,
          users?.find(({ id }) => id === driven.driver_user_id),
        );
}

/** The name beside a uid, as an element of its own. */
export function DriverName({ of }: { of: Driven }): ReactNode {
  const name = useDriverName()(of);
  return name === null ? null : (
    <Typography variant="caption" component="span" color="textSecondary" noWrap>
      {name}
    </Typography>
  );
}
