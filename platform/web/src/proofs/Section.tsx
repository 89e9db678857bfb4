import ExpandIcon from "@mui/icons-material/ExpandMore";
import { Accordion, AccordionDetails, AccordionSummary, Typography } from "@mui/material";
import type { ReactNode } from "react";

interface SectionProps {
  title: string;
  closed?: boolean;
  children: ReactNode;
}

/** A part that can be folded away. */
export function Section({ title, closed = false, children }: SectionProps): ReactNode {
  return (
    <Accordion
      defaultExpanded={!closed}
      disableGutters
      elevation={0}
      sx={{ "&::before": { display: "none" } }}
    >
      <AccordionSummary expandIcon={<ExpandIcon />} sx={{ px: 0 }}>
        <Typography variant="subtitle1">{title}</Typography>
      </AccordionSummary>
      <AccordionDetails sx={{ px: 0, display: "grid", gap: 1.5 }}>{children}</AccordionDetails>
    </Accordion>
  );
}
