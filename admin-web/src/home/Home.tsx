import { Box, Card, CardContent, Link, Typography } from "@mui/material";
import { isMaster, mayCall, texts, useSession } from "@routewright/web";
import type { ReactNode } from "react";
import { Title } from "react-admin";
import { Link as RouterLink } from "react-router";
import { Figures } from "./Figures.tsx";

/** Pages of the side menu under one heading. */
export interface PageGroup {
  label: string;
  items: { path: string; label: string }[];
}

/** Where the dashboard begins: the day's figures for those who may see runs, and every page that the user may open. */
export function Home({ groups }: { groups: PageGroup[] }): ReactNode {
  const user = useSession((state) => state.user);
  const pages = groups.flatMap((group) => group.items.map((item) => item.path));
  return (
    <Box sx={{ display: "grid", gap: 3, mt: 2 }}>
      <Title title={texts.admin.home.title} />
      {!isMaster(user) && mayCall("GET", "/kpi/days", user) && <Figures pages={pages} />}
      <Box component="nav" aria-label={texts.admin.home.pages} sx={{ columnWidth: 220, columnGap: 2 }}>
        {groups.map((group) => (
          <Card key={group.label} variant="outlined" sx={{ breakInside: "avoid", mb: 2 }}>
            <CardContent>
              <Typography variant="subtitle2" component="h2" gutterBottom>
                {group.label}
              </Typography>
              {group.items.map((item) => (
                <Link
                  key={item.path}
                  component={RouterLink}
                  to={`/${item.path}`}
                  sx={{ display: "block", py: 0.25 }}
                >
                  {item.label}
                </Link>
              ))}
            </CardContent>
          </Card>
        ))}
      </Box>
    </Box>
  );
}
