import type { BoundProps } from "./bound.ts";
import { useKnownWords } from "./known-words.ts";
import { WordsInput } from "./WordsInput.tsx";

/** Types of jobs as chips, those that drivers and vehicles serve offered. */
export function TypesInput(props: BoundProps) {
  const { types } = useKnownWords();
  return <WordsInput {...props} joined options={types} />;
}
