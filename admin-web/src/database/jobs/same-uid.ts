import { fill, type Page, request, texts } from "@routewright/web";
import { HttpError } from "react-admin";
import type { Fields } from "../../data/changes.ts";
import { ask } from "../../ui/Question.tsx";

/**
 * A job of the same scenario, or of the pool, that has the uid of a new one, where the user wants to change that one;
 * `null` makes a new job. Leaving the question saves nothing.
 */
export async function jobToChange({ uid, scenario_id: scenario }: Fields): Promise<number | null> {
  const query = { uid_exact: String(uid).trim(), per_page: 1 };
  const { data } =
    typeof scenario === "number"
      ? await request<Page<{ id: number }>>("/jobs", {
          query: { ...query, scenario_ids: [scenario] },
          quiet: true,
        })
      : await request<Page<{ id: number }>>("/jobs/pool", { query, quiet: true });
  const [found] = data;
  if (found === undefined) return null;
  const title = fill(texts.jobs.duplicateTitle, { uid: query.uid_exact });
  const { createNew, editExisting, duplicateText } = texts.jobs;
  const choice = await ask(title, duplicateText, [createNew, editExisting]);
  if (choice === null) throw new HttpError(title, 409);
  return choice === editExisting ? found.id : null;
}
