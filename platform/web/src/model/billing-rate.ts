/** Money per run, kilometre, hour and drop, in the organisation's currency. */
export interface BillingRate {
  id: number;
  name: string;
  cost_per_run: number;
  cost_per_km: number;
  cost_per_hour: number;
  cost_per_drop: number;
  currency?: string;
  organisation_id?: number;
}
