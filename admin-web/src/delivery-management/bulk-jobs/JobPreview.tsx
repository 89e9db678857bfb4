import { fill, texts } from "@routewright/web";
import { Box, Table, TableBody, TableCell, TableHead, TableRow, Typography } from "@mui/material";
import { fieldLabel } from "../../resource/labels.ts";
import { asText } from "../../data/value.ts";
import type { JobLine } from "./rows.ts";

const SHOWN = 10;

/** The first jobs of a file, as they were read. */
export function JobPreview({ jobs }: { jobs: JobLine[] }) {
  if (jobs.length === 0) return null;
  const shown = jobs.slice(0, SHOWN);
  const fields = [...new Set(shown.flatMap((job) => Object.keys(job)))];
  return (
    <Box sx={{ overflowX: "auto" }}>
      <Typography variant="subtitle1">{fill(texts.admin.bulkJobs.read, { n: jobs.length })}</Typography>
      <Table size="small">
        <TableHead>
          <TableRow>
            {fields.map((field) => (
              <TableCell key={field}>{fieldLabel(field)}</TableCell>
            ))}
          </TableRow>
        </TableHead>
        <TableBody>
          {shown.map((job, at) => (
            <TableRow key={at}>
              {fields.map((field) => (
                <TableCell key={field}>{cellText(field, job[field])}</TableCell>
              ))}
            </TableRow>
          ))}
        </TableBody>
      </Table>
      {jobs.length > SHOWN && (
        <Typography color="text.secondary">
          {fill(texts.admin.bulkJobs.more, { n: jobs.length - SHOWN })}
        </Typography>
      )}
    </Box>
  );
}

function cellText(field: string, value: unknown): string {
  if (field !== "location") return asText(value);
  const place = value as { address?: string; lat?: number; lon?: number };
  return place.address ?? `${asText(place.lat)}, ${asText(place.lon)}`;
}
