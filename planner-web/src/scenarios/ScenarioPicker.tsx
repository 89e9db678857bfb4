import AddIcon from "@mui/icons-material/Add";
import CalendarIcon from "@mui/icons-material/CalendarMonthOutlined";
import CopyIcon from "@mui/icons-material/ContentCopyOutlined";
import DeleteIcon from "@mui/icons-material/DeleteOutlined";
import EditIcon from "@mui/icons-material/EditOutlined";
import ExpandIcon from "@mui/icons-material/ExpandMore";
import ReportIcon from "@mui/icons-material/AssessmentOutlined";
import StarIcon from "@mui/icons-material/Star";
import StarOutlineIcon from "@mui/icons-material/StarBorder";
import {
  Box,
  Button,
  Divider,
  IconButton,
  List,
  ListItem,
  ListItemButton,
  ListItemText,
  Popover,
  TextField,
  Tooltip,
  Typography,
} from "@mui/material";
import { fill, type Page, request, type Scenario, scenarioDateText, texts, useLevel } from "@routewright/web";
import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { useScenarioContext } from "../plan/context.ts";
import { openDialog } from "../plan/dialogs.ts";
import { keys } from "../plan/keys.ts";
import { useDebounced } from "../ui/use-debounced.ts";
import { useView } from "../ui/view.ts";
import { toggleStar } from "./star.ts";

/** Shows the active scenario; opens the list of scenarios. */
export function ScenarioPicker(): ReactNode {
  const { scenario, scenarioId, error, activate } = useScenarioContext();
  const loading = scenario === null && scenarioId !== null && error === null;
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const close = (): void => setAnchor(null);
  return (
    <>
      <Button
        color="inherit"
        endIcon={<ExpandIcon />}
        onClick={(event) => setAnchor(event.currentTarget)}
        aria-haspopup="dialog"
        sx={{ textAlign: "left", minWidth: 0, maxWidth: 300 }}
      >
        <Box sx={{ minWidth: 0 }}>
          <Typography variant="subtitle2" noWrap>
            {loading ? texts.common.loading : (scenario?.name ?? texts.scenarios.choose)}
          </Typography>
          <Typography variant="caption" color="textSecondary" component="div" noWrap>
            {scenario !== null
              ? scenarioDateText(scenario.scheduled_date)
              : loading
                ? ""
                : texts.scenarios.none}
          </Typography>
        </Box>
      </Button>
      <Popover
        open={anchor !== null}
        anchorEl={anchor}
        onClose={close}
        anchorOrigin={{ vertical: "bottom", horizontal: "left" }}
      >
        <ScenarioList
          activeId={scenario?.id ?? null}
          onChoose={(id) => {
            close();
            activate(id);
          }}
          onLeave={close}
        />
      </Popover>
    </>
  );
}

interface ScenarioListProps {
  activeId: number | null;
  onChoose: (id: number) => void;
  onLeave: () => void;
}

function ScenarioList({ activeId, onChoose, onLeave }: ScenarioListProps): ReactNode {
  const [search, setSearch] = useState("");
  const asked = useDebounced(search, 300);
  const writes = useLevel("scenarios_write");
  const map = useView() === "map";
  const { data } = useQuery({
    queryKey: [...keys.scenarios, "picker", asked],
    queryFn: () =>
      request<Page<Scenario>>("/scenarios", {
        query: { search: asked, per_page: 50, sort_by: "scheduled_date", sort_order: "desc" },
      }),
  });
  const open = (act: () => void) => () => {
    onLeave();
    act();
  };
  return (
    <Box sx={{ width: 360 }}>
      <Box sx={{ p: 1.5, display: "flex", gap: 1 }}>
        <TextField
          autoFocus
          placeholder={texts.scenarios.search}
          value={search}
          onChange={(event) => setSearch(event.target.value)}
          slotProps={{ htmlInput: { "aria-label": texts.scenarios.search } }}
        />
        <Tooltip title={texts.scenarios.calendar}>
          <IconButton
            aria-label={texts.scenarios.calendar}
            onClick={open(() => openDialog({ kind: "calendar" }))}
          >
            <CalendarIcon fontSize="small" />
          </IconButton>
        </Tooltip>
      </Box>
      <List sx={{ maxHeight: 360, overflow: "auto", py: 0 }}>
        {(data?.data ?? []).map((item) => (
          <ListItem
            key={item.id}
            disablePadding
            secondaryAction={writes && map ? <StarButton scenario={item} /> : undefined}
          >
            <ListItemButton selected={item.id === activeId} onClick={() => onChoose(item.id)}>
              <ListItemText
                primary={item.name}
                secondary={`${scenarioDateText(item.scheduled_date)} · ${texts.scenarios.stages[item.stage]} · ${fill(
                  texts.scenarios.jobsCount,
                  { n: item.jobs_count },
                )}`}
              />
            </ListItemButton>
          </ListItem>
        ))}
        {data?.data.length === 0 && (
          <Typography sx={{ p: 2 }} color="textSecondary">
            {texts.common.noResults}
          </Typography>
        )}
      </List>
      {writes && map && (
        <>
          <Divider />
          <Box sx={{ p: 1, display: "flex", gap: 0.5 }}>
            <Button
              startIcon={<AddIcon />}
              onClick={open(() => openDialog({ kind: "scenario", scenarioId: null }))}
              sx={{ mr: "auto" }}
            >
              {texts.scenarios.addTitle}
            </Button>
            {activeId !== null && <ActiveScenarioButtons id={activeId} open={open} />}
          </Box>
        </>
      )}
    </Box>
  );
}

function ActiveScenarioButtons({
  id,
  open,
}: {
  id: number;
  open: (act: () => void) => () => void;
}): ReactNode {
  const buttons = [
    {
      label: texts.scenarios.progressReport,
      Icon: ReportIcon,
      act: () => window.open(`/progress-report/${id}`, "_blank", "noopener"),
    },
    {
      label: texts.scenarios.editTitle,
      Icon: EditIcon,
      act: () => openDialog({ kind: "scenario", scenarioId: id }),
    },
    {
      label: texts.scenarios.duplicate,
      Icon: CopyIcon,
      act: () => openDialog({ kind: "duplicate-scenario", scenarioId: id }),
    },
    {
      label: texts.scenarios.deleteTitle,
      Icon: DeleteIcon,
      act: () => openDialog({ kind: "delete-scenario", scenarioId: id }),
    },
  ];
  return buttons.map(({ label, Icon, act }) => (
    <Tooltip key={label} title={label}>
      <IconButton aria-label={label} onClick={open(act)}>
        <Icon fontSize="small" />
      </IconButton>
    </Tooltip>
  ));
}

function StarButton({ scenario }: { scenario: Scenario }): ReactNode {
  const label = scenario.starred ? texts.scenarios.unstar : texts.scenarios.star;
  return (
    <IconButton aria-label={label} onClick={() => void toggleStar(scenario)}>
      {scenario.starred ? (
        <StarIcon fontSize="small" color="warning" />
      ) : (
        <StarOutlineIcon fontSize="small" />
      )}
    </IconButton>
  );
}
