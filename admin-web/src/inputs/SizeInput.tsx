import { SizeField, texts } from "@routewright/web";
import { type BoundProps, useBound } from "./bound.ts";
import { useKnownWords } from "./known-words.ts";
import { size } from "./validators.ts";

/** A size, or with `limits` a capacity: one number for each measure that the organisation counts in. */
export function SizeInput({ limits = false, ...props }: BoundProps & { limits?: boolean }) {
  const bound = useBound(props, size);
  const { measures } = useKnownWords();
  const help = props.helperText ?? (limits ? texts.runs.capacityHelp : undefined);
  return (
    <SizeField
      label={bound.label}
      value={typeof bound.value === "string" ? bound.value : ""}
      onChange={(text) => bound.set(text === "" ? null : text)}
      onBlur={bound.blur}
      measures={measures}
      limits={limits}
      required={bound.required}
      disabled={props.disabled ?? false}
      problem={bound.error}
      help={help}
    />
  );
}
