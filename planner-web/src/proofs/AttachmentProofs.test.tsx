import {
  type AuthUser,
  type ModuleKey,
  type Proof,
  type Reason,
  useSession,
  type ViewName,
} from "@routewright/web";
import { freshRoot } from "@routewright/web/testing";
import { act, type ComponentProps } from "react";
import type { Root } from "react-dom/client";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { AttachmentProofs } from "./AttachmentProofs.tsx";

type Props = ComponentProps<typeof AttachmentProofs>;

const created = "2026-07-01T06:00:00Z";
const proof = (part: object): Proof =>
  ({
    id: 1,
    mode: "deliver",
    reason_id: null,
    record_time: "2026-07-01 09:00:00",
    success: true,
    photos: [],
    signature: null,
    signature_name: null,
    age_check: null,
    pin_ok: null,
    distance: null,
    device: null,
    missing: null,
    comments: null,
    lat: null,
    lon: null,
    ...part,
  }) as unknown as Proof;
const job = {
  uid: "J1",
  customer_name: "Padaria Flor",
  location: { address: "Rua do Almada 3, Porto", lat: 41.15, lon: -8.61 },
  timezone: "Europe/Lisbon",
  units: [
    { id: 1, uid: "U-100", created, container_id: 5 },
    { id: 2, uid: "U-200", created, container_id: null },
  ],
  returns: [{ id: 3, uid: "R-300", created }],
} as unknown as Props["job"];
const proofs = {
  job_proofs: [],
  run_proofs: [],
  unit_proofs: [
    proof({ id: 1, unit_id: 1, mode: "load", record_time: "2026-07-01 07:00:00" }),
    proof({
      id: 2,
      unit_id: 1,
      mode: "deliver",
      comments: "at the gate",
      record_time: "2026-07-01 09:00:00",
    }),
    proof({
      id: 3,
      unit_id: 1,
      mode: "deliver",
      comments: "nobody there",
      record_time: "2026-07-01 08:00:00",
    }),
  ],
  return_proofs: [proof({ id: 4, return_id: 3, mode: "pickup", record_time: "2026-07-01 09:30:00" })],
  container_proofs: [proof({ id: 5, container_id: 5, mode: "at_depot", record_time: "2026-07-01 10:00:00" })],
} as unknown as Props["proofs"];
const reasons = new Map<number, Reason>();

describe("proofs of what belongs to a job", () => {
  let root: Root;

  beforeEach(() => {
    root = freshRoot();
  });
  afterEach(() => {
    act(() => root.unmount());
    useSession.setState({ user: null });
  });

  function show(modules: ModuleKey[], view: ViewName = "map"): void {
    const user = { role: { access_levels: [] }, organisation: { modules } } as unknown as AuthUser;
    act(() => {
      useSession.setState({ user: view === "tracking" ? null : user });
      root.render(<AttachmentProofs job={job} proofs={proofs} reasons={reasons} view={view} />);
    });
  }
  const all = (selector: string): string[] =>
    [...document.querySelectorAll(selector)].map(({ textContent }) => textContent);
  function press(selector: string, text: string): void {
    const found = [...document.querySelectorAll<HTMLElement>(selector)].find(
      (one) => one.textContent === text,
    );
    if (found === undefined) throw new Error(`there is no ${text}`);
    act(() => found.click());
  }
  const dialog = (): string => document.querySelector('[role="dialog"]')?.textContent ?? "";
  /** Steps of the timeline, each with whether it is done. */
  const steps = (): [string, boolean][] =>
    [...document.querySelectorAll(".MuiStep-root")].map((step) => [
      step.querySelector(".MuiStepLabel-label")?.firstChild?.textContent ?? "",
      step.classList.contains("Mui-completed"),
    ]);

  it("X-127, X-128, X-129, X-456: a tab for each module; all but containers in the tracking view", () => {
    show(["units", "returns", "containers"]);
    expect(all('[role="tab"]')).toEqual(["Units", "Returns", "Containers"]);
    show(["returns"]);
    expect(all('[role="tab"]')).toEqual(["Returns"]);
    show([], "tracking");
    expect(all('[role="tab"]')).toEqual(["Units", "Returns"]);
    show([]);
    expect(all('[role="tab"]')).toEqual([]);
  });

  it("X-130, X-131: items are found by uid, each has its details", () => {
    show(["units"]);
    expect(all("tr")).toEqual(["U-100Proof Details", "U-200Proof Details"]);
    const search = document.querySelector("input");
    act(() => {
      // React hears a change only when the page's own setter was used.
      Reflect.set(HTMLInputElement.prototype, "value", "u-2", search);
      search?.dispatchEvent(new Event("input", { bubbles: true }));
    });
    expect(all("tr")).toEqual(["U-200Proof Details"]);
  });

  it("X-141, X-151, X-344 to X-349: a unit's proof with its timeline; older proofs are folded away", () => {
    show(["units"]);
    press("button", "Proof Details");
    expect(dialog()).toContain("Unit Proof – U-100");
    expect(dialog()).toContain("Unit Timeline");
    expect(steps()).toEqual([
      ["Created", true],
      ["Loaded", true],
      ["Unloaded", true],
      ["Pick-up", false],
      ["At depot", false],
    ]);
    const folded = [...document.querySelectorAll(".MuiAccordion-root")].find((part) =>
      part.textContent.startsWith("Older Proofs"),
    );
    expect(folded?.querySelector('[aria-expanded="false"]')).not.toBeNull();
    expect(folded?.textContent).toContain("nobody there");
    expect(folded?.textContent).not.toContain("at the gate");
  });

  it("X-132 to X-135: a container's proof names the unit and counts for it", () => {
    show(["containers"]);
    expect(all("tr")).toEqual(["U-100Proof Details"]);
    press("button", "Proof Details");
    for (const text of ["Container Proof – U-100", "Unit Timeline", "Unit Proof"]) {
      expect(dialog()).toContain(text);
    }
    expect(steps().at(-1)).toEqual(["At depot", true]);
    const buttons = all('[role="dialog"] .MuiDialogActions-root button');
    expect(buttons).toEqual(["Open Job Proofs", "Close"]);
  });

  it("X-136 to X-140, X-350 to X-352: a return's proof with its job and its timeline", () => {
    show(["returns"]);
    press("button", "Proof Details");
    for (const text of ["Return Proof – R-300", "J1", "Padaria Flor", "Rua do Almada 3, Porto"]) {
      expect(dialog()).toContain(text);
    }
    for (const text of ["Show Job Proof", "Return Timeline", "Return Proof"])
      expect(dialog()).toContain(text);
    expect(steps()).toEqual([
      ["Created", true],
      ["Pick-up", true],
      ["At depot", false],
    ]);
  });
});
