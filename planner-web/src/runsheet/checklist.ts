import { type ChecklistDefinition, fill, texts } from "@routewright/web";
import type { KeptFile, RecordContent } from "./record.ts";

/** Answers by field id: text, or photos and signatures not yet uploaded. */
export type ChecklistDraft = Record<string, string | Blob[]>;

/** The first required field without an answer. */
export function checklistProblem({ fields }: ChecklistDefinition, answers: ChecklistDraft): string | null {
  const missing = fields.find(({ id, required, type }) => {
    if (!required) return false;
    const answer = answers[id];
    if (answer === undefined || answer.length === 0) return true;
    return type === "checkbox" && answer !== "true";
  });
  return missing === undefined ? null : fill(texts.runsheet.required, { label: missing.label });
}

/** The answers and files of a checklist as a record takes them. */
export function checklistPart(
  definition: ChecklistDefinition,
  answers: ChecklistDraft,
): { checklist: NonNullable<RecordContent["checklist"]>; files: KeptFile[] } {
  const values: Record<string, string> = {};
  const files: KeptFile[] = [];
  for (const [id, answer] of Object.entries(answers)) {
    if (typeof answer === "string") values[id] = answer;
    else {
      values[id] = "";
      answer.forEach((data, index) => files.push(fileOf(`values.${id}`, `checklist-${index + 1}.jpg`, data)));
    }
  }
  return { checklist: { checklist_definition_id: definition.id, values }, files };
}

/** Photos and the signature of a proof. */
export function proofFiles(name: string, photos: readonly Blob[], signature: Blob | null): KeptFile[] {
  const files = photos.map((data, index) => fileOf("photo_ids", `${name}-${index + 1}.jpg`, data));
  return signature === null ? files : [...files, fileOf("signature_id", "signature.png", signature)];
}

function fileOf(field: string, name: string, data: Blob): KeptFile {
  return { field, name, data, storedId: null, refusal: null };
}
