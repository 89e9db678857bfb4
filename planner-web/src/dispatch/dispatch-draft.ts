import { areEmails, arePhones, type DispatchMethod, phoneProblem, type Run, texts } from "@routewright/web";
import { textOrNull } from "../fields/text.ts";

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
  return arePhones(phone) ? null : phoneProblem;
}

/** Whether a row has what its method needs. */
export function isComplete({ method, email, phone }: DispatchDraft): boolean {
  if (method === "email") return emailProblem(email) === null;
  return method === "sms" ? phoneProblemOf(phone) === null : true;
}

/** Contact data of a driver as it is saved before sending. */
export interface ContactChange {
  id: number;
  email: string | null;
  phone_number: string | null;
  preferred_method: "email" | "sms" | null;
}

/** An address or number that a run has of its own, beside its driver's. */
export interface OwnContactChange {
  id: number;
  email?: string | null;
  phone_number?: string | null;
}

export interface ContactChanges {
  drivers: ContactChange[];
  runs: OwnContactChange[];
}

/** Contact data that was changed in the table and has to be saved before sending; what is not valid is not saved. */
export function contactChanges(
  drafts: readonly DispatchDraft[],
  runs: readonly Run[],
  organisation: "email" | "sms" | undefined,
): ContactChanges {
  const byId = new Map(runs.map((run) => [run.id, run]));
  const changes: ContactChanges = { drivers: [], runs: [] };
  for (const draft of drafts) {
    const run = byId.get(draft.runId);
    if (run === undefined) continue;
    const shown = draftOf(run, organisation);
    const email = textOrNull(draft.email);
    const phone = textOrNull(draft.phone);
    const mailed = email !== textOrNull(shown.email) && (email === null || areEmails(email));
    const called = phone !== textOrNull(shown.phone) && (phone === null || arePhones(phone));
    const { driver } = run;
    const own = {
      ...(mailed && run.email !== driver.email ? { email } : {}),
      ...(called && run.phone_number !== driver.phone_number ? { phone_number: phone } : {}),
    };
    if (Object.keys(own).length > 0) changes.runs.push({ id: run.id, ...own });
    const method = draft.method === shown.method || draft.method === "qrcode" ? null : draft.method;
    const drivers: ContactChange = {
      id: driver.id,
      email: mailed && own.email === undefined ? email : driver.email,
      phone_number: called && own.phone_number === undefined ? phone : driver.phone_number,
      preferred_method: method ?? driver.preferred_method,
    };
    const same =
      drivers.email === driver.email &&
      drivers.phone_number === driver.phone_number &&
      drivers.preferred_method === driver.preferred_method;
    if (!same) changes.drivers.push(drivers);
  }
  return changes;
}
