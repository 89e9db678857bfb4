import { MenuItem, TextField } from "@mui/material";
import { quietApi, answer, request, refreshSession, texts } from "@routewright/web";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useMay } from "../../data/organisation.ts";

const MODES = [
  { value: "off", text: texts.admin.territoryGroups.modeOff },
  { value: "prefer", text: texts.admin.territoryGroups.modePrefer },
  { value: "only", text: texts.admin.territoryGroups.modeOnly },
];

/** How the optimiser treats territories, for the whole organisation. */
export function TerritoryMode() {
  const client = useQueryClient();
  const mayRead = useMay("organisation_settings_read");
  const mayWrite = useMay("organisation_settings_write");
  const { data } = useQuery({
    queryKey: ["organisation settings"],
    queryFn: () => answer(quietApi.GET("/organisations/settings")),
    enabled: mayRead,
  });
  if (!data) return null;
  async function choose(mode: string): Promise<void> {
    await request("/organisations/settings", {
      method: "PATCH",
      body: { optimisation: { territory_mode: mode } },
    });
    await client.invalidateQueries({ queryKey: ["organisation settings"] });
    await refreshSession();
  }
  return (
    <TextField
      select
      label={texts.admin.territoryGroups.mode}
      value={data.optimisation.territory_mode}
      disabled={!mayWrite}
      onChange={(event) => void choose(event.target.value)}
      sx={{ width: 240 }}
    >
      {MODES.map(({ value, text }) => (
        <MenuItem key={value} value={value}>
          {text}
        </MenuItem>
      ))}
    </TextField>
  );
}
