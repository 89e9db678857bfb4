import DeleteIcon from "@mui/icons-material/Delete";
import {
  Alert,
  Box,
  Button,
  Dialog,
  DialogActions,
  DialogContent,
  DialogContentText,
  DialogTitle,
  Skeleton,
} from "@mui/material";
import { fill, messageOfError, refusedOf, texts, toastSuccess } from "@routewright/web";
import { useState } from "react";
import {
  Button as ToolbarButton,
  type Identifier,
  type RaRecord,
  useDataProvider,
  useGetMany,
  useListContext,
  useRefresh,
  useUnselect,
} from "react-admin";
import { type Noun, represent } from "../data/noun.ts";

/** Deletes the chosen rows, all or none, after their names were read. */
export function DeleteSelected({ noun }: { noun: Noun }) {
  const { selectedIds } = useListContext();
  // What was chosen when the question was put: the list may change behind it.
  const [asked, setAsked] = useState<Identifier[] | null>(null);
  return (
    <>
      <ToolbarButton
        label={texts.common.delete}
        color="error"
        disabled={selectedIds.length === 0}
        onClick={() => setAsked(selectedIds)}
      >
        <DeleteIcon />
      </ToolbarButton>
      {asked && <DeleteMany noun={noun} asked={asked} onClose={() => setAsked(null)} />}
    </>
  );
}

function DeleteMany({ noun, asked, onClose }: { noun: Noun; asked: Identifier[]; onClose: () => void }) {
  const words = texts.admin.deletion;
  const provider = useDataProvider();
  const refresh = useRefresh();
  const unselect = useUnselect(noun.name);
  const { data, isPending } = useGetMany<RaRecord>(noun.name, { ids: asked });
  const [refused, setRefused] = useState<ReadonlyMap<Identifier, string>>(new Map());
  const [problem, setProblem] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const names = new Map(data?.map((record) => [record.id, represent(noun, record)]));
  const nameOf = (id: Identifier) => names.get(id) ?? `#${id}`;
  const going = asked.filter((id) => !refused.has(id));
  const staying = asked.filter((id) => refused.has(id));

  async function remove(): Promise<void> {
    setBusy(true);
    setProblem(null);
    try {
      await provider.deleteMany(noun.name, { ids: going });
      toastSuccess(fill(words.done, { n: going.length }));
      unselect(going);
      refresh();
      onClose();
    } catch (error) {
      const reasons = refusedOf(error);
      if (reasons.length === 0) setProblem(messageOfError(error));
      setRefused(new Map([...refused, ...reasons.map(({ id, reason }) => [id, reason] as const)]));
      setBusy(false);
    }
  }
  const title = fill(going.length === 1 ? words.titleOne : words.title, {
    n: going.length,
    noun: noun.singular.toLowerCase(),
    nouns: noun.plural.toLowerCase(),
  });
  return (
    <Dialog open onClose={onClose} aria-labelledby="delete-many" fullWidth maxWidth="sm">
      <DialogTitle id="delete-many">{going.length === 0 ? words.none : title}</DialogTitle>
      <DialogContent sx={{ display: "grid", gap: 2 }}>
        {isPending && <Skeleton variant="rounded" height={72} aria-label={texts.common.loading} />}
        {!isPending && going.length > 0 && (
          <Names label={words.going} names={going.map((id) => ({ id, name: nameOf(id) }))} />
        )}
        {staying.length > 0 && (
          <>
            <DialogContentText>{words.staying}</DialogContentText>
            <Names
              label={words.staying}
              names={staying.map((id) => ({ id, name: nameOf(id), reason: refused.get(id) ?? "" }))}
            />
          </>
        )}
        {noun.binned && going.length > 0 && <DialogContentText>{texts.common.binned}</DialogContentText>}
        {problem !== null && <Alert severity="error">{problem}</Alert>}
      </DialogContent>
      <DialogActions>
        <Button onClick={onClose}>{going.length === 0 ? texts.common.close : texts.common.cancel}</Button>
        {going.length > 0 && (
          <Button
            variant="contained"
            color="error"
            loading={busy}
            disabled={isPending}
            onClick={() => void remove()}
          >
            {staying.length > 0 ? words.others : texts.common.delete}
          </Button>
        )}
      </DialogActions>
    </Dialog>
  );
}

function Names({
  label,
  names,
}: {
  label: string;
  names: { id: Identifier; name: string; reason?: string }[];
}) {
  return (
    <Box
      component="ul"
      aria-label={label}
      tabIndex={0}
      sx={{ m: 0, pl: 3, maxHeight: "36vh", overflowY: "auto", overflowWrap: "anywhere" }}
    >
      {names.map(({ id, name, reason }) => (
        <li key={id}>
          {name}
          {reason !== undefined && (
            <Box component="span" sx={{ color: "text.secondary" }}>
              {` – ${reason}`}
            </Box>
          )}
        </li>
      ))}
    </Box>
  );
}
