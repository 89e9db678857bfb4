import CheckIcon from "@mui/icons-material/Check";
import RemoveIcon from "@mui/icons-material/Remove";
import { Box, Chip } from "@mui/material";
import { Link, ReferenceField, useCreatePath, useRecordContext, type RaRecord } from "react-admin";
import {
  CONSUMPTION_LABELS,
  convertConsumption,
  dateText,
  distanceText,
  fixed,
  momentText,
  sizeWords,
  texts,
} from "@routewright/web";
import { useConsumptionUnit, useDistanceUnit, useTimezone } from "../data/organisation.ts";

import { type Column, represent } from "../data/noun.ts";
import { choiceName } from "./planning.ts";
import { nounBy } from "./registry.ts";
import { asText, valueAt } from "../data/value.ts";

const MOST_NAMES = 4;

/** One value of a list, shown as its column says. */
export function Cell({ column }: { column: Column }) {
  const record = useRecordContext();
  if (!record) return null;
  if (column.render) return <>{column.render(record)}</>;
  if (column.reference) return <ReferenceCell column={column} record={record} />;
  const value = valueAt(record, column.source);
  if (value === null || value === undefined || value === "") return null;
  switch (column.kind) {
    case "yesno":
      return value === true ? (
        <CheckIcon fontSize="small" aria-label={texts.common.yes} />
      ) : (
        <RemoveIcon fontSize="small" color="disabled" aria-label={texts.common.no} />
      );
    case "moment":
      return <Moment iso={asText(value)} />;
    case "distance":
      return <Distance metres={Number(value)} />;
    case "kilometres":
      return <Distance metres={Number(value) * 1000} />;
    case "consumption":
      return <Consumption value={Number(value)} />;
    case "colour":
      return <Swatch colour={asText(value)} />;
    case "names":
      return <Names value={value} />;
    case "modules":
      return <Names value={moduleNames(value)} />;
    case "size":
      return <>{sizeWords(asText(value))}</>;
    default:
      return <>{plainText(column, value)}</>;
  }
}

/** A column's value as text without markup, for cells and for files. */
export function plainText(column: Column, value: unknown): string {
  if (value === null || value === undefined) return "";
  switch (column.kind) {
    case "day":
      return dateText(asText(value));
    case "clock":
      return asText(value).slice(0, 5);
    case "amount":
      return fixed(Number(value), 2);
    case "yesno":
      return value === true ? texts.common.yes : texts.common.no;
    case "count":
      return Array.isArray(value) ? String(value.length) : asText(value);
    case "choice":
      return choiceName(asText(value));
    case "place":
      return (value as { address?: string }).address ?? "";
    case "modules":
      return moduleNames(value).join(", ");
    case "names":
      return namesOf(value).join(", ");
    default:
      return asText(value);
  }
}

function moduleNames(value: unknown): string[] {
  return namesOf(value).map((key) => (texts.modules as Record<string, string | undefined>)[key] ?? key);
}

function namesOf(value: unknown): string[] {
  if (typeof value === "string") return value.split(",").map((name) => name.trim());
  if (!Array.isArray(value)) return [];
  return value.map((entry: unknown) =>
    typeof entry === "object" && entry !== null && "name" in entry ? String(entry.name) : String(entry),
  );
}

function Names({ value }: { value: unknown }) {
  const names = namesOf(value);
  return (
    <Box sx={{ display: "flex", gap: 0.5 }}>
      {names.slice(0, MOST_NAMES).map((name) => (
        <Chip key={name} label={name} size="small" />
      ))}
      {names.length > MOST_NAMES && (
        <Chip label={`+${names.length - MOST_NAMES}`} size="small" variant="outlined" />
      )}
    </Box>
  );
}

function Moment({ iso }: { iso: string }) {
  const timezone = useTimezone();
  return <time dateTime={iso}>{momentText(iso, timezone)}</time>;
}

function Distance({ metres }: { metres: number }) {
  const unit = useDistanceUnit();
  return <>{distanceText(metres, unit)}</>;
}

function Consumption({ value }: { value: number }) {
  const unit = useConsumptionUnit();
  return <>{`${fixed(convertConsumption(value, unit), 1)} ${CONSUMPTION_LABELS[unit]}`}</>;
}

function Swatch({ colour }: { colour: string }) {
  return (
    <Box sx={{ display: "inline-flex", alignItems: "center", gap: 1 }}>
      <Box
        sx={{
          width: 14,
          height: 14,
          borderRadius: "50%",
          bgcolor: colour,
          border: 1,
          borderColor: "divider",
        }}
      />
      {colour}
    </Box>
  );
}

function ReferenceCell({ column, record }: { column: Column; record: RaRecord }) {
  const noun = nounBy(column.reference ?? "");
  return (
    <ReferenceField
      source={column.source}
      reference={noun.name}
      record={record}
      link={false}
      empty=""
      render={({ referenceRecord }) =>
        referenceRecord ? <ReferenceLink name={noun.name} of={referenceRecord} /> : null
      }
    />
  );
}

function ReferenceLink({ name, of }: { name: string; of: RaRecord }) {
  const createPath = useCreatePath();
  return (
    <Link
      to={createPath({ resource: name, type: "edit", id: of.id })}
      onClick={(event: React.MouseEvent) => event.stopPropagation()}
    >
      {represent(nounBy(name), of)}
    </Link>
  );
}
