import {
  Alert,
  Box,
  Button,
  Checkbox,
  FormControlLabel,
  FormHelperText,
  Skeleton,
  Table,
  TableBody,
  TableCell,
  TableHead,
  TableRow,
  Typography,
} from "@mui/material";
import { quietApi, answer, useSession, texts, fill } from "@routewright/web";
import { useQuery } from "@tanstack/react-query";
import { type BoundProps, useBound } from "../../inputs/bound.ts";
import { sentenceCase } from "../../resource/labels.ts";
import { groupLevels, type LevelRow, mayGrant } from "./levels.ts";

/** The access levels of a role as a checklist by resource. Levels that the user does not hold cannot be given. */
export function AccessLevelsInput(props: BoundProps) {
  const bound = useBound(props);
  const held = useSession((state) => state.user?.role.access_levels) ?? [];
  const { data: levels, error } = useQuery({
    queryKey: ["access_levels"],
    queryFn: () => answer(quietApi.GET("/access_levels")),
  });
  if (error) return <Alert severity="error">{error.message}</Alert>;
  if (!levels) return <Skeleton variant="rounded" height={320} sx={{ width: "100%" }} />;

  const chosen = Array.isArray(bound.value) ? (bound.value as string[]) : [];
  const { resources, views } = groupLevels(levels);
  const change = (next: string[]) => bound.set(levels.filter((level) => next.includes(level)));
  const tick = (level: string, label: string) => (
    <Checkbox
      sx={{ p: 0.75 }}
      checked={chosen.includes(level)}
      disabled={bound.disabled || !mayGrant(held, level)}
      onChange={(event) =>
        change(event.target.checked ? [...chosen, level] : chosen.filter((other) => other !== level))
      }
      slotProps={{ input: { "aria-label": label } }}
    />
  );

  return (
    <Box sx={{ width: "100%" }}>
      <Box sx={{ display: "flex", alignItems: "center", gap: 1, flexWrap: "wrap", mb: 1 }}>
        <Typography variant="subtitle1" component="h3">
          {fill(texts.admin.roles.chosen, { label: bound.label, n: chosen.length, all: levels.length })}
        </Typography>
        <Button
          size="small"
          disabled={bound.disabled}
          onClick={() => change([...chosen, ...held.filter((level) => !level.endsWith("_login"))])}
        >
          {texts.admin.roles.chooseAll}
        </Button>
        <Button
          size="small"
          disabled={bound.disabled}
          onClick={() => change(chosen.filter((level) => !mayGrant(held, level)))}
        >
          {texts.admin.shared.clear}
        </Button>
      </Box>
      {bound.error && <FormHelperText error>{bound.error}</FormHelperText>}
      <Box sx={{ display: "grid", gap: 3, gridTemplateColumns: { xs: "minmax(0, 1fr)", lg: "3fr 2fr" } }}>
        <ResourceTable rows={resources} tick={tick} />
        <Box
          sx={{ display: "grid", alignContent: "start", gridTemplateColumns: { xs: "1fr", sm: "1fr 1fr" } }}
        >
          {views.map((level) => (
            <FormControlLabel key={level} control={tick(level, viewLabel(level))} label={viewLabel(level)} />
          ))}
        </Box>
      </Box>
    </Box>
  );
}

/** Levels that restrict an account say so; the others read as they are called. */
function viewLabel(level: string): string {
  return (texts.admin.roles.views as Record<string, string | undefined>)[level] ?? sentenceCase(level);
}

function ResourceTable({
  rows,
  tick,
}: {
  rows: LevelRow[];
  tick: (level: string, label: string) => React.ReactNode;
}) {
  return (
    <Table size="small" sx={{ "& td, & th": { py: 0 } }}>
      <TableHead>
        <TableRow>
          <TableCell>{texts.admin.roles.resource}</TableCell>
          <TableCell align="center">{texts.admin.roles.read}</TableCell>
          <TableCell align="center">{texts.admin.roles.write}</TableCell>
          <TableCell align="center">{texts.common.delete}</TableCell>
        </TableRow>
      </TableHead>
      <TableBody>
        {rows.map((row) => (
          <TableRow key={row.title}>
            <TableCell component="th" scope="row">
              {row.title}
            </TableCell>
            <TableCell align="center">
              {row.read && tick(row.read, fill(texts.admin.roles.readOf, { resource: row.title }))}
            </TableCell>
            <TableCell align="center">
              {row.write && tick(row.write, fill(texts.admin.roles.writeOf, { resource: row.title }))}
            </TableCell>
            <TableCell align="center">
              {row.remove && tick(row.remove, fill(texts.admin.roles.deleteOf, { resource: row.title }))}
            </TableCell>
          </TableRow>
        ))}
      </TableBody>
    </Table>
  );
}
