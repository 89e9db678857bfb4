import { texts } from "@routewright/web";
import type { Check } from "./validators.ts";
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

/**
 * A form field with its label, its error text and whether it must be filled; `field` is all of that as a text field takes it. `own` are the
 * checks of the input itself, before those of the form.
 */
export function useBound(props: BoundProps, ...own: Check[]) {
  const resource = useResourceContext();
  const translateLabel = useTranslateLabel();
  const { field, fieldState, id } = useInput({
    ...props,
    validate: [...own, ...[props.validate ?? []].flat()],
    format: asIs,
    parse: asIs,
  });
  const label = translateLabel({ source: props.source, label: props.label, resource });
  const error = fieldState.invalid ? errorText(fieldState.error?.message) : undefined;
  const bound = {
    id,
    name: field.name,
    label: typeof label === "string" ? label : props.source,
    required: isRequired(props.validate),
    disabled: props.disabled ?? false,
  };
  return {
    ...bound,
    value: field.value as unknown,
    set: field.onChange as (value: unknown) => void,
    blur: field.onBlur,
    ref: field.ref,
    error,
    field: {
      ...bound,
      onBlur: field.onBlur,
      inputRef: field.ref,
      error: error !== undefined,
      helperText: error ?? props.helperText ?? " ",
      fullWidth: true,
    },
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
