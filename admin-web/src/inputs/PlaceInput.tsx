import { Autocomplete, TextField } from "@mui/material";
import { answer, quietApi, request, texts } from "@routewright/web";
import type { Place } from "@routewright/web/model";
import { useEffect, useState } from "react";
import { type BoundProps, useBound } from "./bound.ts";

interface Option {
  id: string;
  label: string;
}

const LEAST_CHARACTERS = 2;
const PAUSE_MS = 1000;

/** An address, looked up while typing (from two characters); `lat, lon` typed as text is a place too. */
export function PlaceInput(props: BoundProps) {
  const bound = useBound(props);
  const place = bound.value as Place | null | undefined;
  const [typed, setTyped] = useState(place?.address ?? "");
  const { options, searching, problem, setProblem } = useOptions(typed, place?.address ?? "");

  async function choose(option: Option | null): Promise<void> {
    if (!option) return bound.set(null);
    try {
      const found = await request<Place>(`/location_options/${encodeURIComponent(option.id)}`, {
        quiet: true,
      });
      bound.set({ address: found.address, lat: found.lat, lon: found.lon });
      setTyped(found.address);
    } catch {
      setProblem(texts.admin.shared.lookupFailed);
    }
  }
  const error = bound.error ?? problem;
  return (
    <Autocomplete<Option>
      fullWidth
      options={options}
      loading={searching}
      filterOptions={(found) => found}
      isOptionEqualToValue={(option, value) => option.label === value.label}
      value={place ? { id: "", label: place.address } : null}
      inputValue={typed}
      noOptionsText={
        typed.trim().length < LEAST_CHARACTERS ? texts.admin.shared.typeMore : texts.common.noResults
      }
      onInputChange={(_event, text) => setTyped(text)}
      onChange={(_event, option) => void choose(option)}
      renderInput={(field) => (
        <TextField
          {...field}
          name={bound.name}
          label={bound.label}
          required={bound.required}
          error={error !== undefined}
          helperText={
            error ?? props.helperText ?? (place ? `${place.lat.toFixed(5)}, ${place.lon.toFixed(5)}` : " ")
          }
        />
      )}
    />
  );
}

/** Suggestions for what was typed, asked for after a pause; the chosen address itself is not searched. */
function useOptions(typed: string, chosen: string) {
  const [options, setOptions] = useState<Option[]>([]);
  const [searching, setSearching] = useState(false);
  const [problem, setProblem] = useState<string>();
  useEffect(() => {
    const text = typed.trim();
    if (text.length < LEAST_CHARACTERS || text === chosen) return;
    const aborter = new AbortController();
    const timer = setTimeout(() => {
      setSearching(true);
      answer(
        quietApi.GET("/location_options", {
          params: { query: { text, limit: 5 } },
          signal: aborter.signal,
        }),
      )
        .then((found) => {
          setOptions(found);
          setProblem(found.length === 0 ? texts.common.noResults : undefined);
        })
        .catch(() => {
          if (!aborter.signal.aborted) setProblem(texts.admin.shared.lookupFailed);
        })
        .finally(() => setSearching(false));
    }, PAUSE_MS);
    return () => {
      clearTimeout(timer);
      aborter.abort();
    };
  }, [typed, chosen]);
  return { options, searching, problem, setProblem };
}
