import { type Job, texts } from "@routewright/web";

/** Address of a customer's tracking page. */
export function trackingUrl(token: string): string {
  return `${window.location.origin}/tracking?tokens=${encodeURIComponent(token)}`;
}

/** Header and one row per job of the tracking export. */
export function trackingRows(jobs: readonly Job[]): string[][] {
  const { uid, customer, phone, email, token, url } = texts.tracking.columns;
  return [
    [uid, customer, phone, email, token, url],
    ...jobs.map((job) => [
      job.uid,
      job.customer_name ?? "",
      job.phone_number ?? "",
      job.customer_email ?? "",
      job.tracking_token,
      trackingUrl(job.tracking_token),
    ]),
  ];
}

/** The export as CSV. Cells that a spreadsheet would run as a formula get a leading apostrophe. */
export function trackingCsv(jobs: readonly Job[]): string {
  const lines = trackingRows(jobs).map((row) => row.map(csvCell).join(","));
  return `\uFEFF${lines.join("\r\n")}\r\n`;
}

function csvCell(value: string): string {
  const safe = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
