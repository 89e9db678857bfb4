import AddIcon from "@mui/icons-material/Add";
import { Alert, Box, Button, List, ListItemButton, ListItemText, TextField, Typography } from "@mui/material";
import {
  fill,
  messageOfError,
  ROUTE_PALETTE,
  type Territory,
  type TerritoryGroup,
  texts,
} from "@routewright/web";
import { type ReactNode, useState } from "react";
import { ColourField, Swatch } from "../fields/ColourField.tsx";
import { DeleteButton } from "../ui/DeleteButton.tsx";
import { FormButtons } from "./FormButtons.tsx";
import { deleteGroup, type GroupDraft, saveGroup } from "./save.ts";
import { TerritoryChoice } from "./TerritoryChoice.tsx";

interface GroupsTabProps {
  groups: readonly TerritoryGroup[];
  territories: readonly Territory[];
  writable: boolean;
}

/** Groups of territories, which scenarios name. */
export function GroupsTab({ groups, territories, writable }: GroupsTabProps): ReactNode {
  const [draft, setDraft] = useState<GroupDraft | null>(null);
  if (draft !== null) {
    return (
      <GroupForm
        draft={draft}
        territories={territories}
        writable={writable}
        onChange={setDraft}
        onClose={() => setDraft(null)}
      />
    );
  }
  const colour = ROUTE_PALETTE[groups.length % ROUTE_PALETTE.length] ?? ROUTE_PALETTE[0];
  return (
    <>
      {writable && (
        <Box sx={{ p: 1.5, pb: 0.5 }}>
          <Button
            startIcon={<AddIcon />}
            variant="contained"
            onClick={() => setDraft({ id: null, name: "", colour, territoryIds: [] })}
          >
            {texts.territories.newGroup}
          </Button>
        </Box>
      )}
      {groups.length === 0 && (
        <Typography color="textSecondary" sx={{ p: 2 }}>
          {texts.territories.emptyGroups}
        </Typography>
      )}
      <List aria-label={texts.territories.groups}>
        {groups.map((group) => (
          <ListItemButton
            key={group.id}
            divider
            onClick={() =>
              setDraft({
                id: group.id,
                name: group.name,
                colour: group.colour ?? ROUTE_PALETTE[2],
                territoryIds: group.territories.map(({ id }) => id),
              })
            }
            sx={{ gap: 1 }}
          >
            <Swatch colour={group.colour ?? ROUTE_PALETTE[2]} />
            <ListItemText
              primary={group.name}
              secondary={group.territories.map(({ name }) => name).join(", ") || texts.common.none}
            />
          </ListItemButton>
        ))}
      </List>
    </>
  );
}

interface GroupFormProps {
  draft: GroupDraft;
  territories: readonly Territory[];
  writable: boolean;
  onChange: (draft: GroupDraft) => void;
  onClose: () => void;
}

function GroupForm({ draft, territories, writable, onChange, onClose }: GroupFormProps): ReactNode {
  const [title] = useState(draft.name);
  const [checked, setChecked] = useState(false);
  const [working, setWorking] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const nameless = checked && draft.name.trim() === "";
  const run = async (work: () => Promise<void>): Promise<void> => {
    setWorking(true);
    setProblem(null);
    try {
      await work();
      onClose();
    } catch (error) {
      setProblem(messageOfError(error));
      setWorking(false);
    }
  };
  const { id } = draft;
  return (
    <Box
      component="form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        setChecked(true);
        if (draft.name.trim() !== "")
          void run(() => saveGroup(draft, (made) => onChange({ ...draft, id: made })));
      }}
      sx={{ display: "grid", gap: 2, p: 1.5 }}
    >
      <Typography component="h2" variant="h6">
        {id === null
          ? texts.territories.newGroup
          : fill(texts.territories.editGroup, { name: title || draft.name })}
      </Typography>
      <TextField
        autoFocus
        required
        disabled={!writable}
        label={texts.territories.name}
        value={draft.name}
        onChange={(event) => onChange({ ...draft, name: event.target.value })}
        error={nameless}
        helperText={nameless ? texts.checks.required : undefined}
      />
      <ColourField
        label={texts.territories.colour}
        disabled={!writable}
        value={draft.colour}
        onChange={(colour) => onChange({ ...draft, colour })}
      />
      <TerritoryChoice
        label={texts.territories.territoriesOf}
        disabled={!writable}
        options={territories}
        value={draft.territoryIds}
        onChange={(territoryIds) => onChange({ ...draft, territoryIds })}
      />
      {problem !== null && <Alert severity="error">{problem}</Alert>}
      <FormButtons writable={writable} working={working} onClose={onClose}>
        {id !== null && (
          <DeleteButton
            text={fill(texts.territories.deleteGroupText, { name: title })}
            onDelete={() => void run(() => deleteGroup(id))}
          />
        )}
      </FormButtons>
    </Box>
  );
}
