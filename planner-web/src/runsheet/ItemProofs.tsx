import { Box, MenuItem, TextField, Typography } from "@mui/material";
import { type ProofMode, type RunsheetJob, texts } from "@routewright/web";
import type { ReactNode } from "react";
import { lastPosition } from "./position.ts";
import type { SheetState } from "./use-sheet.ts";

/** What was recorded for each unit (`unit-{id}`), container (`container-{id}`) and return (`return-{id}`). */
export type ItemMarks = Record<string, ProofMode>;

const UNIT_MODES: readonly ProofMode[] = ["load", "deliver", "pickup", "at_depot"];
const RETURN_MODES: readonly ProofMode[] = ["pickup", "at_depot"];

interface ItemProofsProps {
  job: RunsheetJob;
  marks: ItemMarks;
  onChange: (marks: ItemMarks) => void;
}

/** One choice per unit, container and return of the stop. */
export function ItemProofs({ job, marks, onChange }: ItemProofsProps): ReactNode {
  const rows = [
    ...job.units.map(({ id, uid }) => ({ key: `unit-${id}`, uid, modes: UNIT_MODES })),
    ...job.containers.map(({ id, uid }) => ({ key: `container-${id}`, uid, modes: UNIT_MODES })),
    ...job.returns.map(({ id, uid }) => ({ key: `return-${id}`, uid, modes: RETURN_MODES })),
  ];
  if (rows.length === 0) return null;
  return (
    <Box sx={{ display: "grid", gap: 1 }}>
      <Typography variant="subtitle1">
        {texts.runsheet.units} / {texts.runsheet.returns}
      </Typography>
      {rows.map(({ key, uid, modes }) => (
        <Box
          key={key}
          sx={{ display: "grid", gridTemplateColumns: "1fr 160px", alignItems: "center", gap: 1 }}
        >
          <Typography sx={{ overflowWrap: "anywhere" }}>{uid}</Typography>
          <TextField
            select
            value={marks[key] ?? ""}
            slotProps={{ htmlInput: { "aria-label": uid } }}
            onChange={(event) => {
              const others = Object.fromEntries(Object.entries(marks).filter(([other]) => other !== key));
              const mode = event.target.value;
              onChange(mode === "" ? others : { ...others, [key]: mode as ProofMode });
            }}
          >
            <MenuItem value="">–</MenuItem>
            {modes.map((mode) => (
              <MenuItem key={mode} value={mode}>
                {texts.runsheet.unitModes[mode]}
              </MenuItem>
            ))}
          </TextField>
        </Box>
      ))}
    </Box>
  );
}

export async function sendItemProofs(
  job: RunsheetJob,
  marks: ItemMarks,
  time: string,
  state: SheetState,
): Promise<void> {
  for (const [key, mode] of Object.entries(marks)) {
    const [kind, idText = ""] = key.split("-");
    const id = Number(idText);
    const item = kind === "unit" || kind === "container" ? kind : "return";
    await state.record({
      what: `${job.uid} ${texts.runsheet.unitModes[mode]}`,
      kind: `${item}_proof`,
      subjectId: id,
      body: {
        [`${item}_id`]: id,
        job_id: job.id,
        mode,
        success: true,
        record_time: time,
        ...lastPosition(),
      },
      files: [],
    });
  }
}
