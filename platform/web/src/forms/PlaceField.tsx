import MapIcon from "@mui/icons-material/PinDropOutlined";
import { Autocomplete, CircularProgress, IconButton, TextField, Tooltip } from "@mui/material";
import { type ComponentType, type ReactNode, Suspense, useEffect, useRef, useState } from "react";
import { request } from "../api/request.ts";
import type { Place } from "../model/common.ts";
import type { LocationOption } from "../model/location.ts";
import { texts } from "../texts/index.ts";
import { isPlaced, typedPlace, unplaced } from "./place.ts";
import { PlaceOption } from "./PlaceOption.tsx";

/** A place that the search proposes, or what the field holds. */
type Choice = Pick<LocationOption, "id" | "label"> & Partial<LocationOption>;

/** Characters before the server is asked. */
const MINIMUM = 2;
const DEBOUNCE = 1_000;

/** Chooses a place on the map, in a dialog over the field. */
export interface PickPlaceProps {
  /** What the field holds; without coordinates only its address counts. */
  place: Place | null;
  onPick: (place: Place) => void;
  onClose: () => void;
}

export interface PlaceFieldProps {
  label: string;
  /** Without coordinates (see `isPlaced`): typed, and no place was chosen for it yet. */
  value: Place | null;
  onChange: (place: Place | null) => void;
  problem?: string | undefined;
  /** Shown while there is no problem. */
  help?: string | undefined;
  required?: boolean;
  /** Of the input, for forms. */
  name?: string;
  /** Loaded when it is first opened. */
  picker: ComponentType<PickPlaceProps>;
}

/** A place chosen from suggestions or on the map, or typed as "lat, lon". What was typed is never dropped. */
export function PlaceField(props: PlaceFieldProps): ReactNode {
  const { label, value, onChange, problem, help, required = false, name, picker: Picker } = props;
  const [options, setOptions] = useState<Choice[]>([]);
  const [searching, setSearching] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const [left, setLeft] = useState(false);
  const [picking, setPicking] = useState(false);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const latest = useRef(value?.address ?? "");
  /** The last place that the field held: typing its address again means it. */
  const known = useRef(value);
  useEffect(() => () => clearTimeout(timer.current), []);
  const text = value?.address ?? "";

  const take = (place: Place): void => {
    known.current = place;
    latest.current = place.address;
    setFailure(null);
    onChange(place);
  };

  const type = (typed: string): void => {
    latest.current = typed;
    clearTimeout(timer.current);
    setFailure(null);
    setLeft(false);
    setOptions([]);
    const place = typedPlace(typed);
    const before = known.current;
    if (typed === "") onChange(null);
    else if (place !== null) onChange({ ...place, address: typed });
    else if (before !== null && typed === before.address) onChange(before);
    else onChange(unplaced(typed));
    if (place === null && typed.trim().length >= MINIMUM) {
      timer.current = setTimeout(() => void find(typed), DEBOUNCE);
    }
  };

  const find = async (typed: string): Promise<void> => {
    setSearching(true);
    try {
      const found = await request<LocationOption[]>("/location_options", {
        query: { text: typed, limit: 5 },
        quiet: true,
      });
      if (latest.current !== typed) return;
      setOptions(found);
      if (found.length === 0) setFailure(texts.common.noResults);
    } catch {
      if (latest.current === typed) setFailure(texts.jobs.locationFailed);
    } finally {
      setSearching(false);
    }
  };

  const choose = async (option: Choice): Promise<void> => {
    latest.current = option.label;
    onChange(unplaced(option.label));
    setSearching(true);
    try {
      const { address, lat, lon } = await request<Place>(
        `/location_options/${encodeURIComponent(option.id)}`,
        { quiet: true },
      );
      if (latest.current === option.label) take({ address, lat, lon });
    } catch {
      if (latest.current === option.label) setFailure(texts.jobs.locationFailed);
    } finally {
      setSearching(false);
    }
  };

  const blur = (): void => {
    setLeft(true);
    const place = typedPlace(text);
    if (place !== null) take(place);
  };

  const waiting = value !== null && !isPlaced(value);
  const untold = waiting && left && !searching ? texts.jobs.locationUnplaced : undefined;
  const shownProblem = failure === null ? (untold ?? problem) : [failure, untold].filter(Boolean).join(" ");
  return (
    <>
      <Autocomplete<Choice, false, false, true>
        freeSolo
        fullWidth
        options={options}
        filterOptions={(all) => all}
        getOptionLabel={(option) => (typeof option === "string" ? option : option.label)}
        getOptionKey={(option) => (typeof option === "string" ? option : option.id)}
        value={value === null ? null : { id: "", label: text }}
        isOptionEqualToValue={(option, chosen) => typeof chosen !== "string" && option.label === chosen.label}
        loading={searching}
        inputValue={text}
        onInputChange={(_, typed, reason) => {
          if (reason === "input") type(typed);
        }}
        onChange={(_, option) => {
          if (option === null) type("");
          else if (typeof option !== "string") void choose(option);
        }}
        onBlur={blur}
        renderOption={({ key, ...item }, option) => (
          <li key={key} {...item}>
            <PlaceOption option={option} />
          </li>
        )}
        renderInput={(parameters) => (
          <TextField
            {...parameters}
            label={label}
            name={name}
            required={required}
            placeholder={texts.jobs.locationHint}
            error={shownProblem !== undefined}
            helperText={shownProblem ?? help}
            slotProps={{
              ...parameters.slotProps,
              input: {
                ...parameters.slotProps.input,
                endAdornment: (
                  <>
                    {searching && <CircularProgress size={16} aria-label={texts.common.loading} />}
                    <Tooltip title={texts.jobs.locationOnMap}>
                      <IconButton
                        size="small"
                        aria-label={texts.jobs.locationOnMap}
                        onClick={() => setPicking(true)}
                      >
                        <MapIcon fontSize="small" />
                      </IconButton>
                    </Tooltip>
                    {parameters.slotProps.input.endAdornment}
                  </>
                ),
              },
            }}
          />
        )}
      />
      {picking && (
        <Suspense fallback={null}>
          <Picker
            place={value}
            onClose={() => setPicking(false)}
            onPick={(place) => {
              setPicking(false);
              take(place);
            }}
          />
        </Suspense>
      )}
    </>
  );
}
