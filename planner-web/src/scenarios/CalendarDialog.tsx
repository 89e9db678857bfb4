import NextIcon from "@mui/icons-material/ChevronRight";
import PreviousIcon from "@mui/icons-material/ChevronLeft";
import StarIcon from "@mui/icons-material/Star";
import {
  Box,
  Button,
  ButtonBase,
  IconButton,
  ToggleButton,
  ToggleButtonGroup,
  Typography,
} from "@mui/material";
import { dayjs, requestAll, type Scenario, texts, useLevel } from "@routewright/web";
import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { usePlanContext } from "../plan/context.ts";
import { openDialog } from "../plan/dialogs.ts";
import { keys } from "../plan/keys.ts";
import { Modal } from "../ui/Modal.tsx";
import { daysShown, type CalendarView } from "./calendar-days.ts";

const STAGE_COLOURS = { planning: "#5b7083", routing: "#1f6fb2", tracking: "#2a7d46" };

/** Scenarios by date; a click opens the details of one. */
export function CalendarDialog({ onClose }: { onClose: () => void }): ReactNode {
  const { scenario } = usePlanContext();
  const [view, setView] = useState<CalendarView>("month");
  const [anchor, setAnchor] = useState(scenario?.scheduled_date ?? dayjs().format("YYYY-MM-DD"));
  const writes = useLevel("scenarios_write");
  const days = daysShown(anchor, view);
  // The month's view asks for 7 days more on either side; other views lie within.
  const from = dayjs(anchor).startOf("month").subtract(7, "day").format("YYYY-MM-DD");
  const until = dayjs(anchor).endOf("month").add(7, "day").format("YYYY-MM-DD");
  const { data = [] } = useQuery({
    queryKey: [...keys.scenarios, "calendar", from, until],
    queryFn: () =>
      requestAll<Scenario>("/scenarios", { scheduled_date_start: from, scheduled_date_end: until }),
  });
  const move = (step: number): void => setAnchor(dayjs(anchor).add(step, view).format("YYYY-MM-DD"));
  return (
    <Modal
      title={texts.scenarios.calendar}
      width={1000}
      onClose={onClose}
      actions={
        writes && (
          <Button onClick={() => openDialog({ kind: "scenario", scenarioId: null })}>
            {texts.scenarios.addTitle}
          </Button>
        )
      }
    >
      <Box sx={{ display: "flex", alignItems: "center", gap: 1, mb: 1.5 }}>
        <IconButton aria-label={texts.common.back} onClick={() => move(-1)}>
          <PreviousIcon />
        </IconButton>
        <IconButton aria-label={texts.common.next} onClick={() => move(1)}>
          <NextIcon />
        </IconButton>
        <Button onClick={() => setAnchor(dayjs().format("YYYY-MM-DD"))}>{texts.scenarios.today}</Button>
        <Typography variant="h6" sx={{ flex: 1 }}>
          {dayjs(anchor).format(view === "day" ? "YYYY/MM/DD" : "MMMM YYYY")}
        </Typography>
        <ToggleButtonGroup
          exclusive
          size="small"
          value={view}
          onChange={(_, value: CalendarView | null) => setView(value ?? view)}
        >
          {(["month", "week", "day"] as const).map((name) => (
            <ToggleButton key={name} value={name} sx={{ textTransform: "none" }}>
              {texts.scenarios.views[name]}
            </ToggleButton>
          ))}
        </ToggleButtonGroup>
      </Box>
      <Box
        sx={{
          display: "grid",
          gridTemplateColumns: view === "day" ? "1fr" : "repeat(7, minmax(0, 1fr))",
          border: 1,
          borderColor: "divider",
          borderRadius: 1,
          overflow: "hidden",
        }}
      >
        {days.map((day) => (
          <Day
            key={day}
            day={day}
            inMonth={view !== "month" || day.slice(0, 7) === anchor.slice(0, 7)}
            scenarios={data.filter((item) => item.scheduled_date === day)}
            activeId={scenario?.id ?? null}
            onChoose={(id) => openDialog({ kind: "scenario-details", scenarioId: id })}
          />
        ))}
      </Box>
    </Modal>
  );
}

interface DayProps {
  day: string;
  inMonth: boolean;
  scenarios: readonly Scenario[];
  activeId: number | null;
  onChoose: (id: number) => void;
}

function Day({ day, inMonth, scenarios, activeId, onChoose }: DayProps): ReactNode {
  const today = day === dayjs().format("YYYY-MM-DD");
  return (
    <Box
      sx={{
        minHeight: 96,
        p: 0.5,
        borderRight: 1,
        borderBottom: 1,
        borderColor: "divider",
        bgcolor: inMonth ? "transparent" : "action.hover",
      }}
    >
      <Typography
        variant="caption"
        color={today ? "primary" : "textSecondary"}
        sx={{ fontWeight: today ? 700 : 400 }}
      >
        {dayjs(day).format("ddd D")}
      </Typography>
      {scenarios.map((item) => (
        <ButtonBase
          key={item.id}
          onClick={() => onChoose(item.id)}
          sx={{
            width: "100%",
            justifyContent: "flex-start",
            textAlign: "left",
            px: 0.75,
            py: 0.25,
            mb: 0.5,
            borderRadius: 0.5,
            color: "#fff",
            bgcolor: STAGE_COLOURS[item.stage],
            outline: item.id === activeId ? "2px solid" : "none",
            outlineColor: "text.primary",
          }}
        >
          <Typography variant="caption" noWrap sx={{ flex: 1 }}>
            {item.name} · {item.jobs_count}
          </Typography>
          {item.starred && <StarIcon sx={{ fontSize: 12 }} />}
        </ButtonBase>
      ))}
    </Box>
  );
}
