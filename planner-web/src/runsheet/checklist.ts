import { type ChecklistDefinition, fill, texts } from "@routewright/web";
import type { OutboxRecord } from "./outbox.ts";

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

export function checklistRecord(
  definition: ChecklistDefinition,
  answers: ChecklistDraft,
): Omit<OutboxRecord, "id" | "refusal"> {
  const values: Record<string, string> = {};
  const files: OutboxRecord["files"] = [];
  for (const [id, answer] of Object.entries(answers)) {
    if (typeof answer === "string") values[id] = answer;
    else {
      answer.forEach((data, index) =>
        files.push({ field: `values.${id}`, name: `checklist-${index + 1}.jpg`, data, storedId: null }),
      );
    }
  }
  return {
    what: definition.name,
    kind: "checklist",
    subjectId: definition.id,
    body: { checklist_definition_id: definition.id, values },
    files,
  };
}
