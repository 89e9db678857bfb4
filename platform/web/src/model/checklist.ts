import type { Stored } from "./common.ts";

export type ChecklistType = "start_route" | "end_route";
export type ChecklistFieldType =
  "checkbox" | "date" | "time" | "image" | "signature" | "images" | "textarea" | "text";

export interface ChecklistField {
  id: string;
  label: string;
  type: ChecklistFieldType;
  required: boolean;
  order: number;
}

export interface ChecklistDefinition extends Stored {
  name: string;
  type: ChecklistType;
  fields: ChecklistField[];
  active: boolean;
  organisation_id?: number;
}

export interface ChecklistSubmission extends Stored {
  checklist_definition: ChecklistDefinition;
  values: Record<string, string>;
  run_id: number;
  submitted_by: number | null;
}
