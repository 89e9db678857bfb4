import type { Refined, Schemas } from "./schemas.ts";

export type ChecklistType = "start_route" | "end_route";
export type ChecklistFieldType =
  "checkbox" | "date" | "time" | "image" | "signature" | "images" | "textarea" | "text";

export type ChecklistField = Required<Schemas["ChecklistField"]>;

export type ChecklistDefinition = Refined<
  Schemas["ChecklistDefinition"],
  {
    type: ChecklistType;
    fields: ChecklistField[];
  }
>;

export type ChecklistSubmission = Refined<
  Schemas["ChecklistSubmission"],
  {
    checklist_definition: ChecklistDefinition;
  }
>;
