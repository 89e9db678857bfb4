import type { Theme } from "@mui/material/styles";

/**
 * A table whose rows stand as blocks on phones, each cell under the label in its `data-label`; to be given to the
 * table's `sx`.
 */
export function stackedOnPhones(theme: Theme): Record<string, unknown> {
  return {
    [theme.breakpoints.down("sm")]: {
      "&, & tbody": { display: "block" },
      "& thead": { display: "none" },
      "& tr": {
        display: "grid",
        gridTemplateColumns: "1fr 1fr",
        gap: 1,
        py: 1.5,
        borderBottom: 1,
        borderColor: "divider",
      },
      "& td": { display: "block", border: 0, p: 0, minWidth: 0, width: "auto" },
      "& td.wide": { gridColumn: "1 / -1" },
      "& td[data-label]::before": {
        content: "attr(data-label)",
        display: "block",
        mb: 0.25,
        fontSize: "0.75rem",
        color: "text.secondary",
      },
    },
  };
}
