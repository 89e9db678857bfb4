import EvidenceIcon from "@mui/icons-material/FactCheckOutlined";
import RequestsIcon from "@mui/icons-material/EventRepeatOutlined";
import ImportIcon from "@mui/icons-material/FileUploadOutlined";
import MailIcon from "@mui/icons-material/ForwardToInboxOutlined";
import OptimiseIcon from "@mui/icons-material/AltRouteOutlined";
import SendIcon from "@mui/icons-material/SendOutlined";
import { fill, texts, useLevel } from "@routewright/web";
import type { ReactNode } from "react";
import { useEvidence } from "../evidence/evidence.ts";
import { useScenarioContext } from "../plan/context.ts";
import { openDialog } from "../plan/dialogs.ts";
import { useRequests } from "../requests/requests.ts";
import { useView } from "../ui/view.ts";

export interface Action {
  /** What the tutorial calls it. */
  name: string;
  label: string;
  icon: ReactNode;
  act: () => void;
  shown: boolean;
  disabled?: boolean;
  primary?: boolean;
}

/** What a planner may do with the active scenario. */
export function useActions(): Action[] {
  const { scenario, hasRuns } = useScenarioContext();
  const view = useView();
  const writesJobs = useLevel("jobs_write");
  const writesRuns = useLevel("runs_write");
  const optimises = useLevel("optimisation_view_read");
  const writesProofs = useLevel("proofs_write");
  const evidence = useEvidence(writesProofs);
  const requests = useRequests(writesJobs);
  const editing = view === "map" && scenario !== null;
  const stage = scenario?.stage ?? "planning";
  const actions: Action[] = [
    {
      name: "import",
      label: texts.imports.button,
      icon: <ImportIcon fontSize="small" />,
      act: () => openDialog({ kind: "import-jobs" }),
      shown: editing && writesJobs && stage === "planning",
    },
    {
      name: "optimise",
      label: texts.optimise.button,
      icon: <OptimiseIcon fontSize="small" />,
      act: () => openDialog({ kind: "optimise" }),
      shown: editing && writesRuns && optimises && stage !== "tracking",
      primary: true,
    },
    {
      name: "tracking-links",
      label: texts.tracking.sendTitle,
      icon: <MailIcon fontSize="small" />,
      act: () => openDialog({ kind: "tracking-links" }),
      shown: editing && writesJobs && stage !== "planning",
    },
    {
      name: "evidence",
      label: fill(texts.evidence.button, { n: evidence.length }),
      icon: <EvidenceIcon fontSize="small" />,
      act: () => openDialog({ kind: "evidence" }),
      shown: writesProofs && evidence.length > 0,
    },
    {
      name: "requests",
      label: fill(texts.requests.button, { n: requests.length }),
      icon: <RequestsIcon fontSize="small" />,
      act: () => openDialog({ kind: "requests" }),
      shown: writesJobs && requests.length > 0,
    },
    {
      name: "dispatch",
      label: texts.dispatch.button,
      icon: <SendIcon fontSize="small" />,
      act: () => openDialog({ kind: "dispatch" }),
      shown: editing && writesRuns && stage !== "planning",
      disabled: !hasRuns,
      primary: stage === "tracking",
    },
  ];
  return actions.filter((action) => action.shown);
}
