import { lazyPart } from "@routewright/web";
import type { ReactNode } from "react";
import { Navigate } from "react-router";

const settings = () => import("../organisation-settings/pages.tsx");
// Who opens a list does not wait for these.
const AccountPage = lazyPart(async () => (await import("../account/AccountPage.tsx")).AccountPage);
const BulkCreateJobs = lazyPart(
  async () => (await import("../delivery-management/bulk-jobs/BulkCreateJobs.tsx")).BulkCreateJobs,
);
const EventsAndActionsConfig = lazyPart(
  async () => (await import("../events-and-actions/ConfigPage.tsx")).EventsAndActionsConfig,
);
const KpiExport = lazyPart(async () => (await import("../exports/KpiExport.tsx")).KpiExport);
const CreateReturns = lazyPart(async () => (await import("../returns/CreateReturns.tsx")).CreateReturns);
const DeadLetters = lazyPart(async () => (await import("../platform/DeadLetters.tsx")).DeadLetters);
const SmsConfigurationPage = lazyPart(
  async () => (await import("../organisation-settings/SmsConfigurationPage.tsx")).SmsConfigurationPage,
);
const AppSettingsPage = lazyPart(async () => (await settings()).AppSettingsPage);
const DeliveryAndTracking = lazyPart(async () => (await settings()).DeliveryAndTracking);
const EtaAlertConfiguration = lazyPart(async () => (await settings()).EtaAlertConfiguration);
const OptimisationSettings = lazyPart(async () => (await settings()).OptimisationSettings);
const PasswordPolicyPage = lazyPart(async () => (await settings()).PasswordPolicyPage);
const ProofSettings = lazyPart(async () => (await settings()).ProofSettings);
const UnitsAndMeasurement = lazyPart(async () => (await settings()).UnitsAndMeasurement);

/** A page that is no list of records. */
export interface Page {
  /** Route below `/dashboard`; the side menu says who may open it. */
  path: string;
  element: ReactNode;
}

/** Every page that is no list of records, by its route in the side menu. */
export const PAGES: Page[] = [
  { path: "organisation_settings/optimisation_settings", element: <OptimisationSettings /> },
  { path: "organisation_settings/password_policy", element: <PasswordPolicyPage /> },
  { path: "organisation_settings/app_settings", element: <AppSettingsPage /> },
  { path: "organisation_settings/proof_settings", element: <ProofSettings /> },
  { path: "organisation_settings/eta_alert_configuration", element: <EtaAlertConfiguration /> },
  { path: "organisation_settings/delivery_and_tracking", element: <DeliveryAndTracking /> },
  { path: "organisation_settings/units_and_measurement", element: <UnitsAndMeasurement /> },
  { path: "organisation_settings/sms_configuration", element: <SmsConfigurationPage /> },
  { path: "events_and_actions/events_and_actions_config", element: <EventsAndActionsConfig /> },
  { path: "delivery_management/bulk_create_jobs", element: <BulkCreateJobs /> },
  { path: "returns/create_returns", element: <CreateReturns /> },
  { path: "exports/kpi_data_export", element: <KpiExport /> },
  { path: "platform/dead_letters", element: <DeadLetters /> },
  { path: "account", element: <AccountPage /> },
];

/** Second spellings of two routes. */
export const ALIASES: Page[] = [
  { path: "search_returns", element: <Navigate to="/returns/search_returns" replace /> },
  { path: "create_returns", element: <Navigate to="/returns/create_returns" replace /> },
];
