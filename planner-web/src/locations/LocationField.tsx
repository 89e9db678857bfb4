import { Autocomplete, CircularProgress, TextField } from "@mui/material";
import { type LocationOption, type Place, request, texts } from "@routewright/web";
import { type ReactNode, useEffect, useRef, useState } from "react";

/** Characters before the server is asked. */
const MINIMUM = 2;
const DEBOUNCE = 1_000;

export interface LocationFieldProps {
  label: string;
  value: Place | null;
  onChange: (place: Place | null) => void;
  problem?: string | undefined;
  required?: boolean;
}

/** A place chosen from suggestions, or typed as "lat, lon". */
export function LocationField({ label, value, onChange, problem, required }: LocationFieldProps): ReactNode {
  const [options, setOptions] = useState<LocationOption[]>([]);
  const [searching, setSearching] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const [typed, setTyped] = useState(value?.address ?? "");
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const latest = useRef("");
  useEffect(() => () => clearTimeout(timer.current), []);

  const search = (text: string): void => {
    latest.current = text;
    clearTimeout(timer.current);
    setFailure(null);
    if (text.trim().length < MINIMUM) {
      setOptions([]);
      return;
    }
    timer.current = setTimeout(() => void find(text), DEBOUNCE);
  };

  const find = async (text: string): Promise<void> => {
    setSearching(true);
    try {
      const found = await request<LocationOption[]>("/location_options", {
        query: { text, limit: 5 },
        quiet: true,
      });
      if (latest.current !== text) return;
      setOptions(found);
      if (found.length === 0 && typedPlace(text) === null) reject();
    } catch {
      if (latest.current === text) setFailure(texts.jobs.locationFailed);
    } finally {
      setSearching(false);
    }
  };

  /** Nothing is known by that name: the field is emptied and says so. */
  const reject = (): void => {
    setFailure(texts.common.noResults);
    setTyped("");
    onChange(null);
  };

  const choose = async (option: LocationOption): Promise<void> => {
    try {
      const place = await request<Place>(`/location_options/${encodeURIComponent(option.id)}`, {
        quiet: true,
      });
      onChange({ address: place.address, lat: place.lat, lon: place.lon });
    } catch {
      setFailure(texts.jobs.locationFailed);
    }
  };

  const shownProblem = failure ?? problem;
  return (
    <Autocomplete<LocationOption, false, false, true>
      freeSolo
      options={options}
      filterOptions={(all) => all}
      getOptionLabel={(option) => (typeof option === "string" ? option : option.label)}
      getOptionKey={(option) => (typeof option === "string" ? option : option.id)}
      value={value === null ? null : { id: "", label: value.address }}
      isOptionEqualToValue={(option, chosen) => typeof chosen !== "string" && option.label === chosen.label}
      loading={searching}
      inputValue={typed}
      onInputChange={(_, text, reason) => {
        setTyped(text);
        if (reason === "input") search(text);
      }}
      onChange={(_, option) => {
        if (option === null) onChange(null);
        else if (typeof option === "string") onChange(typedPlace(option));
        else void choose(option);
      }}
      onBlur={(event) => {
        const typed = typedPlace((event.target as HTMLInputElement).value);
        if (typed !== null && value?.address !== typed.address) onChange(typed);
      }}
      renderInput={(parameters) => (
        <TextField
          {...parameters}
          label={label}
          required={required ?? false}
          error={shownProblem !== undefined}
          helperText={shownProblem}
          slotProps={{
            ...parameters.slotProps,
            input: {
              ...parameters.slotProps.input,
              endAdornment: (
                <>
                  {searching && <CircularProgress size={16} />}
                  {parameters.slotProps.input.endAdornment}
                </>
              ),
            },
          }}
        />
      )}
    />
  );
}

/** The place of a text such as `41.15, -8.61`; `null` when it is not one. */
export function typedPlace(text: string): Place | null {
  const match = /^\s*(-?\d{1,2}(?:\.\d+)?)\s*[,;]\s*(-?\d{1,3}(?:\.\d+)?)\s*$/.exec(text);
  if (match === null) return null;
  const lat = Number(match[1]);
  const lon = Number(match[2]);
  if (Math.abs(lat) > 90 || Math.abs(lon) > 180) return null;
  return { address: `${lat}, ${lon}`, lat, lon };
}
