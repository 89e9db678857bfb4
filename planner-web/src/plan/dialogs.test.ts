import { beforeEach, describe, expect, it } from "vitest";
import {
  beginInspecting,
  closeAllDialogs,
  closeInspected,
  type DialogState,
  endInspecting,
  openDialog,
  useDialogs,
} from "./dialogs.ts";

const details: DialogState = { kind: "job-details", jobId: 1 };
const run: DialogState = { kind: "run", runId: 2 };
const form: DialogState = { kind: "job", jobId: 1 };

/** W-113 */
describe("dialogs and the inspector", () => {
  beforeEach(() => useDialogs.setState({ open: [], inspected: undefined }));

  it("are dialogs alone while there is no inspector", () => {
    openDialog(details);
    openDialog(run);
    expect(useDialogs.getState()).toMatchObject({ open: [details, run], inspected: undefined });
  });

  it("give the inspector what is open, and take it back when it goes", () => {
    openDialog(details);
    beginInspecting();
    expect(useDialogs.getState()).toMatchObject({ open: [], inspected: details });
    openDialog(run);
    expect(useDialogs.getState()).toMatchObject({ open: [], inspected: run });
    endInspecting();
    expect(useDialogs.getState()).toMatchObject({ open: [run], inspected: undefined });
  });

  it("cover the inspector with everything else, and with details that are opened from there", () => {
    beginInspecting();
    openDialog(run);
    openDialog({ kind: "job", jobId: null });
    openDialog(details);
    expect(useDialogs.getState()).toMatchObject({
      open: [{ kind: "job", jobId: null }, details],
      inspected: run,
    });
    closeAllDialogs();
    expect(useDialogs.getState()).toMatchObject({ open: [], inspected: null });
  });

  it("come back to a job's details after it was edited", () => {
    beginInspecting();
    openDialog(details);
    openDialog(form);
    closeInspected();
    expect(useDialogs.getState().inspected).toEqual(details);
    closeInspected();
    expect(useDialogs.getState().inspected).toBeNull();
  });
});
