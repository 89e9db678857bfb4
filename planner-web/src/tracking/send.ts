/** Sends the forms of the customer's page. */

/** What the service says when it refuses. */
export interface Refusal {
  description?: string;
  code?: string;
  fields?: Record<string, string>;
  nearest?: Near[];
}

/** A time that could be asked for instead; `null`: any of the day. */
export interface Near {
  date: string;
  time_from: string | null;
  time_to: string | null;
}

/** The token of the delivery that a form belongs to. */
export function tokenOf(form: HTMLFormElement): string {
  return encodeURIComponent(form.closest<HTMLElement>("[data-token]")?.dataset["token"] ?? "");
}

export function textOf(data: FormData, name: string): string {
  const value = data.get(name);
  return typeof value === "string" ? value.trim() : "";
}

/** Sends a form as JSON and says in it what came of it; answers what the service said. */
export async function send<T extends object>(
  form: HTMLFormElement,
  method: "POST" | "PUT",
  path: string,
  body: object,
  done: (answer: T) => string,
): Promise<T | Refusal | null> {
  const told = form.querySelector<HTMLElement>("[role=status]");
  const button = form.querySelector("button");
  if (told === null || button === null) return null;
  button.disabled = true;
  told.removeAttribute("data-tone");
  told.textContent = "";
  try {
    const response = await fetch(`/api/jobs/tracking/${tokenOf(form)}/${path}`, {
      method,
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(body),
    });
    const answer = (await response.json()) as T | Refusal;
    told.textContent = response.ok ? done(answer as T) : reasonOf(answer);
    told.dataset["tone"] = response.ok ? "good" : "bad";
    form.toggleAttribute("data-done", response.ok);
    return answer;
  } catch {
    told.textContent = form.dataset["failed"] ?? "";
    told.dataset["tone"] = "bad";
    return null;
  } finally {
    button.disabled = false;
  }
}

function reasonOf(answer: Refusal): string {
  return Object.values(answer.fields ?? {})[0] ?? answer.description ?? "";
}
