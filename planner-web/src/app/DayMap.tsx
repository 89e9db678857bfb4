import { useLevel } from "@routewright/web";
import { type ReactNode, useCallback, useState } from "react";
import { JobContextMenu, type MenuPlace } from "../jobs/JobContextMenu.tsx";
import { PlanMap } from "../map/PlanMap.tsx";
import { useMapSettings } from "../map/settings.ts";
import { moveJobsWithReason } from "../moves/moves.ts";
import { usePlanContext } from "../plan/context.ts";
import { useGpsPoints } from "../road/positions.ts";
import { useMayEdit } from "../ui/view.ts";
import { EmptyDay } from "./EmptyDay.tsx";

/** The map of the day: the tracked vehicles are on it, and a job on it has its menu. */
export function DayMap(): ReactNode {
  const driverHistory = useMapSettings((settings) => settings.driverHistory);
  const { latest, trail } = useGpsPoints(driverHistory);
  const [menu, setMenu] = useState<(MenuPlace & { id: number }) | null>(null);
  const openMenu = useCallback((id: number, x: number, y: number) => setMenu({ id, x, y }), []);
  const { scenarioId } = usePlanContext();
  const edits = useMayEdit();
  const moves = useLevel("runs_write") && edits && scenarioId !== null;
  const drop = (run_id: number, job_ids: number[]): void =>
    moveJobsWithReason(scenarioId ?? 0, { run_id, job_ids, seq: null, pool: false });
  return (
    <>
      <PlanMap positions={latest} trail={trail} onMenuJob={openMenu} onDropJobs={moves ? drop : undefined} />
      <EmptyDay />
      <JobContextMenu job={{ id: menu?.id ?? 0 }} place={menu} onClose={() => setMenu(null)} />
    </>
  );
}
