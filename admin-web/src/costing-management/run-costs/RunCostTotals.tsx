import { Alert, Table, TableBody, TableCell, TableContainer, TableHead, TableRow } from "@mui/material";
import { distanceText, fixed, messageOfError, type Query, request, texts } from "@routewright/web";
import type { Schemas } from "@routewright/web/model";
import { useQuery } from "@tanstack/react-query";
import { useListContext } from "react-admin";
import { useDistanceUnit } from "../../data/organisation.ts";

type Total = Schemas["RunCostTotal"];

/** Sums of all runs that the list finds, by currency, and apart for what is validated and what is not. */
export function RunCostTotals() {
  const list = useListContext();
  const filters = list.filterValues as Query;
  const rows: unknown = list.data;
  const unit = useDistanceUnit();
  const { data: totals, error } = useQuery({
    // With the rows, which change when runs are validated.
    queryKey: ["run_cost_totals", filters, rows],
    queryFn: () => request<Total[]>("/run_cost_calculator/totals", { query: filters, quiet: true }),
  });
  if (error) return <Alert severity="error">{messageOfError(error)}</Alert>;
  if (totals === undefined || totals.length === 0) return null;
  const { costing, home } = texts.admin;
  return (
    <TableContainer tabIndex={0} role="region" aria-label={costing.totals} sx={{ mb: 1 }}>
      <Table size="small" sx={{ "& th, & td": { whiteSpace: "nowrap" } }}>
        <TableHead>
          <TableRow>
            <TableCell>{costing.totals}</TableCell>
            <TableCell>{costing.currency}</TableCell>
            {[
              home.runs,
              costing.withoutRate,
              costing.distance,
              costing.hours,
              costing.drops,
              costing.forRun,
              costing.forDistance,
              costing.forHours,
              costing.forDrops,
              costing.cost,
            ].map((name) => (
              <TableCell key={name} align="right">
                {name}
              </TableCell>
            ))}
          </TableRow>
        </TableHead>
        <TableBody>
          {totals.map((total) => (
            <TableRow key={`${total.currency} ${total.billing_status}`}>
              <TableCell component="th" scope="row">
                {total.billing_status === "validated" ? costing.validated : costing.pending}
              </TableCell>
              <TableCell>{total.currency}</TableCell>
              <TableCell align="right">{total.runs}</TableCell>
              <TableCell align="right">{total.without_rate}</TableCell>
              <TableCell align="right">{distanceText(total.km * 1000, unit)}</TableCell>
              <TableCell align="right">{fixed(total.hours, 2)}</TableCell>
              <TableCell align="right">{total.drops}</TableCell>
              {[total.run_amount, total.km_amount, total.hour_amount, total.drop_amount, total.cost].map(
                (amount, index) => (
                  <TableCell key={index} align="right">
                    {fixed(amount, 2)}
                  </TableCell>
                ),
              )}
            </TableRow>
          ))}
        </TableBody>
      </Table>
    </TableContainer>
  );
}
