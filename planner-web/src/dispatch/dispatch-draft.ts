import { areEmails, type DispatchMethod, isPhone, phoneProblem, type Run, texts } from "@routewright/web";

/** One row of the dispatch table. */
export interface DispatchDraft {
  runId: number;
  driverId: number;
  uid: string;
  method: DispatchMethod;
  email: string;
  phone: string;
}

/** First method: the run's, the driver's, the organisation's, else email. */
export function firstMethod(run: Run, organisation: "email" | "sms" | undefined): DispatchMethod {
  const chosen = [run.preferred_method, run.driver.preferred_method, organisation].find(
    (method) => method != null,
  );
  if (chosen === "qr_code") return "qrcode";
  return chosen === "sms" ? "sms" : "email";
}

export function draftOf(run: Run, organisation: "email" | "sms" | undefined): DispatchDraft {
  return {
    runId: run.id,
    driverId: run.driver.id,
    uid: run.uid,
    method: firstMethod(run, organisation),
    email: run.email ?? run.driver.email ?? "",
    phone: run.phone_number ?? run.driver.phone_number ?? "",
  };
}

export function emailProblem(email: string): string | null {
  return email.trim() !== "" && areEmails(email) ? null : texts.checks.emailShort;
}

export function phoneProblemOf(phone: string): string | null {
  return isPhone(phone) ? null : phoneProblem;
}

/** Whether a row has what its method needs. */
export function isComplete({ method, email, phone }: DispatchDraft): boolean {
  if (method === "email") return emailProblem(email) === null;
  return method === "sms" ? phoneProblemOf(phone) === null : true;
}

/** Contact data that differs from the driver's and has to be saved before sending. */
export function contactChanges(
  drafts: readonly DispatchDraft[],
  runs: readonly Run[],
): {
  id: number;
  email: string | null;
  phone_number: string | null;
  preferred_method: "email" | "sms" | null;
}[] {
  const byId = new Map(runs.map((run) => [run.id, run]));
  return drafts.flatMap((draft) => {
    const driver = byId.get(draft.runId)?.driver;
    if (driver === undefined) return [];
    const email = draft.email.trim() === "" ? null : draft.email.trim();
    const phone = draft.phone.trim() === "" ? null : draft.phone.trim();
    const method = draft.method === "qrcode" ? driver.preferred_method : draft.method;
    const same =
      email === driver.email && phone === driver.phone_number && method === driver.preferred_method;
    // Data that is not valid is not saved either.
    if (same || (email !== null && !areEmails(email)) || (phone !== null && !isPhone(phone))) return [];
    return [{ id: driver.id, email, phone_number: phone, preferred_method: method }];
  });
}
