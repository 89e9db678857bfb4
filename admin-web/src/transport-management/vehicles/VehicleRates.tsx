import DeleteIcon from "@mui/icons-material/DeleteOutlined";
import { Autocomplete, Box, Chip, IconButton, List, ListItem, ListItemText, TextField } from "@mui/material";
import { quietApi, answer, request, requestAll, useSession, texts, fill } from "@routewright/web";
import type { BillingRate, Vehicle } from "@routewright/web/model";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useRecordContext, useRefresh } from "react-admin";
import { Group } from "../../inputs/index.ts";
import { useMay } from "../../data/organisation.ts";

/** Rates the vehicle may be billed by. The added one becomes the current one; removing falls back to the first. */
export function VehicleRates() {
  const vehicle = useRecordContext<Vehicle>();
  const mayRead = useMay("billing_rates_read");
  if (!vehicle || !mayRead) return null;
  return <Rates vehicle={vehicle} />;
}

function Rates({ vehicle }: { vehicle: Vehicle }) {
  const client = useQueryClient();
  const refresh = useRefresh();
  const mayWrite = useMay("vehicles_write");
  const organisation = useSession((state) => state.user?.organisation.id);
  const key = ["vehicle rates", organisation, vehicle.id];
  const { data: rates = [] } = useQuery({
    queryKey: key,
    queryFn: () =>
      answer(quietApi.GET("/vehicles/{id}/billing_rates", { params: { path: { id: vehicle.id } } })),
  });
  const { data: all = [] } = useQuery({
    queryKey: ["billing rates", organisation],
    queryFn: () => requestAll<BillingRate>("/billing_rates", {}, { quiet: true }),
  });
  async function change(method: "POST" | "DELETE", rate: BillingRate): Promise<void> {
    await request(`/vehicles/${vehicle.id}/billing_rates/${rate.id}`, { method });
    await client.invalidateQueries({ queryKey: key });
    refresh();
  }
  const free = all.filter((rate) => rates.every((other) => other.id !== rate.id));
  return (
    <Group title={texts.admin.vehicles.billingRates}>
      <List dense disablePadding>
        {rates.map((rate) => (
          <ListItem
            key={rate.id}
            disableGutters
            secondaryAction={
              mayWrite && (
                <IconButton
                  edge="end"
                  aria-label={fill(texts.admin.shared.removeOne, { name: rate.name })}
                  onClick={() => void change("DELETE", rate)}
                >
                  <DeleteIcon />
                </IconButton>
              )
            }
          >
            <ListItemText primary={rate.name} secondary={rateText(rate)} />
            {vehicle.billing_rate?.id === rate.id && (
              <Chip size="small" color="primary" label={texts.admin.vehicles.current} sx={{ mr: 2 }} />
            )}
          </ListItem>
        ))}
      </List>
      {mayWrite && (
        <Box sx={{ maxWidth: 360, mt: 1 }}>
          <Autocomplete
            value={null}
            blurOnSelect
            options={free}
            getOptionLabel={(rate) => rate.name}
            onChange={(_event, rate) => {
              if (rate) void change("POST", rate);
            }}
            renderInput={(field) => <TextField {...field} label={texts.admin.vehicles.addBillingRate} />}
          />
        </Box>
      )}
    </Group>
  );
}

function rateText(rate: BillingRate): string {
  return fill(texts.admin.vehicles.ratesOf, {
    run: rate.cost_per_run,
    km: rate.cost_per_km,
    hour: rate.cost_per_hour,
    drop: rate.cost_per_drop,
  });
}
