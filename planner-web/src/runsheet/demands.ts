import type { Runsheet, RunsheetJob } from "@routewright/web";

export type Demand = "optional" | "warn" | "required";
export type Part = "photo" | "signature" | "scan" | "pin" | "note" | "age_check";

/** What a stop's proof has to have; `null` is not even asked for. */
export type Demands = Record<Part, Demand | null>;

const PARTS: readonly Part[] = ["photo", "signature", "scan", "pin", "note", "age_check"];
/** An attempt that failed has nobody who could give them. */
const OF_DELIVERIES: readonly Part[] = ["signature", "scan", "pin", "age_check"];

/** What is set for the job, and where nothing is what the older settings say. A sheet that was kept by an older page has none. */
export function demandsOf(job: RunsheetJob, pod: Runsheet["settings"]["pod_settings"]): Demands {
  const set = (job as { demands?: Partial<Demands> }).demands ?? {};
  const older = (required: boolean): Demand => (required ? "required" : "optional");
  return {
    photo: set.photo ?? older(pod.photo_required),
    signature: set.signature ?? older(pod.signature_required),
    scan: set.scan ?? older(pod.unit_scan_required),
    pin: set.pin ?? null,
    note: set.note ?? "optional",
    age_check: set.age_check ?? null,
  };
}

/** Parts that are wanted so much and are not there. */
export function lacking(
  demands: Demands,
  demand: Demand,
  given: Readonly<Record<Part, boolean>>,
  success: boolean,
): Part[] {
  return PARTS.filter(
    (part) => demands[part] === demand && !given[part] && (success || !OF_DELIVERIES.includes(part)),
  );
}
