import { ApiError, ASKED_AFTER, questionAfter } from "@routewright/web";
import { openDialog } from "./dialogs.ts";

/** The refusal of two runs of one driver over the same hours. */
const DRIVER_BUSY = "DRIVER_BUSY";
/** For calls that may be refused with it. */
export const asksDriverBusy = { asks: [DRIVER_BUSY] } as const;

/** For calls that may be refused with one of them. */
export const asksWhetherMeant = { asks: ASKED_AFTER } as const;

/** Acts; where a value is unusual, only if the user means it. `null`: he does not. */
export async function ifMeant<T>(act: (force: boolean) => Promise<T>): Promise<T | null> {
  try {
    return await act(false);
  } catch (error) {
    return (await means(error)) ? act(true) : null;
  }
}

/** Acts; where a driver would have two runs over the same hours, only if the user means it. `null`: he does not. */
export async function unlessDriverBusy<T>(act: (force: boolean) => Promise<T>): Promise<T | null> {
  try {
    return await act(false);
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== DRIVER_BUSY) throw error;
    return (await means(error)) ? act(true) : null;
  }
}

/** Whether the user means what was refused; what nobody can mean is thrown on. */
function means(error: unknown): Promise<boolean> {
  const asked = questionAfter(error);
  if (asked === null) throw error;
  return new Promise((answer) => openDialog({ kind: "question", ...asked, answer }));
}
