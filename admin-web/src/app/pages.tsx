import type { ReactNode } from "react";
import { Navigate } from "react-router";
import { AccountPage } from "../account/AccountPage.tsx";
import { BulkCreateJobs } from "../delivery-management/bulk-jobs/BulkCreateJobs.tsx";
import { EventsAndActionsConfig } from "../events-and-actions/ConfigPage.tsx";
import { KpiExport } from "../exports/KpiExport.tsx";
import { CreateReturns } from "../returns/CreateReturns.tsx";
import {
  AppSettingsPage,
  DeliveryAndTracking,
  EtaAlertConfiguration,
  OptimisationSettings,
  PasswordPolicyPage,
  ProofSettings,
  UnitsAndMeasurement,
} from "../organisation-settings/pages.tsx";
import { SmsConfigurationPage } from "../organisation-settings/SmsConfigurationPage.tsx";

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
  { path: "account", element: <AccountPage /> },
];

/** Second spellings of two routes. */
export const ALIASES: Page[] = [
  { path: "search_returns", element: <Navigate to="/returns/search_returns" replace /> },
  { path: "create_returns", element: <Navigate to="/returns/create_returns" replace /> },
];
