import { List, ListItemButton, ListItemText, TextField, Tooltip, Typography } from "@mui/material";
import { fill, type Job, ROUTE_PALETTE, type Territory, texts } from "@routewright/web";
import { type ReactNode, useMemo, useState } from "react";
import { Swatch } from "../fields/ColourField.tsx";
import { contains } from "./geometry.ts";

interface TerritoryListProps {
  territories: readonly Territory[];
  jobs: readonly Job[];
  loading: boolean;
  onOpen: (territory: Territory) => void;
}

/** All territories, each with the number of the active scenario's jobs inside. */
export function TerritoryList({ territories, jobs, loading, onOpen }: TerritoryListProps): ReactNode {
  const [search, setSearch] = useState("");
  const asked = search.trim().toLowerCase();
  const shown = territories.filter(({ name, uid }) => `${name} ${uid ?? ""}`.toLowerCase().includes(asked));
  const inside = useMemo(
    () =>
      new Map(
        territories.map(({ id, geometry }) => [
          id,
          jobs.filter((job) => contains(geometry, job.location)).length,
        ]),
      ),
    [territories, jobs],
  );
  return (
    <>
      <TextField
        placeholder={texts.territories.search}
        value={search}
        onChange={(event) => setSearch(event.target.value)}
        sx={{ p: 1.5 }}
        slotProps={{ htmlInput: { "aria-label": texts.territories.search } }}
      />
      {!loading && shown.length === 0 && (
        <Typography color="textSecondary" sx={{ px: 2 }}>
          {asked === "" ? texts.territories.empty : texts.territories.nothingFound}
        </Typography>
      )}
      <List aria-label={texts.territories.list} disablePadding>
        {shown.map((territory) => (
          <ListItemButton key={territory.id} divider onClick={() => onOpen(territory)} sx={{ gap: 1 }}>
            <Swatch colour={territory.colour ?? ROUTE_PALETTE[2]} />
            <ListItemText primary={territory.name} secondary={territory.uid} />
            <Tooltip title={texts.territories.jobsInsideTitle}>
              <Typography variant="body2" color="textSecondary">
                {fill(texts.territories.jobsInside, { n: inside.get(territory.id) ?? 0 })}
              </Typography>
            </Tooltip>
          </ListItemButton>
        ))}
      </List>
    </>
  );
}
