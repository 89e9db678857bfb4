import { texts } from "@routewright/web";
import { useInput, useTranslateLabel, useResourceContext, isRequired, type InputProps } from "react-admin";

/** What the dashboard's own inputs take; the same words as react-admin's inputs. */
export interface BoundProps {
  source: string;
  label?: string;
  helperText?: string;
  validate?: InputProps["validate"];
  defaultValue?: unknown;
  disabled?: boolean;
}

/** A form field with its label, its error text and whether it must be filled. */
export function useBound(props: BoundProps) {
  const resource = useResourceContext();
  const translateLabel = useTranslateLabel();
  const { field, fieldState, id } = useInput({ ...props, format: asIs, parse: asIs });
  const label = translateLabel({ source: props.source, label: props.label, resource });
  const error = fieldState.invalid ? errorText(fieldState.error?.message) : undefined;
  return {
    id,
    name: field.name,
    label: typeof label === "string" ? label : props.source,
    value: field.value as unknown,
    set: field.onChange as (value: unknown) => void,
    blur: field.onBlur,
    ref: field.ref,
    error,
    required: isRequired(props.validate),
  };
}

function asIs(value: unknown): unknown {
  return value;
}

/** react-admin wraps texts that are objects in `@@react-admin@@{json}`. */
function errorText(message: string | undefined): string {
  if (!message) return texts.admin.shared.invalidValue;
  const marker = "@@react-admin@@";
  if (!message.startsWith(marker)) return message;
  const inner = JSON.parse(message.slice(marker.length)) as string | { message: string };
  return typeof inner === "string" ? inner : inner.message;
}
