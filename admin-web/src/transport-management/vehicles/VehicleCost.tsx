import { Box, Button, Table, TableBody, TableCell, TableHead, TableRow, Typography } from "@mui/material";
import {
  type Schemas,
  quietApi,
  answer,
  dateText,
  DayField,
  dayjs,
  messageOfError,
  parseDay,
  texts,
} from "@routewright/web";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { useRecordContext } from "react-admin";
import { useMay } from "../../data/organisation.ts";
import { Group } from "../../inputs/index.ts";

/** Answer of `GET /vehicles/{id}/cost`: kilometres, hours, money in the organisation's currency. */
type Cost = Schemas["VehicleCost"];

/** What the vehicle's runs cost between two days. */
export function VehicleCost() {
  const vehicle = useRecordContext();
  const mayRead = useMay("billing_rates_read");
  const [from, setFrom] = useState(() => dayjs().startOf("month").format("YYYY-MM-DD"));
  const [until, setUntil] = useState(() => dayjs().format("YYYY-MM-DD"));
  const cost = useMutation({
    mutationFn: (id: number) =>
      answer(
        quietApi.GET("/vehicles/{id}/cost", {
          params: { path: { id }, query: { start_date: from, end_date: until } },
        }),
      ),
  });
  if (!vehicle || !mayRead) return null;
  const id = Number(vehicle.id);
  return (
    <Group title={texts.admin.vehicles.cost}>
      <Box sx={{ display: "flex", gap: 1, flexWrap: "wrap", alignItems: "center" }}>
        <DayField label={texts.admin.shared.from} value={from} onChange={setFrom} sx={{ width: 190 }} />
        <DayField label={texts.admin.shared.until} value={until} onChange={setUntil} sx={{ width: 190 }} />
        <Button
          variant="outlined"
          loading={cost.isPending}
          disabled={parseDay(from) === null || parseDay(until) === null || from > until}
          onClick={() => cost.mutate(id)}
        >
          {texts.admin.vehicles.calculate}
        </Button>
      </Box>
      {cost.isError && <Typography color="error">{messageOfError(cost.error)}</Typography>}
      {cost.data && <CostTable cost={cost.data} />}
    </Group>
  );
}

function CostTable({ cost }: { cost: Cost }) {
  if (cost.runs_count === 0) return <Typography sx={{ mt: 1 }}>{texts.admin.vehicles.noRuns}</Typography>;
  return (
    <Box sx={{ overflowX: "auto", mt: 1 }}>
      <Table size="small">
        <TableHead>
          <TableRow>
            {[
              texts.admin.shared.run,
              texts.admin.shared.date,
              "km",
              texts.admin.vehicles.hours,
              texts.admin.vehicles.drops,
              texts.admin.vehicles.cost,
            ].map((head) => (
              <TableCell key={head}>{head}</TableCell>
            ))}
          </TableRow>
        </TableHead>
        <TableBody>
          {cost.runs.map((run) => (
            <CostRow
              key={run.run_id}
              cells={[run.uid, dateText(run.date), run.km, run.hours, run.drops, run.cost]}
            />
          ))}
          <CostRow
            strong
            cells={[texts.admin.vehicles.total, "", cost.km, cost.hours, cost.drops, cost.total_cost]}
          />
        </TableBody>
      </Table>
    </Box>
  );
}

function CostRow({ cells, strong = false }: { cells: (string | number | null)[]; strong?: boolean }) {
  return (
    <TableRow>
      {cells.map((cell, index) => (
        <TableCell key={index} sx={strong ? { fontWeight: 600 } : undefined}>
          {cell ?? "–"}
        </TableCell>
      ))}
    </TableRow>
  );
}
