import PauseIcon from "@mui/icons-material/Pause";
import PlayIcon from "@mui/icons-material/PlayArrow";
import {
  Box,
  Button,
  Chip,
  IconButton,
  ToggleButton,
  ToggleButtonGroup,
  Tooltip,
  Typography,
} from "@mui/material";
import { type ReactNode, useCallback, useEffect, useRef, useState } from "react";
import { holds } from "../access/access.ts";
import { toastError } from "../feedback/toasts.ts";
import { messageOfError } from "../api/error.ts";
import { useSession } from "../session/store.ts";
import { fill, texts } from "../texts/index.ts";
import { clockText } from "../units/time.ts";
import { useOrganisationNow } from "./clock.ts";
import {
  leaveRehearsal,
  lookAtRehearsal,
  type Rehearsal,
  SPEEDS,
  turnClock,
  useMakesRehearsals,
} from "./rehearsal.ts";
import { StartAgainDialog } from "./StartAgainDialog.tsx";

/** Milliseconds between two looks: others may turn the clock as well. */
const LOOK = 5_000;
/** The same while the day is being planned. */
const LOOK_OFTEN = 1_000;

/** Says on every page that this is a rehearsal, shows its time, and turns its clock. */
export function RehearsalBar(): ReactNode {
  const [rehearsal, setRehearsal] = useRehearsal();
  const user = useSession((state) => state.user);
  const [again, setAgain] = useState(false);
  const makes = useMakesRehearsals();
  const turns = holds(user, "runs_write");
  const state = rehearsal?.state;
  const turn = (change: { speed?: number; paused?: boolean }): void => {
    void turnClock(change).then(setRehearsal, () => undefined);
  };
  return (
    <Box
      component="section"
      aria-label={texts.rehearsal.label}
      sx={{
        display: "flex",
        flexWrap: "wrap",
        alignItems: "center",
        columnGap: 1.5,
        rowGap: 0.25,
        px: 1.5,
        py: 0.25,
        color: "warning.contrastText",
        bgcolor: "warning.main",
        "& .MuiButtonBase-root": { color: "inherit" },
      }}
    >
      <Chip size="small" label={texts.rehearsal.banner} sx={{ fontWeight: 650, color: "inherit" }} />
      <Standing rehearsal={rehearsal} />
      {(state === "running" || state === "paused") && turns && (
        <Box sx={{ display: "flex", alignItems: "center", gap: 0.5 }}>
          <Tooltip title={state === "paused" ? texts.rehearsal.go : texts.rehearsal.pause}>
            <IconButton
              size="small"
              aria-label={state === "paused" ? texts.rehearsal.go : texts.rehearsal.pause}
              onClick={() => turn({ paused: state !== "paused" })}
            >
              {state === "paused" ? <PlayIcon fontSize="small" /> : <PauseIcon fontSize="small" />}
            </IconButton>
          </Tooltip>
          <ToggleButtonGroup
            size="small"
            exclusive
            value={rehearsal?.speed}
            aria-label={texts.rehearsal.speed}
            onChange={(_, speed: number | null) => speed !== null && turn({ speed })}
          >
            {SPEEDS.map((speed) => (
              <ToggleButton
                key={speed}
                value={speed}
                aria-label={fill(texts.rehearsal.speedOf, { n: speed })}
                sx={{
                  py: 0,
                  px: 1,
                  fontSize: 13,
                  textTransform: "none",
                  borderColor: "currentColor",
                  "&&.Mui-selected, &&.Mui-selected:hover": {
                    color: "warning.main",
                    bgcolor: "warning.contrastText",
                  },
                }}
              >
                {`×${speed}`}
              </ToggleButton>
            ))}
          </ToggleButtonGroup>
        </Box>
      )}
      <Box sx={{ ml: "auto", display: "flex" }}>
        {makes && (
          <Button size="small" onClick={() => setAgain(true)}>
            {texts.rehearsal.startAgain}
          </Button>
        )}
        <Button
          size="small"
          onClick={() => void leaveRehearsal().catch((error: unknown) => toastError(messageOfError(error)))}
        >
          {texts.rehearsal.leave}
        </Button>
      </Box>
      {again && <StartAgainDialog seed={rehearsal?.seed ?? null} close={() => setAgain(false)} />}
    </Box>
  );
}

/** What it is doing; its time while it runs. */
function Standing({ rehearsal }: { rehearsal: Rehearsal | null }): ReactNode {
  const zone = useSession((state) => state.user?.organisation.timezone ?? "UTC");
  const now = useOrganisationNow(60_000);
  if (rehearsal === null) return null;
  const { state, step, failure, seed } = rehearsal;
  const seedText = `${texts.rehearsal.seed} ${seed}`;
  if (state === "preparing") {
    return (
      <Typography variant="body2" role="status">
        {fill(texts.rehearsal.preparing, { step: step ?? texts.rehearsal.soon })}
      </Typography>
    );
  }
  if (state === "failed") {
    return (
      <Typography variant="body2" role="alert">
        {fill(texts.rehearsal.broken, { reason: failure ?? "" })}
      </Typography>
    );
  }
  return (
    <Typography variant="body2" component="p" sx={{ fontVariantNumeric: "tabular-nums" }}>
      <Box component="time" aria-label={texts.rehearsal.time} sx={{ fontWeight: 650, fontSize: 16, mr: 1 }}>
        {clockText(new Date(now).toISOString(), zone)}
      </Box>
      {state === "over" ? `${texts.rehearsal.over} · ${seedText}` : seedText}
    </Typography>
  );
}

/** The rehearsal that is worked in, looked at again and again. When its day is planned, the page shows it. */
function useRehearsal(): [Rehearsal | null, (rehearsal: Rehearsal) => void] {
  const [rehearsal, setRehearsal] = useState<Rehearsal | null>(null);
  const before = useRef<Rehearsal["state"] | null>(null);
  const take = useCallback((found: Rehearsal | null) => {
    const planned = before.current === "preparing" && found !== null && found.state !== "preparing";
    before.current = found?.state ?? null;
    if (planned && found.state !== "failed") window.location.assign("/");
    setRehearsal(found);
  }, []);
  const pause = rehearsal === null || rehearsal.state === "preparing" ? LOOK_OFTEN : LOOK;
  useEffect(() => {
    let left = false;
    const look = async (): Promise<void> => {
      const found = await lookAtRehearsal().catch(() => undefined);
      if (!left && found !== undefined) take(found);
    };
    void look();
    const timer = setInterval(() => void look(), pause);
    return () => {
      left = true;
      clearInterval(timer);
    };
  }, [pause, take]);
  return [rehearsal, take];
}
