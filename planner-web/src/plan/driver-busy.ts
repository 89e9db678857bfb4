import { ApiError, fill, texts } from "@routewright/web";
import { openDialog } from "./dialogs.ts";

/** The refusal of two runs of one driver over the same hours. */
const DRIVER_BUSY = "DRIVER_BUSY";
/** For calls that may be refused with it. */
export const asksDriverBusy = { asks: [DRIVER_BUSY] } as const;

/** Acts; where a driver would have two runs over the same hours, only if the user means it. `null`: he does not. */
export async function unlessDriverBusy<T>(act: (force: boolean) => Promise<T>): Promise<T | null> {
  try {
    return await act(false);
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== DRIVER_BUSY) throw error;
    return (await means(error.message)) ? act(true) : null;
  }
}

function means(text: string): Promise<boolean> {
  return new Promise((answer) => {
    const { title, question, yes } = texts.runs.driverBusy;
    openDialog({ kind: "question", title, text: fill(question, { text }), yes, answer });
  });
}
