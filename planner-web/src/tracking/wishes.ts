import { send } from "./send.ts";

/** Tells the driver something. */
export function livenWishes(form: HTMLFormElement): void {
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    void tell(form);
  });
}

/** Sends what was changed alone: what stands there may be masked. */
async function tell(form: HTMLFormElement): Promise<void> {
  const body: Record<string, string> = {};
  const fields = [...form.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>("input, textarea")];
  for (const field of fields) {
    if (field.value.trim() !== field.defaultValue.trim()) body[field.name] = field.value.trim();
  }
  const answer = await send(form, "PUT", "instructions", body, () => form.dataset["sent"] ?? "");
  if (answer === null || !form.hasAttribute("data-done")) return;
  for (const field of fields) field.defaultValue = field.value;
}
