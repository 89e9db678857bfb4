import { type ChecklistDefinition, type ChecklistField, texts } from "@routewright/web";
import type { ReactNode } from "react";
import { PhotoPicker } from "../fields/PhotoPicker.tsx";
import { SignatureField } from "../fields/SignatureField.tsx";
import { Field } from "../phone/Field.tsx";
import type { ChecklistDraft } from "./checklist.ts";

interface ChecklistInputsProps {
  definition: ChecklistDefinition;
  answers: ChecklistDraft;
  onChange: (answers: ChecklistDraft) => void;
}

/** Questions of the organisation before a route starts or ends. */
export function ChecklistInputs({ definition, answers, onChange }: ChecklistInputsProps): ReactNode {
  const fields = [...definition.fields].sort((a, b) => a.order - b.order);
  return (
    <div className="ph-stack">
      <h3>{definition.name || texts.runsheet.checklist}</h3>
      {fields.map((field) => (
        <FieldInput
          key={field.id}
          field={field}
          answer={answers[field.id]}
          onChange={(answer) => onChange({ ...answers, [field.id]: answer })}
        />
      ))}
    </div>
  );
}

interface FieldInputProps {
  field: ChecklistField;
  answer: string | Blob[] | undefined;
  onChange: (answer: string | Blob[]) => void;
}

function FieldInput({ field, answer, onChange }: FieldInputProps): ReactNode {
  const { label, type, required } = field;
  const text = typeof answer === "string" ? answer : "";
  const files = typeof answer === "object" ? answer : [];
  if (type === "checkbox") {
    return (
      <label className="ph-check">
        <input
          type="checkbox"
          checked={text === "true"}
          onChange={(event) => onChange(String(event.target.checked))}
        />
        {required ? `${label} *` : label}
      </label>
    );
  }
  if (type === "image" || type === "images") {
    return <PhotoPicker photos={files} onChange={onChange} most={type === "image" ? 1 : 10} label={label} />;
  }
  if (type === "signature") {
    return (
      <SignatureField
        label={label}
        value={files[0] ?? null}
        onChange={(signed) => onChange(signed === null ? [] : [signed])}
      />
    );
  }
  return (
    <Field
      label={label}
      required={required}
      type={type === "date" || type === "time" ? type : "text"}
      multiline={type === "textarea"}
      value={text}
      onChange={onChange}
    />
  );
}
