import {
  Autocomplete,
  Box,
  Table,
  TableBody,
  TableCell,
  TableContainer,
  TableHead,
  TableRow,
  TextField,
  Tooltip,
  Typography,
} from "@mui/material";
import { texts } from "@routewright/web";
import type { ReactNode } from "react";
import type { Mapping, Row } from "./mapping.ts";
import { ALL_TARGETS, extraFieldName, extraFieldTarget, IGNORE, isTarget, targetLabel } from "./targets.ts";

const EXTRA = "extra_field";
const OPTIONS = [IGNORE, ...ALL_TARGETS, EXTRA];

interface MappingTableProps {
  headers: readonly string[];
  example: Row;
  /** Columns that nobody said anything of. */
  unknown: readonly string[];
  mapping: Mapping;
  onChange: (mapping: Mapping) => void;
}

/** Which column fills which field. Headers that name no field are red. */
export function MappingTable(props: MappingTableProps): ReactNode {
  const { headers, example, unknown, mapping, onChange } = props;
  return (
    <TableContainer sx={{ maxHeight: 420, border: 1, borderColor: "divider", borderRadius: 1 }}>
      <Table stickyHeader aria-label={texts.imports.mappingTitle}>
        <TableHead>
          <TableRow>
            <TableCell>{texts.imports.header}</TableCell>
            <TableCell>{texts.imports.example}</TableCell>
            <TableCell sx={{ width: "45%" }}>{texts.imports.target}</TableCell>
          </TableRow>
        </TableHead>
        <TableBody>
          {headers.map((header) => (
            <TableRow key={header}>
              <TableCell>
                <HeaderName
                  header={header}
                  invalid={unknown.includes(header) || !isTarget(mapping[header] ?? IGNORE)}
                />
              </TableCell>
              <TableCell sx={{ maxWidth: 260 }}>
                <Typography variant="body2" color="textSecondary" noWrap>
                  {example[header]}
                </Typography>
              </TableCell>
              <TableCell>
                <TargetChoice
                  header={header}
                  target={mapping[header] ?? IGNORE}
                  taken={new Set(Object.values(mapping))}
                  onChange={(target) => onChange({ ...mapping, [header]: target })}
                />
              </TableCell>
            </TableRow>
          ))}
        </TableBody>
      </Table>
    </TableContainer>
  );
}

function HeaderName({ header, invalid }: { header: string; invalid: boolean }): ReactNode {
  return (
    <Tooltip title={invalid ? texts.imports.unknownHeader : ""}>
      <Typography variant="subtitle2" color={invalid ? "error" : "textPrimary"} component="span">
        {header}
      </Typography>
    </Tooltip>
  );
}

interface TargetChoiceProps {
  header: string;
  target: string;
  taken: ReadonlySet<string>;
  onChange: (target: string) => void;
}

function TargetChoice({ header, target, taken, onChange }: TargetChoiceProps): ReactNode {
  const extra = extraFieldName(target);
  const value = extra === null ? target : EXTRA;
  return (
    <Box sx={{ display: "flex", gap: 1 }}>
      <Autocomplete
        fullWidth
        disableClearable
        options={OPTIONS}
        value={value}
        groupBy={groupOf}
        getOptionLabel={labelOf}
        getOptionDisabled={(option) =>
          option !== IGNORE && option !== EXTRA && option !== target && taken.has(option)
        }
        onChange={(_, option) => onChange(option === EXTRA ? extraFieldTarget(header) : option)}
        renderInput={(parameters) => (
          <TextField
            {...parameters}
            slotProps={{
              ...parameters.slotProps,
              htmlInput: {
                ...parameters.slotProps.htmlInput,
                "aria-label": `${texts.imports.target} ${header}`,
              },
            }}
          />
        )}
      />
      {extra !== null && (
        <TextField
          label={texts.imports.extraFieldName}
          value={extra}
          error={extra.trim() === ""}
          onChange={(event) => onChange(extraFieldTarget(event.target.value))}
        />
      )}
    </Box>
  );
}

function groupOf(target: string): string {
  if (target === IGNORE) return texts.imports.groups.ignore;
  const [group, field] = target.split(".");
  if (field === undefined) return texts.imports.groups.job;
  return texts.imports.groups[group as "unit" | "return" | "client"];
}

function labelOf(target: string): string {
  return target === EXTRA ? texts.imports.extraField : targetLabel(target);
}
