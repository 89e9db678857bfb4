import { ApiError } from "@routewright/web";
import { expect, it, vi } from "vitest";
import { closeAllDialogs, useDialogs } from "./dialogs.ts";
import { unlessDriverBusy } from "./driver-busy.ts";

const busy = new ApiError(409, {
  error: "DRIVER_BUSY",
  description: "The driver has run Ana from 08:00 to 12:00 in this scenario already",
});

/** Refuses the first call as long as it is not meant. */
function act(): ReturnType<typeof vi.fn<(force: boolean) => Promise<string>>> {
  return vi.fn((force: boolean) => (force ? Promise.resolve("done") : Promise.reject(busy)));
}

async function question(): Promise<{ text: string; answer: (yes: boolean) => void }> {
  return vi.waitFor(() => {
    const dialog = useDialogs.getState().open.at(-1);
    if (dialog?.kind !== "question") throw new Error("nothing is asked");
    return dialog;
  });
}

it("W-007: a driver's second run over the same hours is asked about, and forced on yes", async () => {
  const call = act();
  const done = unlessDriverBusy(call);
  const { text, answer } = await question();
  expect(text).toContain("The driver has run Ana from 08:00 to 12:00");
  answer(true);
  expect(await done).toBe("done");
  expect(call.mock.calls).toEqual([[false], [true]]);
  closeAllDialogs();
});

it("W-007: on no nothing is sent again; other refusals are not asked about", async () => {
  const call = act();
  const done = unlessDriverBusy(call);
  (await question()).answer(false);
  expect(await done).toBeNull();
  expect(call.mock.calls).toEqual([[false]]);
  closeAllDialogs();
  const other = new ApiError(409, { error: "PLAN_CHANGED" });
  await expect(unlessDriverBusy(() => Promise.reject(other))).rejects.toBe(other);
  expect(useDialogs.getState().open).toEqual([]);
});
