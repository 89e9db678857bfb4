import { Box, Button } from "@mui/material";
import { requestBlob, saveFile, texts } from "@routewright/web";
import type { ReactNode } from "react";

const KINDS = [
  { kind: "excel", name: "jobs.xlsx", label: texts.imports.templateExcel },
  { kind: "csv", name: "jobs.csv", label: texts.imports.templateCsv },
] as const;

/** Files with every column to fill in, the organisation's own included. */
export function TemplateButtons(): ReactNode {
  const download = async (kind: string, name: string): Promise<void> => {
    saveFile(await requestBlob("/jobs/import_template", { query: { kind } }), name);
  };
  return (
    <Box sx={{ display: "flex", flexWrap: "wrap", justifyContent: "center", gap: 1 }}>
      {KINDS.map(({ kind, name, label }) => (
        // A refusal has told itself.
        <Button key={kind} size="small" onClick={() => void download(kind, name).catch(() => undefined)}>
          {label}
        </Button>
      ))}
    </Box>
  );
}
