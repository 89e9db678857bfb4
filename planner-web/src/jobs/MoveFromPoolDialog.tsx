import { Autocomplete, Button, TextField } from "@mui/material";
import { fill, type Page, request, type Scenario, scenarioDateText, texts } from "@routewright/web";
import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { usePlanContext } from "../plan/context.ts";
import { keys } from "../plan/keys.ts";
import { Modal } from "../ui/Modal.tsx";
import { useDebounced } from "../ui/use-debounced.ts";
import { moveManyFromPool } from "./pool.ts";

interface MoveFromPoolDialogProps {
  jobIds: readonly number[];
  onClose: () => void;
  onMoved: () => void;
}

/** Takes the marked jobs of the pool into a scenario, the active one unless another is chosen. */
export function MoveFromPoolDialog({ jobIds, onClose, onMoved }: MoveFromPoolDialogProps): ReactNode {
  const { scenario } = usePlanContext();
  const [chosen, setChosen] = useState<Scenario | null>(scenario);
  const [text, setText] = useState("");
  const [working, setWorking] = useState(false);
  const asked = useDebounced(text, 500);
  const { data, isFetching } = useQuery({
    queryKey: [...keys.scenarios, "choice", asked],
    queryFn: () => request<Page<Scenario>>("/scenarios", { query: { search: asked, per_page: 20 } }),
  });
  const move = async (): Promise<void> => {
    if (chosen === null) return;
    setWorking(true);
    const moved = await moveManyFromPool(jobIds, chosen.id);
    setWorking(false);
    if (moved) onMoved();
  };
  return (
    <Modal
      title={fill(texts.jobs.moveMarkedTitle, { n: jobIds.length })}
      width={440}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{texts.common.cancel}</Button>
          <Button
            variant="contained"
            disabled={chosen === null}
            loading={working}
            onClick={() => void move()}
          >
            {texts.jobs.moveToScenario}
          </Button>
        </>
      }
    >
      <Autocomplete<Scenario>
        sx={{ pt: 0.5 }}
        options={data?.data ?? []}
        value={chosen}
        loading={isFetching}
        getOptionLabel={({ name, scheduled_date: date }) => `${name} · ${scenarioDateText(date)}`}
        getOptionKey={({ id }) => id}
        isOptionEqualToValue={(option, value) => option.id === value.id}
        filterOptions={(all) => all}
        noOptionsText={texts.common.noResults}
        onInputChange={(_, next, reason) => {
          if (reason === "input") setText(next);
        }}
        onChange={(_, next) => setChosen(next)}
        renderInput={(parameters) => <TextField {...parameters} label={texts.scenarios.scenario} />}
      />
    </Modal>
  );
}
