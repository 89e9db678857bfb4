import { Autocomplete, TextField } from "@mui/material";
import { answer, isPlaced, quietApi, request, texts, typedPlace, unplaced } from "@routewright/web";
import type { Place } from "@routewright/web/model";
import { useEffect, useState } from "react";
import { type Validator } from "react-admin";
import { type BoundProps, useBound } from "./bound.ts";

interface Option {
  id: string;
  label: string;
}

const LEAST_CHARACTERS = 2;
const PAUSE_MS = 1000;

/** Typing for which no place was chosen is told, never dropped. */
const placed: Validator = (place: Place | null | undefined) =>
  place && !isPlaced(place) ? texts.jobs.locationUnplaced : undefined;

/** An address, looked up while typing (from two characters); `lat, lon` typed as text is a place too. */
export function PlaceInput(props: BoundProps) {
  const own = props.validate === undefined ? [] : [props.validate].flat();
  const bound = useBound({ ...props, validate: [...own, placed] });
  const place = bound.value as Place | null | undefined;
  const [left, setLeft] = useState(false);
  const typed = place?.address ?? "";
  const waiting = place ? !isPlaced(place) : false;
  const { options, searching, problem, setProblem } = useOptions(waiting ? typed : "");

  function type(text: string): void {
    setLeft(false);
    setProblem(undefined);
    const found = typedPlace(text);
    bound.set(text === "" ? null : found ? { ...found, address: text } : unplaced(text));
  }

  async function choose(option: Option): Promise<void> {
    bound.set(unplaced(option.label));
    try {
      const found = await request<Place>(`/location_options/${encodeURIComponent(option.id)}`, {
        quiet: true,
      });
      bound.set({ address: found.address, lat: found.lat, lon: found.lon });
    } catch {
      setProblem(texts.admin.shared.lookupFailed);
    }
  }
  const untold = waiting && left && !searching ? texts.jobs.locationUnplaced : undefined;
  const error = problem ?? untold ?? bound.error;
  return (
    <Autocomplete<Option, false, false, true>
      fullWidth
      freeSolo
      options={options}
      loading={searching}
      filterOptions={(found) => found}
      isOptionEqualToValue={(option, value) => typeof value !== "string" && option.label === value.label}
      getOptionLabel={(option) => (typeof option === "string" ? option : option.label)}
      value={place ? { id: "", label: place.address } : null}
      inputValue={typed}
      onInputChange={(_event, text, reason) => {
        if (reason === "input") type(text);
      }}
      onChange={(_event, option) => {
        if (option === null) type("");
        else if (typeof option !== "string") void choose(option);
      }}
      onBlur={() => setLeft(true)}
      renderInput={(field) => (
        <TextField
          {...field}
          name={bound.name}
          label={bound.label}
          placeholder={texts.jobs.locationHint}
          required={bound.required}
          error={error !== undefined}
          helperText={
            error ??
            props.helperText ??
            (place && !waiting ? `${place.lat.toFixed(5)}, ${place.lon.toFixed(5)}` : " ")
          }
        />
      )}
    />
  );
}

/** Suggestions for what was typed, asked for after a pause. */
function useOptions(typed: string) {
  const [options, setOptions] = useState<Option[]>([]);
  const [searching, setSearching] = useState(false);
  const [problem, setProblem] = useState<string>();
  useEffect(() => {
    const text = typed.trim();
    if (text.length < LEAST_CHARACTERS || typedPlace(text)) return;
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
  }, [typed]);
  return { options, searching, problem, setProblem };
}
