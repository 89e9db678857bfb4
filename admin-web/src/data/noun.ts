import type { ComponentType, ReactElement, ReactNode } from "react";
import type { RaRecord, SortPayload } from "react-admin";
import type { AccessLevel, LevelledResource } from "@routewright/web";
import type { ModuleKey } from "@routewright/web/model";
import type { Fields } from "./changes.ts";

/** Access levels that reading, writing and deleting a resource need. */
export interface Levels {
  read: AccessLevel;
  write: AccessLevel;
  delete: AccessLevel;
}

/** `{resource}_read` and `{resource}_write`; deleting needs the write level. */
export function levelsOf(resource: LevelledResource): Levels {
  return { read: `${resource}_read`, write: `${resource}_write`, delete: `${resource}_write` };
}

/** How a column shows its value; see `Cell`. */
export type ColumnKind =
  | "text"
  | "number"
  | "day"
  | "moment"
  | "clock"
  | "yesno"
  | "colour"
  | "count"
  | "distance"
  /** Kilometres, shown in the organisation's unit. */
  | "kilometres"
  /** A number with two decimals: money, hours. */
  | "amount"
  | "consumption"
  | "place"
  | "names"
  /** Keys of modules, shown by their names. */
  | "modules"
  | "size"
  /** A key out of few, shown by its name. */
  | "choice";

/** One column of a list, declared once and used by the table, the column chooser and the CSV export. */
export interface Column {
  /** Field of the record; a dotted path reaches into it. */
  source: string;
  label?: string;
  kind?: ColumnKind;
  /** Name of the noun whose record the value is the id of. */
  reference?: string;
  /** `false` where the API cannot order by this field. */
  sortable?: false;
  /** What the API calls the order by this field, where it is not the field. */
  sortBy?: string;
  /** Left out until the user chooses it. */
  hidden?: true;
  /** Only users of the organisation Master see it: their lists hold records of all organisations. */
  byMaster?: true;
  /** Own cell, where no kind fits. */
  render?: (record: RaRecord) => ReactNode;
}

/** Whether a form makes a new record or changes one. */
export type FormMode = "create" | "edit";

/** Files that the server makes of all that a list finds. */
export interface ListFiles {
  /** Path of the export below the API base. */
  path: string;
  /** Name of the file, without its ending. */
  name: string;
  /** It always comes by e-mail. */
  byMail?: true;
  /** Its rows are in the order of the list. */
  sorted?: true;
}

/** What one record says after it was added, changed or deleted, where the general texts do not fit. */
export interface Said {
  created?: string;
  updated?: string;
  deleted?: string;
  createFailed?: string;
  updateFailed?: string;
  deleteFailed?: string;
  /** While it is being saved, and while it is being deleted. */
  saving?: string;
  deleting?: string;
}

/** Everything the dashboard needs to know about one kind of record. */
export interface Noun {
  /** Route below `/dashboard`, and the name the resource has in react-admin. */
  name: string;
  /** Path below the API base. */
  path: string;
  /** Path of the list, where it is another one. */
  listPath?: string;
  /** Path that makes a record, where it depends on what is made. */
  createPath?: (data: Fields) => string;
  singular: string;
  plural: string;
  levels: Levels;
  module?: ModuleKey;
  /** Field by which a record is called in titles, selects and references. */
  representation: string | ((record: RaRecord) => string);
  columns: Column[];
  /** Filters besides the search text. */
  filters?: ReactElement[];
  /** The API's list has no `search` parameter. */
  unsearchable?: true;
  /** Pause after typing before the list is searched, milliseconds; 1000 when absent. */
  searchPause?: number;
  /** Order of a fresh list; newest first when absent. */
  sort?: SortPayload;
  /** Name of the noun whose page a row opens, where the list is a search over it. */
  opens?: string;
  /** Rows that have no page, such as deleted records that are only listed. */
  unopened?: (record: RaRecord) => boolean;
  /** Field that identifies a row, where it is not `id`. */
  idField?: string;
  /** Sums of all that the list finds, shown above it. */
  summary?: ReactElement;
  /** Always applied to lists and added to new records, for resources that are a part of an API path. */
  fixed?: Fields;
  /** Always applied to the page that lists the records. */
  listed?: Fields;
  /** List parameter that takes ids, such as `driver_ids`; without one, records are looked up one by one. */
  ids?: string;
  /** Added where records are looked up by id, for lists that leave some records out. */
  lookup?: Fields;
  /** Inputs; without them records can only be looked at. */
  form?: ComponentType<{ mode: FormMode }>;
  /** Start values of a new record. */
  defaults?: () => Fields;
  /** What is sent for what the form holds. */
  toSend?: (data: Fields, mode: FormMode) => Fields;
  /** A change sends all that `toSend` gives, not only what differs. */
  sentWhole?: true;
  /** What the form holds for what the API answered. */
  toEdit?: (record: RaRecord) => RaRecord;
  /** Why this record can neither be changed nor deleted; none where it can. */
  fixedBecause?: (record: RaRecord) => string | undefined;
  /** What an empty list says, where "No … yet" does not fit. */
  nothing?: string;
  creatable?: false;
  deletable?: false;
  /** What is deleted goes to the bin. */
  binned?: true;
  /** Never many at once: each is deleted on its own page. */
  deletedAlone?: true;
  /** Only users of the organisation Master add and delete records. */
  byMaster?: true;
  /** Parts of the form that have calls of their own, sent after the record itself was saved. */
  alsoSave?: (id: number, previous: Fields, next: Fields) => Promise<void>;
  /** Runs after a record was added or changed. */
  afterSave?: (record: RaRecord, mode: FormMode) => void;
  /** In place of the plain delete button of the edit page. */
  deleteButton?: ReactElement;
  /** Id of a record that a new one turns out to be; `null` where it is new. What it throws stops the saving. */
  instead?: (data: Fields) => Promise<number | null>;
  /** Further buttons for the chosen rows. */
  bulkActions?: ReactElement;
  files?: ListFiles;
  /** Further buttons over the list. */
  listActions?: ReactElement;
  /** Further buttons at the end of each row. */
  rowActions?: ReactElement;
  /** Further buttons over the edit form. */
  editActions?: ReactElement;
  /** What the audit trail calls this kind, where its history is shown. */
  audited?: string;
  /** Whole edit page, where one form is not enough. */
  edit?: ComponentType;
  said?: Said;
}

/** Text under which a record is known to the user. */
export function represent(noun: Noun, record: RaRecord): string {
  if (typeof noun.representation === "function") return noun.representation(record);
  const value = (record as Fields)[noun.representation];
  return typeof value === "string" || typeof value === "number" ? String(value) : `#${record.id}`;
}
