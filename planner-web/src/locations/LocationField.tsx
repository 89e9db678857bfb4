import MapIcon from "@mui/icons-material/PinDropOutlined";
import { Autocomplete, CircularProgress, IconButton, TextField, Tooltip } from "@mui/material";
import {
  isPlaced,
  type LocationOption,
  type Place,
  request,
  texts,
  typedPlace,
  unplaced,
} from "@routewright/web";
import { lazy, type ReactNode, Suspense, useEffect, useRef, useState } from "react";

const PickPlaceDialog = lazy(async () => ({
  default: (await import("./PickPlaceDialog.tsx")).PickPlaceDialog,
}));

/** Characters before the server is asked. */
const MINIMUM = 2;
const DEBOUNCE = 1_000;

export interface LocationFieldProps {
  label: string;
  /** Without coordinates (see `isPlaced`): typed, and no place was chosen for it yet. */
  value: Place | null;
  onChange: (place: Place | null) => void;
  problem?: string | undefined;
  required?: boolean;
}

/** A place chosen from suggestions or on the map, or typed as "lat, lon". What was typed is never dropped. */
export function LocationField({ label, value, onChange, problem, required }: LocationFieldProps): ReactNode {
  const [options, setOptions] = useState<LocationOption[]>([]);
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

  const choose = async (option: LocationOption): Promise<void> => {
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
      <Autocomplete<LocationOption, false, false, true>
        freeSolo
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
        renderInput={(parameters) => (
          <TextField
            {...parameters}
            label={label}
            required={required ?? false}
            placeholder={texts.jobs.locationHint}
            error={shownProblem !== undefined}
            helperText={shownProblem}
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
          <PickPlaceDialog
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
