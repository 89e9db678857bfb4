import SearchIcon from "@mui/icons-material/Search";
import { Box, InputAdornment, TextField, Typography } from "@mui/material";
import type { ReactNode } from "react";

export interface PanelHeadProps {
  title: string;
  /** Small text beside the title. */
  note?: string;
  actions?: ReactNode;
  search?: { label: string; value: string; onChange: (value: string) => void };
}

/** Title, actions and search of a panel. */
export function PanelHead({ title, note, actions, search }: PanelHeadProps): ReactNode {
  return (
    <Box sx={{ p: 1.5, pb: 1, display: "grid", gap: 1, borderBottom: 1, borderColor: "divider" }}>
      <Box sx={{ display: "flex", alignItems: "center", gap: 1, minHeight: 32 }}>
        <Typography component="h2" variant="h6">
          {title}
        </Typography>
        {note !== undefined && (
          <Typography variant="body2" color="textSecondary" sx={{ fontVariantNumeric: "tabular-nums" }}>
            {note}
          </Typography>
        )}
        <Box sx={{ ml: "auto", display: "flex", gap: 0.5, alignItems: "center" }}>{actions}</Box>
      </Box>
      {search !== undefined && (
        <TextField
          placeholder={search.label}
          value={search.value}
          onChange={(event) => search.onChange(event.target.value)}
          slotProps={{
            htmlInput: { "aria-label": search.label },
            input: {
              startAdornment: (
                <InputAdornment position="start">
                  <SearchIcon fontSize="small" />
                </InputAdornment>
              ),
            },
          }}
        />
      )}
    </Box>
  );
}
