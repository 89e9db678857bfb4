import {
  ApiError,
  dismissToast,
  type ProgressTexts,
  toastError,
  toastLoading,
  toastSuccess,
} from "@routewright/web";
import { openDialog } from "../plan/dialogs.ts";

/** What becomes of jobs that are linked to moved ones: they come along, or the links to them end. */
export type LinkedChoice = "take" | "unlink";

type Said<T> = Omit<ProgressTexts<T>, "loading"> & { loading?: string };

/**
 * Moves jobs under its toasts. Where linked jobs would stay behind, the planner is asked what becomes of them, and the move
 * is made with the answer. `null`: it failed, which the toast tells, or nobody wanted it.
 */
export async function withLinked<T>(
  move: (linked: { linked?: LinkedChoice }) => Promise<T>,
  said: Said<T>,
  choice: LinkedChoice | null = null,
): Promise<T | null> {
  const id = said.loading === undefined ? undefined : toastLoading(said.loading);
  const placing = id === undefined ? {} : { id };
  try {
    const answer = await move(choice === null ? {} : { linked: choice });
    toastSuccess(typeof said.success === "string" ? said.success : said.success(answer), placing);
    return answer;
  } catch (error) {
    const uids = linkedUidsOf(error);
    if (uids === null || choice !== null) {
      toastError(typeof said.failure === "string" ? said.failure : said.failure(error), placing);
      return null;
    }
    if (id !== undefined) dismissToast(id);
    const chosen = await new Promise<LinkedChoice | null>((resolve) =>
      openDialog({ kind: "linked-jobs", uids, act: resolve }),
    );
    return chosen === null ? null : withLinked(move, said, chosen);
  }
}

/** The jobs that would stay behind, if it is this that was refused. */
function linkedUidsOf(error: unknown): string[] | null {
  if (!(error instanceof ApiError) || error.code !== "LINKED_JOBS") return null;
  const { linked_jobs: jobs = [] } = error.body as { linked_jobs?: { uid: string }[] };
  return jobs.map(({ uid }) => uid);
}
