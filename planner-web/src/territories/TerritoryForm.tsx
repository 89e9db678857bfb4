import { Alert, Box, Button, TextField, Typography } from "@mui/material";
import { ApiError, fill, messageOfError, type Territory, type TerritoryGroup, texts } from "@routewright/web";
import { type ReactNode, useState } from "react";
import { ColourField } from "../fields/ColourField.tsx";
import { useDrivers } from "../plan/queries.ts";
import { DeleteButton } from "../ui/DeleteButton.tsx";
import { draftProblems, type TerritoryDraft } from "./draft.ts";
import { FormButtons } from "./FormButtons.tsx";
import { cornersText, parseCorners } from "./geometry.ts";
import { deleteTerritory, saveTerritory } from "./save.ts";
import { TerritoryChoice } from "./TerritoryChoice.tsx";

export type ToolName = "none" | "draw" | "edit" | "split";

interface TerritoryFormProps {
  draft: TerritoryDraft;
  stored: Territory | undefined;
  groups: readonly TerritoryGroup[];
  tool: ToolName;
  writable: boolean;
  onChange: (part: Partial<TerritoryDraft>) => void;
  onTool: (tool: ToolName) => void;
  onClose: () => void;
}

/** Name, colour, drivers, groups and shape of one territory. The shape can also be typed. */
export function TerritoryForm(props: TerritoryFormProps): ReactNode {
  const { draft, stored, groups, writable, onChange, onClose } = props;
  const { data: drivers = [] } = useDrivers();
  const [checked, setChecked] = useState(false);
  const [refusals, setRefusals] = useState<Record<string, string>>({});
  const [problem, setProblem] = useState<string | null>(null);
  const [working, setWorking] = useState(false);
  const missing = checked ? draftProblems(draft) : {};
  const save = async (): Promise<void> => {
    setChecked(true);
    setProblem(null);
    setRefusals({});
    if (Object.keys(draftProblems(draft)).length > 0) return;
    setWorking(true);
    try {
      await saveTerritory(draft, groups, (id) => onChange({ id }));
      onClose();
    } catch (error) {
      if (error instanceof ApiError) setRefusals(error.fields);
      setProblem(messageOfError(error));
      setWorking(false);
    }
  };
  const help = { none: null, draw: "drawHelp", edit: "editHelp", split: "splitHelp" } as const;
  const helpKey = help[props.tool];
  return (
    <Box
      component="form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
      sx={{ display: "grid", gap: 2, p: 1.5 }}
    >
      <Typography component="h2" variant="h6">
        {draft.id === null
          ? texts.territories.newTitle
          : fill(texts.territories.editTitle, { name: stored?.name ?? draft.name })}
      </Typography>
      {helpKey !== null && <Alert severity="info">{texts.territories[helpKey]}</Alert>}
      <TextField
        label={texts.territories.name}
        required
        disabled={!writable}
        value={draft.name}
        onChange={(event) => onChange({ name: event.target.value })}
        error={missing.name !== undefined || refusals["name"] !== undefined}
        helperText={missing.name ?? refusals["name"]}
      />
      <Box sx={{ display: "grid", gap: 2, gridTemplateColumns: "1fr 1fr" }}>
        <TextField
          label={texts.territories.uid}
          disabled={!writable}
          value={draft.uid}
          onChange={(event) => onChange({ uid: event.target.value })}
          error={refusals["uid"] !== undefined}
          helperText={refusals["uid"]}
        />
        <ColourField
          label={texts.territories.colour}
          disabled={!writable}
          value={draft.colour}
          onChange={(colour) => onChange({ colour })}
        />
      </Box>
      <TerritoryChoice
        label={texts.territories.drivers}
        disabled={!writable}
        options={drivers.map(({ id, uid }) => ({ id, name: uid }))}
        value={draft.driverIds}
        onChange={(driverIds) => onChange({ driverIds })}
      />
      <TerritoryChoice
        label={texts.territories.inGroups}
        disabled={!writable}
        options={groups}
        value={draft.groupIds}
        onChange={(groupIds) => onChange({ groupIds })}
      />
      <Corners
        key={cornersText(draft.geometry)}
        draft={draft}
        writable={writable}
        problem={missing.corners ?? refusals["geometry"]}
        onChange={onChange}
      />
      {writable && <ShapeButtons {...props} />}
      {problem !== null && <Alert severity="error">{problem}</Alert>}
      <FormButtons writable={writable} working={working} onClose={onClose}>
        {draft.id !== null && <DeleteTerritory id={draft.id} name={draft.name} onDeleted={onClose} />}
      </FormButtons>
    </Box>
  );
}

function ShapeButtons({ draft, tool, onTool }: TerritoryFormProps): ReactNode {
  if (draft.geometry === null) {
    return (
      <Button variant="outlined" disabled={tool === "draw"} onClick={() => onTool("draw")}>
        {texts.territories.draw}
      </Button>
    );
  }
  return (
    <Box sx={{ display: "flex", gap: 1 }}>
      <Button variant="outlined" onClick={() => onTool(tool === "edit" ? "none" : "edit")}>
        {tool === "edit" ? texts.territories.stopEditing : texts.territories.editShape}
      </Button>
      {draft.id !== null && (
        <Button variant="outlined" onClick={() => onTool(tool === "split" ? "none" : "split")}>
          {tool === "split" ? texts.common.cancel : texts.territories.split}
        </Button>
      )}
    </Box>
  );
}

interface CornersProps {
  draft: TerritoryDraft;
  writable: boolean;
  problem: string | undefined;
  onChange: (part: Partial<TerritoryDraft>) => void;
}

/** The shape as text, for those who do not draw. */
function Corners({ draft, writable, problem, onChange }: CornersProps): ReactNode {
  const [text, setText] = useState(cornersText(draft.geometry));
  const [wrong, setWrong] = useState<string | null>(null);
  const take = (): void => {
    if (text.trim() === "" || text === cornersText(draft.geometry)) {
      setWrong(null);
      return;
    }
    const parsed = parseCorners(text);
    if ("problem" in parsed) setWrong(parsed.problem);
    else {
      setWrong(null);
      onChange({ geometry: parsed.geometry });
    }
  };
  const shown = wrong ?? problem;
  return (
    <TextField
      label={texts.territories.corners}
      multiline
      minRows={3}
      maxRows={8}
      disabled={!writable}
      value={text}
      onChange={(event) => setText(event.target.value)}
      onBlur={take}
      error={shown !== undefined}
      helperText={shown ?? texts.territories.cornersHelp}
      slotProps={{ htmlInput: { style: { fontVariantNumeric: "tabular-nums", fontSize: 12 } } }}
    />
  );
}

function DeleteTerritory({
  id,
  name,
  onDeleted,
}: {
  id: number;
  name: string;
  onDeleted: () => void;
}): ReactNode {
  return (
    <DeleteButton
      text={fill(texts.territories.deleteText, { name })}
      binned
      onDelete={() => void deleteTerritory(id).then(onDeleted, () => undefined)}
    />
  );
}
