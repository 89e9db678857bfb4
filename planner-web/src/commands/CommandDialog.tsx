import { Autocomplete, Box, TextField, Typography } from "@mui/material";
import { texts } from "@routewright/web";
import { type ReactNode, useMemo } from "react";
import { usePlanContext } from "../plan/context.ts";
import { openDialog } from "../plan/dialogs.ts";
import { openPanel, selectJob, toggleRunOpen, useSelection } from "../plan/selection.ts";
import { DialogFrame } from "../ui/DialogFrame.tsx";
import { type Command, keysText, useCommands } from "./use-commands.ts";

interface Offer extends Command {
  group: string;
  /** Beside the label; searched too. */
  more?: string;
}

/** More would take longer to draw than to type another letter. */
const MOST = 60;

/** Everything that can be done, and every run and job of the plan, by name. */
export function CommandDialog({ onClose }: { onClose: () => void }): ReactNode {
  const commands = useCommands();
  const { plan } = usePlanContext();
  const offers = useMemo<Offer[]>(() => {
    const { act, run, job } = texts.commands.groups;
    return [
      ...commands
        .filter(({ label }) => label !== texts.commands.open)
        .map((command) => ({ ...command, group: act })),
      ...plan.runs.map(({ id, uid, driver }) => ({
        group: run,
        label: uid,
        ...(driver.uid === uid ? {} : { more: driver.uid }),
        act: () => {
          openPanel("runs");
          if (!useSelection.getState().openRunIds.has(id)) toggleRunOpen(id);
        },
      })),
      ...plan.jobs.map(({ id, uid, customer_name: customer, location }) => ({
        group: job,
        label: uid,
        more: [customer, location.address].filter(Boolean).join(" · "),
        act: () => {
          selectJob(id);
          openDialog({ kind: "job-details", jobId: id });
        },
      })),
    ];
  }, [commands, plan]);
  return (
    <DialogFrame title={texts.commands.title} onClose={onClose} height="70vh">
      <Autocomplete
        open
        autoHighlight
        disablePortal
        disableClearable
        forcePopupIcon={false}
        value={null as unknown as Offer}
        options={offers}
        groupBy={({ group }) => group}
        getOptionLabel={({ label }) => label}
        getOptionKey={({ group, label }) => `${group} ${label}`}
        filterOptions={found}
        noOptionsText={texts.commands.none}
        onClose={(_, reason) => {
          if (reason === "escape") onClose();
        }}
        onChange={(_, { act }) => {
          onClose();
          act();
        }}
        slotProps={{
          listbox: { sx: { maxHeight: "none" } },
          popper: {
            sx: { position: "static !important", transform: "none !important", width: "auto !important" },
            modifiers: [],
          },
          paper: { elevation: 0 },
        }}
        renderOption={({ key, ...props }, { label, more, keys }) => (
          <Box component="li" key={key} {...props} sx={{ display: "flex", gap: 1.5 }}>
            <span>{label}</span>
            <Typography variant="body2" color="textSecondary" noWrap sx={{ flex: 1, minWidth: 0 }}>
              {more}
            </Typography>
            {keys !== undefined && (
              <Typography component="kbd" variant="caption" color="textSecondary" sx={KEY}>
                {keysText(keys)}
              </Typography>
            )}
          </Box>
        )}
        renderInput={(params) => (
          <TextField
            {...params}
            autoFocus
            placeholder={texts.commands.search}
            slotProps={{
              ...params.slotProps,
              htmlInput: { ...params.slotProps.htmlInput, "aria-label": texts.commands.search },
            }}
          />
        )}
      />
    </DialogFrame>
  );
}

const KEY = { border: 1, borderColor: "divider", borderRadius: 0.5, px: 0.75, fontFamily: "inherit" };

/** Those that have every word somewhere; commands alone before anything is typed. */
export function found(offers: Offer[], { inputValue }: { inputValue: string }): Offer[] {
  const words = inputValue.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return offers.filter(({ group }) => group === texts.commands.groups.act);
  const fits = ({ label, more = "" }: Offer): boolean => {
    const text = `${label} ${more}`.toLowerCase();
    return words.every((word) => text.includes(word));
  };
  return offers.filter(fits).slice(0, MOST);
}
