import ExpandIcon from "@mui/icons-material/ExpandMore";
import {
  Accordion,
  AccordionDetails,
  AccordionSummary,
  Box,
  Table,
  TableBody,
  TableCell,
  TableContainer,
  TableHead,
  TableRow,
  Typography,
} from "@mui/material";
import { type FileContent, type FileRow, fill, texts } from "@routewright/web";
import { type ReactNode, useState } from "react";
import { examplesOf, type Mapping, unknownHeaders } from "./mapping.ts";
import { MappingTable } from "./MappingTable.tsx";
import { IGNORE, targetLabel } from "./targets.ts";

interface MappingSummaryProps {
  file: FileContent;
  rows: readonly FileRow[];
  mapping: Mapping;
  /** Whether the columns want to be looked at. */
  open: boolean;
  onChange: (mapping: Mapping) => void;
}

/** One line for a file whose columns are all recognised; behind it, which column fills which field. */
export function MappingSummary({ file, rows, mapping, open, onChange }: MappingSummaryProps): ReactNode {
  const [chosen, setChosen] = useState<boolean | null>(null);
  const unknown = unknownHeaders(file, mapping);
  const ignored = file.headers.filter((header) => (mapping[header] ?? IGNORE) === IGNORE).length;
  const n = file.headers.length - ignored;
  const expanded = chosen ?? open;
  const line = ignored === 0 ? texts.imports.recognised : texts.imports.recognisedSome;
  return (
    <Box sx={{ display: "grid", gap: 2, minWidth: 0 }}>
      <Accordion
        disableGutters
        variant="outlined"
        expanded={expanded}
        onChange={(_, next) => setChosen(next)}
        slotProps={{ transition: { unmountOnExit: true } }}
      >
        <AccordionSummary expandIcon={<ExpandIcon />}>
          <Typography>
            {fill(line, { n, ignored })}
            {file.remembered && ` ${texts.imports.remembered}`}
          </Typography>
        </AccordionSummary>
        <AccordionDetails sx={{ p: 0 }}>
          <MappingTable
            headers={file.headers}
            example={examplesOf(file.headers, rows)}
            unknown={unknown}
            mapping={mapping}
            onChange={onChange}
          />
        </AccordionDetails>
      </Accordion>
      {!expanded && <Preview file={file} rows={rows.slice(0, 5)} mapping={mapping} />}
    </Box>
  );
}

/** The first rows as they will be imported. */
function Preview({ file, rows, mapping }: Pick<MappingSummaryProps, "file" | "rows" | "mapping">): ReactNode {
  const used = file.headers.filter((header) => (mapping[header] ?? IGNORE) !== IGNORE);
  return (
    <TableContainer sx={{ border: 1, borderColor: "divider", borderRadius: 1 }}>
      <Table size="small" aria-label={texts.imports.preview}>
        <TableHead>
          <TableRow>
            {used.map((header) => (
              <TableCell key={header} sx={{ whiteSpace: "nowrap" }}>
                {targetLabel(mapping[header] ?? IGNORE)}
              </TableCell>
            ))}
          </TableRow>
        </TableHead>
        <TableBody>
          {rows.map(({ number, cells }) => (
            <TableRow key={number}>
              {used.map((header) => (
                <TableCell key={header} sx={{ whiteSpace: "nowrap", maxWidth: 260, overflow: "hidden" }}>
                  {cells[header]}
                </TableCell>
              ))}
            </TableRow>
          ))}
        </TableBody>
      </Table>
    </TableContainer>
  );
}
