import {
  AutocompleteArrayInput,
  AutocompleteInput,
  ReferenceArrayInput,
  ReferenceInput,
  type InputProps,
  type RaRecord,
} from "react-admin";
import { nounBy } from "../resource/registry.ts";
import { fieldLabel } from "../resource/labels.ts";
import { represent } from "../data/noun.ts";

interface Props {
  source: string;
  /** Name of the noun to choose from. */
  of: string;
  label?: string;
  validate?: InputProps["validate"];
  helperText?: string;
  disabled?: boolean;
  /** Narrows what can be chosen. */
  filter?: Record<string, unknown>;
}

const PER_PAGE = 20;
const LOOKUP = { meta: { lookup: true } };
const SEARCH_PAUSE = 1000;

/** Chooses one record of another noun, searched on the server while typing. */
export function OneInput({ source, of, filter, ...input }: Props) {
  const noun = nounBy(of);
  return (
    <ReferenceInput
      source={source}
      reference={of}
      perPage={PER_PAGE}
      filter={filter}
      sort={noun.sort}
      queryOptions={LOOKUP}
    >
      <AutocompleteInput
        {...input}
        label={input.label ?? fieldLabel(source)}
        optionText={(record?: RaRecord) => (record ? represent(noun, record) : "")}
        filterToQuery={searchFor}
        debounce={SEARCH_PAUSE}
        fullWidth
      />
    </ReferenceInput>
  );
}

/** Chooses any number of records of another noun. */
export function ManyInput({ source, of, filter, ...input }: Props) {
  const noun = nounBy(of);
  return (
    <ReferenceArrayInput
      source={source}
      reference={of}
      perPage={PER_PAGE}
      filter={filter}
      sort={noun.sort}
      queryOptions={LOOKUP}
    >
      <AutocompleteArrayInput
        {...input}
        label={input.label ?? noun.plural}
        optionText={(record?: RaRecord) => (record ? represent(noun, record) : "")}
        filterToQuery={searchFor}
        debounce={SEARCH_PAUSE}
        fullWidth
      />
    </ReferenceArrayInput>
  );
}

function searchFor(text: string): Record<string, string> {
  return text ? { search: text } : {};
}
