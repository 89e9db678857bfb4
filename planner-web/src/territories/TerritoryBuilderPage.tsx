import AddIcon from "@mui/icons-material/Add";
import BackIcon from "@mui/icons-material/ArrowBack";
import { Alert, Box, Button, LinearProgress, Tab, Tabs, Typography } from "@mui/material";
import {
  Guard,
  type Job,
  Mark,
  messageOfError,
  type Territory,
  texts,
  toastWarning,
  fill,
  toastError,
  toastSuccess,
  useLevel,
  useWidth,
} from "@routewright/web";
import { type ReactNode, useEffect, useMemo, useRef, useState } from "react";
import { Link as RouterLink, Navigate } from "react-router";
import { boundsOf } from "../map/features.ts";
import { fitMap } from "../map/fit.ts";
import { usePlan, useTerritories, useTerritoryGroups } from "../plan/queries.ts";
import { useActiveScenario } from "../plan/active-scenario.ts";
import { draftOf, newDraft, type TerritoryDraft } from "./draft.ts";
import type { Tool } from "./drawing.ts";
import { partsOf, splitGeometry } from "./geometry.ts";
import { GroupsTab } from "./GroupsTab.tsx";
import { splitTerritory } from "./save.ts";
import { TerritoryForm, type ToolName } from "./TerritoryForm.tsx";
import { TerritoryList } from "./TerritoryList.tsx";
import { TerritoryMap } from "./TerritoryMap.tsx";

/** Draws, edits and splits territories, and puts them into groups and under drivers. */
export function TerritoryBuilderPage(): ReactNode {
  return (
    <Guard levels={["territories_read"]} fallback={<Navigate to="/" replace />}>
      <Builder />
    </Guard>
  );
}

const NO_JOBS: readonly Job[] = [];

function Builder(): ReactNode {
  const { data: territories, error, isPending } = useTerritories();
  const { data: groups = [] } = useTerritoryGroups();
  const { id: scenarioId } = useActiveScenario();
  const { plan } = usePlan(scenarioId);
  const jobs = scenarioId === null ? NO_JOBS : plan.jobs;
  const writable = useLevel("territories_write");
  const phone = useWidth() === "mobile";
  const [tab, setTab] = useState(0);
  const [draft, setDraft] = useState<TerritoryDraft | null>(null);
  const [toolName, setToolName] = useState<ToolName>("none");
  const all = useMemo(() => territories ?? [], [territories]);
  const change = (part: Partial<TerritoryDraft>): void =>
    setDraft((current) => (current === null ? null : { ...current, ...part }));
  const close = (): void => {
    setDraft(null);
    setToolName("none");
  };
  const open = (territory: Territory): void => {
    setTab(0);
    setDraft(draftOf(territory, groups));
    setToolName("none");
    fitMap(
      boundsOf(
        partsOf(territory.geometry)
          .flat(2)
          .map(([lon, lat]) => ({ lat, lon })),
      ),
    );
  };
  const tool = useTool({ draft, name: toolName, change, setName: setToolName, groups, close });
  const shown = useShown(all, draft, toolName);
  return (
    <Box sx={{ height: "100%", display: "flex", flexDirection: "column" }}>
      <Head />
      <Box sx={{ flex: 1, minHeight: 0, display: "flex", flexDirection: phone ? "column-reverse" : "row" }}>
        <Box
          component="aside"
          aria-label={texts.territories.title}
          sx={{
            width: phone ? "auto" : 400,
            height: phone ? "55%" : "auto",
            flex: "none",
            overflow: "auto",
            bgcolor: "background.paper",
            borderRight: phone ? 0 : 1,
            borderTop: phone ? 1 : 0,
            borderColor: "divider",
          }}
        >
          {isPending && <LinearProgress aria-label={texts.common.loading} />}
          {error !== null && <Alert severity="error">{messageOfError(error)}</Alert>}
          {draft === null && (
            <Tabs value={tab} onChange={(_, value: number) => setTab(value)} variant="fullWidth">
              <Tab label={texts.territories.list} />
              <Tab label={texts.territories.groups} />
            </Tabs>
          )}
          {draft !== null && (
            <TerritoryForm
              key={draft.id ?? "new"}
              draft={draft}
              stored={all.find(({ id }) => id === draft.id)}
              groups={groups}
              tool={toolName}
              writable={writable}
              onChange={change}
              onTool={setToolName}
              onClose={close}
            />
          )}
          {draft === null && tab === 0 && (
            <>
              {writable ? (
                <Box sx={{ p: 1.5, pb: 0 }}>
                  <Button
                    variant="contained"
                    startIcon={<AddIcon />}
                    onClick={() => {
                      setDraft(newDraft(all.length));
                      setToolName("draw");
                    }}
                  >
                    {texts.territories.draw}
                  </Button>
                </Box>
              ) : (
                <Alert severity="info">{texts.territories.readOnly}</Alert>
              )}
              <TerritoryList territories={all} jobs={jobs} loading={isPending} onOpen={open} />
            </>
          )}
          {draft === null && tab === 1 && <GroupsTab groups={groups} territories={all} writable={writable} />}
        </Box>
        <TerritoryMap
          territories={shown}
          jobs={jobs}
          tool={tool}
          onOpen={(id) => {
            const territory = all.find((item) => item.id === id);
            if (territory !== undefined && draft === null) open(territory);
          }}
        />
      </Box>
    </Box>
  );
}

interface ToolParts {
  draft: TerritoryDraft | null;
  name: ToolName;
  groups: Parameters<typeof splitTerritory>[2];
  change: (part: Partial<TerritoryDraft>) => void;
  setName: (name: ToolName) => void;
  close: () => void;
}

/** What the pointer does on the map. The same tool stays in the hand while the draft's other fields change. */
function useTool({ draft, name, groups, change, setName, close }: ToolParts): Tool {
  // Once taken, the editor holds the shape itself.
  const [taken, setTaken] = useState<{ key: string; tool: Tool }>({ key: "none", tool: { kind: "none" } });
  const latest = useRef({ draft, groups });
  useEffect(() => {
    latest.current = { draft, groups };
  });
  const key = name === "none" || draft === null ? "none" : `${name}-${draft.id ?? "new"}`;
  if (taken.key !== key) setTaken({ key, tool: toolOf() });
  return taken.key === key ? taken.tool : toolOf();

  function toolOf(): Tool {
    if (draft === null || name === "none") return { kind: "none" };
    if (name === "draw") {
      return {
        kind: "draw",
        onDrawn: (geometry) => {
          change({ geometry });
          setName("edit");
        },
      };
    }
    const { geometry } = draft;
    if (geometry === null) return { kind: "none" };
    if (name === "edit")
      return { kind: "edit", geometry, onChange: (edited) => change({ geometry: edited }) };
    return {
      kind: "split",
      onLine: (from, to) => {
        const { draft: now, groups: known } = latest.current;
        setName("none");
        if (now === null) return;
        const halves = splitGeometry(now.geometry ?? geometry, from, to);
        if (halves === null) {
          toastWarning(texts.territories.splitMissed);
          return;
        }
        void splitTerritory(now, halves, known).then(
          () => {
            toastSuccess(fill(texts.territories.splitDone, { name: now.name }));
            close();
          },
          (error: unknown) => toastError(messageOfError(error)),
        );
      },
    };
  }
}

/** The stored territories with the draft in its place; while its shape is edited the editor shows it. */
function useShown(
  territories: readonly Territory[],
  draft: TerritoryDraft | null,
  tool: ToolName,
): readonly Territory[] {
  return useMemo(() => {
    if (draft === null) return territories;
    const others = territories.filter(({ id }) => id !== draft.id);
    if (draft.geometry === null || tool === "edit") return others;
    const shape = { geometry: draft.geometry, colour: draft.colour, name: draft.name };
    const stored = territories.find(({ id }) => id === draft.id);
    const blank = { id: 0, uid: null, driver_ids: [], organisation_id: 0, created: "", modified: "" };
    return [...others, { ...(stored ?? blank), ...shape }];
  }, [territories, draft, tool]);
}

function Head(): ReactNode {
  return (
    <Box
      component="header"
      sx={{
        display: "flex",
        alignItems: "center",
        gap: 1.5,
        px: 1.5,
        minHeight: 52,
        bgcolor: "background.paper",
        borderBottom: 1,
        borderColor: "divider",
      }}
    >
      <Mark size={28} />
      <Typography component="h1" variant="h6" sx={{ flex: 1 }}>
        {texts.territories.title}
      </Typography>
      <Button component={RouterLink} to="/" startIcon={<BackIcon />}>
        {texts.common.toMap}
      </Button>
    </Box>
  );
}
