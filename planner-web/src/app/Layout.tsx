import { Box } from "@mui/material";
import { lazyPart, useWidth } from "@routewright/web";
import { memo, type ReactNode, Suspense } from "react";
import { useScenarioContext } from "../plan/context.ts";
import { useSelection } from "../plan/selection.ts";
import { useDock } from "../ui/dock.ts";
import { useUiSettings } from "../settings/ui-settings.ts";
import { OptimisationBar } from "../optimise/OptimisationBar.tsx";
import { useTutorial } from "../tutorial/state.ts";
import { ResizeHandle } from "../timeline/ResizeHandle.tsx";
import { useTimelineView } from "../timeline/state.ts";
import { Timeline } from "../timeline/Timeline.tsx";
import { useShortcuts } from "../commands/use-shortcuts.ts";
import { DayMap } from "./DayMap.tsx";
import { Dialogs } from "./Dialogs.tsx";
import { Inspector } from "./Inspector.tsx";
import { PanelTabs } from "./PanelTabs.tsx";
import { PlanProblem } from "./PlanProblem.tsx";
import { MAIN_ID, SkipLink } from "./SkipLink.tsx";
import { SidePanel } from "./SidePanel.tsx";
import { SupportChat } from "./SupportChat.tsx";
import { TopBar } from "./TopBar.tsx";

const Tutorial = lazyPart(async () => (await import("../tutorial/Tutorial.tsx")).Tutorial);

/** The map is the home: panels and timeline lie around it. Each part draws itself anew when the plan changes. */
export const Layout = memo(function Layout(): ReactNode {
  const { hasRuns } = useScenarioContext();
  const timelineOpen = useSelection((state) => state.timelineOpen);
  const panel = useSelection((state) => state.panel);
  const vertical = useUiSettings((ui) => ui["panels.orientation"] === "vertical");
  const thinScrollbars = useUiSettings((ui) => ui["ui.customScrollbars"]);
  const width = useWidth();
  const phone = width === "mobile";
  const inspects = useDock(({ beside }) => beside) && width === "desktop";
  const share = useTimelineView((view) => view.size);
  const learning = useTutorial((state) => state.step !== null);
  useShortcuts();
  const showTimeline = timelineOpen && hasRuns && !phone;
  return (
    <Box
      sx={{
        height: "100%",
        display: "flex",
        flexDirection: "column",
        ...(thinScrollbars ? { "& *": { scrollbarWidth: "thin" } } : {}),
      }}
    >
      <SkipLink />
      <TopBar />
      <PlanProblem />
      <Box sx={{ flex: 1, minHeight: 0, display: "flex", flexDirection: phone ? "column" : "row" }}>
        {!phone && <PanelTabs orientation="vertical" />}
        {panel !== null && <SidePanel phone={phone} />}
        <Box
          sx={{
            flex: 1,
            minWidth: 0,
            display: phone && panel !== null ? "none" : "flex",
            flexDirection: vertical ? "row" : "column",
          }}
        >
          <Box
            component="main"
            id={MAIN_ID}
            tabIndex={-1}
            sx={{ flex: 1, minHeight: 0, minWidth: 0, position: "relative", outline: "none" }}
          >
            {!(phone && panel !== null) && <DayMap />}
            <OptimisationBar />
          </Box>
          {showTimeline && (
            <Box
              data-tutorial="timeline"
              sx={{
                flex: "none",
                position: "relative",
                bgcolor: "background.paper",
                borderColor: "divider",
                ...(vertical
                  ? { minWidth: 260, borderLeft: 1, borderLeftColor: "divider" }
                  : { minHeight: 150, borderTop: 1, borderTopColor: "divider" }),
              }}
              style={vertical ? { width: `${share}%` } : { height: `${share}%` }}
            >
              <ResizeHandle vertical={vertical} />
              <Timeline />
            </Box>
          )}
        </Box>
        {inspects && <Inspector />}
        {phone && <PanelTabs orientation="horizontal" />}
      </Box>
      <Dialogs />
      {learning && (
        <Suspense fallback={null}>
          <Tutorial />
        </Suspense>
      )}
      <SupportChat />
    </Box>
  );
});
