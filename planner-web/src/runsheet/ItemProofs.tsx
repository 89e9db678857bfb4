import { fill, type ProofMode, type RunsheetJob, texts, toastError } from "@routewright/web";
import { lazy, type ReactNode, Suspense, useState } from "react";
import { Button } from "../phone/Button.tsx";
import type { RecordContent } from "./record.ts";

/** Reading codes is fetched when somebody scans. */
const Scanner = lazy(async () => ({ default: (await import("./Scanner.tsx")).Scanner }));

/** What was recorded for each unit (`unit-{id}`), container (`container-{id}`) and return (`return-{id}`). */
export type ItemMarks = Record<string, ProofMode>;

const UNIT_MODES: readonly ProofMode[] = ["load", "deliver", "pickup", "at_depot"];
const RETURN_MODES: readonly ProofMode[] = ["pickup", "at_depot"];

interface Item {
  key: string;
  uid: string;
  modes: readonly ProofMode[];
  /** What one tap means. */
  usual: ProofMode;
}

function itemsOf(job: RunsheetJob): Item[] {
  const loads = { modes: UNIT_MODES, usual: "deliver" } as const;
  return [
    ...job.units.map(({ id, uid }) => ({ key: `unit-${id}`, uid, ...loads })),
    ...job.containers.map(({ id, uid }) => ({ key: `container-${id}`, uid, ...loads })),
    ...job.returns.map(({ id, uid }) => ({
      key: `return-${id}`,
      uid,
      modes: RETURN_MODES,
      usual: "pickup" as const,
    })),
  ];
}

interface ItemProofsProps {
  job: RunsheetJob;
  marks: ItemMarks;
  /** Why they cannot stay as they are. */
  error: string | null;
  onChange: (marks: ItemMarks) => void;
}

/** Units, containers and returns of the stop: all with one tap, by scanning, or one by one. */
export function ItemProofs({ job, marks, error, onChange }: ItemProofsProps): ReactNode {
  const [scanning, setScanning] = useState(false);
  const items = itemsOf(job);
  if (items.length === 0) return null;
  const done = items.filter(({ key }) => marks[key] !== undefined).length;
  const scanned = (code: string): void => {
    const item = items.find(({ uid }) => uid.toLowerCase() === code.trim().toLowerCase());
    if (item === undefined) toastError(fill(texts.runsheet.unknownCode, { code }));
    else onChange({ ...marks, [item.key]: marks[item.key] ?? item.usual });
  };
  const mark = (key: string, mode: string): void => {
    const others = Object.fromEntries(Object.entries(marks).filter(([other]) => other !== key));
    onChange(mode === "" ? others : { ...others, [key]: mode as ProofMode });
  };
  return (
    <div className="ph-stack">
      <h3 className={error === null ? undefined : "ph-error"}>
        {texts.runsheet.units} / {texts.runsheet.returns} {done}/{items.length}
      </h3>
      <div className="ph-row">
        <Button
          kind="outlined"
          grow
          onClick={() => {
            const usual = items.map(({ key, usual: mode }) => [key, marks[key] ?? mode] as const);
            onChange(Object.fromEntries(usual));
          }}
        >
          {texts.runsheet.allItems}
        </Button>
        <Button kind="outlined" icon="scan" grow onClick={() => setScanning(true)}>
          {texts.runsheet.scan}
        </Button>
      </div>
      {scanning && (
        <Suspense fallback={null}>
          <Scanner onCode={scanned} onClose={() => setScanning(false)} />
        </Suspense>
      )}
      {items.map(({ key, uid, modes }) => (
        <label key={key} className="ph-item">
          <span>{uid}</span>
          <select
            className="ph-select"
            value={marks[key] ?? ""}
            onChange={(event) => mark(key, event.target.value)}
          >
            <option value="">–</option>
            {modes.map((mode) => (
              <option key={mode} value={mode}>
                {texts.runsheet.unitModes[mode]}
              </option>
            ))}
          </select>
        </label>
      ))}
    </div>
  );
}

/** The proofs of the marked items as a record takes them. */
export function itemParts(job: RunsheetJob, marks: ItemMarks, place: object): RecordContent {
  const parts: Required<Pick<RecordContent, "unit_proofs" | "return_proofs" | "container_proofs">> = {
    unit_proofs: [],
    return_proofs: [],
    container_proofs: [],
  };
  for (const [key, mode] of Object.entries(marks)) {
    const [kind = "", id = ""] = key.split("-");
    const item = kind === "unit" || kind === "container" ? kind : "return";
    parts[`${item}_proofs`].push({
      [`${item}_id`]: Number(id),
      job_id: job.id,
      mode,
      success: true,
      ...place,
    });
  }
  return parts;
}
