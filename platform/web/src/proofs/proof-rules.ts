import type { Proof, ProofMode, Reason } from "../model/index.ts";

/** Reasons that count as OK by their name. */
const OK_NAMES = new Set(["Loaded - OK", "Delivered - OK"]);

export type Stage = "load" | "deliver" | "pickup" | "at_depot";
export const STAGES: readonly Stage[] = ["load", "deliver", "pickup", "at_depot"];

/** A proof is OK without a reason, or with one that is OK. */
export function isOk(proof: Proof, reasons: ReadonlyMap<number, Reason>): boolean {
  if (proof.reason_id === null) return true;
  const reason = reasons.get(proof.reason_id);
  return reason !== undefined && (reason.ok || OK_NAMES.has(reason.name));
}

/** The stage that a mode belongs to; a return counts as at the depot. */
export function stageOf(mode: ProofMode | null): Stage | null {
  return mode === "return" ? "at_depot" : mode;
}

/** The latest proof of each stage by record time, and all older ones. */
export function latestByStage(proofs: readonly Proof[]): {
  latest: Partial<Record<Stage, Proof>>;
  older: Proof[];
} {
  const latest: Partial<Record<Stage, Proof>> = {};
  const older: Proof[] = [];
  const ordered = [...proofs].sort((a, b) => b.record_time.localeCompare(a.record_time) || b.id - a.id);
  for (const proof of ordered) {
    const stage = stageOf(proof.mode);
    if (stage === null) continue;
    if (latest[stage] === undefined) latest[stage] = proof;
    else older.push(proof);
  }
  return { latest, older };
}

export interface StageCount {
  done: number;
  total: number;
  exceptions: number;
}

/** Proofs of each unit and of each return, of those without any too. */
export interface ProofsOfItems {
  units: readonly (readonly Proof[])[];
  returns: readonly (readonly Proof[])[];
}

/** The proofs of every unit and return out of those of all. */
export function itemProofs(
  units: readonly { id: number }[],
  returns: readonly { id: number }[],
  unitProofs: readonly Proof[],
  returnProofs: readonly Proof[],
): ProofsOfItems {
  const [ofUnits, ofReturns] = [byItem(unitProofs, "unit_id"), byItem(returnProofs, "return_id")];
  return {
    units: units.map(({ id }) => ofUnits.get(id) ?? []),
    returns: returns.map(({ id }) => ofReturns.get(id) ?? []),
  };
}

/** How many items passed a stage, and how many of them with an exception. Returns are neither loaded nor unloaded. */
export function countStage(
  stage: Stage,
  { units, returns }: ProofsOfItems,
  reasons: ReadonlyMap<number, Reason>,
): StageCount {
  const items = stage === "load" || stage === "deliver" ? units : [...units, ...returns];
  let done = 0;
  let exceptions = 0;
  for (const proofs of items) {
    const ofStage = proofs.filter((proof) => stageOf(proof.mode) === stage);
    if (ofStage.length > 0) done += 1;
    if (ofStage.some((proof) => !isOk(proof, reasons))) exceptions += 1;
  }
  return { done, total: items.length, exceptions };
}

/** Proofs by the item they belong to. */
export function byItem(
  proofs: readonly Proof[],
  key: "unit_id" | "return_id" | "container_id" | "job_id",
): Map<number, Proof[]> {
  const map = new Map<number, Proof[]>();
  for (const proof of proofs) {
    const id = proof[key];
    if (id === null) continue;
    const list = map.get(id);
    if (list === undefined) map.set(id, [proof]);
    else list.push(proof);
  }
  return map;
}

/** The proof of a job that counts: the latest by record time. */
export function latestJobProof(proofs: readonly Proof[]): Proof | undefined {
  return [...proofs].sort((a, b) => b.record_time.localeCompare(a.record_time) || b.id - a.id)[0];
}
