import { type Near, type Refusal, send, textOf, tokenOf } from "./send.ts";

interface Slots {
  days: { date: string; open: boolean; spans: { time_from: string; time_to: string }[] }[];
}

/** Asks for another day and time, of those on which somebody can come: they are fetched when the form is opened. */
export function livenReschedule(form: HTMLFormElement): void {
  const around = form.closest("details");
  around?.addEventListener("toggle", () => {
    if (around.open && form.dataset["filled"] === undefined) void fill(form);
  });
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    void ask(form);
  });
}

async function fill(form: HTMLFormElement): Promise<void> {
  const waiting = form.querySelector<HTMLElement>("[data-waiting]");
  const fields = form.querySelector("fieldset");
  const day = select(form, "date");
  if (waiting === null || fields === null || day === null) return;
  form.dataset["filled"] = "";
  try {
    const response = await fetch(`/api/jobs/tracking/${tokenOf(form)}/slots`);
    const answer = (await response.json()) as Slots & Refusal;
    if (!response.ok) throw new Error(answer.description);
    if (answer.days.length === 0) {
      waiting.textContent = form.dataset["none"] ?? "";
      return;
    }
    day.replaceChildren(...answer.days.map(({ date }) => new Option(dayText(date), date)));
    const show = (): void => showDay(form, answer, day.value);
    day.addEventListener("change", show);
    show();
    waiting.hidden = true;
    fields.disabled = false;
  } catch (error) {
    // Another try, when it is opened again.
    delete form.dataset["filled"];
    const said = error instanceof Error && !(error instanceof TypeError) ? error.message : "";
    waiting.textContent = said === "" ? (form.dataset["failed"] ?? "") : said;
  }
}

/** The times of a day: one of its spans, or any where nothing is planned yet. */
function showDay(form: HTMLFormElement, { days }: Slots, date: string): void {
  const day = days.find((one) => one.date === date);
  const open = day?.open !== false;
  form.querySelector<HTMLElement>("[data-open]")?.toggleAttribute("hidden", !open);
  form.querySelector<HTMLElement>("[data-planned]")?.toggleAttribute("hidden", open);
  const spans = (day?.spans ?? []).map(({ time_from: from, time_to: to }) => spanOption(from, to));
  select(form, "span")?.replaceChildren(new Option(form.dataset["any"], ""), ...spans);
}

function spanOption(from: string, to: string): HTMLOptionElement {
  return new Option(`${from} – ${to}`, `${from}/${to}`);
}

async function ask(form: HTMLFormElement): Promise<void> {
  const data = new FormData(form);
  const orNull = (text: string | undefined): string | null => text || null;
  const open = form.querySelector("[data-open]")?.hasAttribute("hidden") === false;
  const [from, to] = open
    ? [textOf(data, "time_from"), textOf(data, "time_to")]
    : textOf(data, "span").split("/");
  const near = form.querySelector<HTMLElement>(".near");
  near?.replaceChildren();
  const answer = await send<{ moved?: boolean }>(
    form,
    "POST",
    "reschedule",
    {
      date: textOf(data, "date"),
      time_from: orNull(from),
      time_to: orNull(to),
      note: orNull(textOf(data, "note")),
    },
    ({ moved }) => form.dataset[moved === true ? "moved" : "sent"] ?? "",
  );
  if (answer === null || !("nearest" in answer)) return;
  const choices = (answer.nearest ?? []).map((one) => choiceOf(form, one));
  if (choices.length === 0) return;
  const title = document.createElement("p");
  title.textContent = near?.dataset["title"] ?? "";
  near?.replaceChildren(title, ...choices);
}

/** A button that takes a time that is free. */
function choiceOf(form: HTMLFormElement, { date, time_from: from, time_to: to }: Near): HTMLButtonElement {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "plain";
  const times = from === null || to === null ? (form.dataset["any"] ?? "") : `${from} – ${to}`;
  button.textContent = `${dayText(date)}, ${times}`;
  button.addEventListener("click", () => {
    const day = select(form, "date");
    if (day === null) return;
    if (![...day.options].some(({ value }) => value === date)) day.add(new Option(dayText(date), date));
    day.value = date;
    day.dispatchEvent(new Event("change"));
    const span = select(form, "span");
    if (from === null || to === null || span === null) return;
    const value = `${from}/${to}`;
    if (![...span.options].some((option) => option.value === value)) span.add(spanOption(from, to));
    span.value = value;
  });
  return button;
}

function select(form: HTMLFormElement, name: string): HTMLSelectElement | null {
  return form.querySelector<HTMLSelectElement>(`select[name="${name}"]`);
}

const WEEKDAYS = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"];

/** `Wed 2026/11/25` */
function dayText(date: string): string {
  const weekday = WEEKDAYS[new Date(`${date}T00:00:00Z`).getUTCDay()] ?? "";
  return `${weekday} ${date.replaceAll("-", "/")}`;
}
