import { MenuItem, TextField } from "@mui/material";
import { answer, quietApi, refreshSession, request, type Schemas } from "@routewright/web";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useMay } from "../data/organisation.ts";

type Settings = Schemas["Settings"];

/** Chooses one setting of the organisation over the list that it is about. */
export function OneSetting<T extends string | number>({
  label,
  choices,
  of,
  change,
}: {
  label: string;
  choices: (now: T) => { value: T; text: string }[];
  /** Its value among the settings. */
  of: (settings: Settings) => T;
  /** What is sent to change it. */
  change: (value: T) => object;
}) {
  const client = useQueryClient();
  const mayRead = useMay("organisation_settings_read");
  const mayWrite = useMay("organisation_settings_write");
  const { data } = useQuery({
    queryKey: ["organisation settings"],
    queryFn: () => answer(quietApi.GET("/organisations/settings")),
    enabled: mayRead,
  });
  if (!data) return null;
  async function choose(value: T): Promise<void> {
    await request("/organisations/settings", { method: "PATCH", body: change(value) });
    await client.invalidateQueries({ queryKey: ["organisation settings"] });
    await refreshSession();
  }
  const now = of(data);
  return (
    <TextField
      select
      label={label}
      value={now}
      disabled={!mayWrite}
      onChange={(event) => void choose(event.target.value as T)}
      sx={{ width: 240 }}
    >
      {choices(now).map(({ value, text }) => (
        <MenuItem key={value} value={value}>
          {text}
        </MenuItem>
      ))}
    </TextField>
  );
}
