import type { Stored } from "./common.ts";
import type { ModuleKey, OrganisationSettings } from "./organisation.ts";

export interface Role {
  id: number;
  name: string;
  access_levels: string[];
  organisation_id?: number;
}

/** The signed-in user, as answered by login and `GET /auth/user`. */
export interface AuthUser {
  id: number;
  email: string;
  first_name: string | null;
  last_name: string | null;
  phone_number: string | null;
  role: Role;
  organisation: {
    id: number;
    name: string;
    modules: ModuleKey[];
    timezone: string;
    settings: OrganisationSettings;
    parent_organisation_id?: number | null;
  };
  active_scenario: number | null;
  personal_data_consent: boolean;
}

/** Access token, refresh token and the access token's expiry (ISO 8601). */
export interface Tokens {
  token: string;
  refresh_token: string;
  expires_at?: string;
}

export interface User extends Stored {
  email: string;
  first_name: string;
  last_name: string;
  phone_number: string | null;
  organisation_id: number;
  role_id: number;
  role?: Role;
  personal_data_consent: boolean;
  active_scenario: number | null;
  last_login?: string | null;
}

export interface PasswordPolicy extends Stored {
  min_length: number;
  require_uppercase: boolean;
  require_lowercase: boolean;
  require_digit: boolean;
  require_special: boolean;
  history: number;
  max_age_days: number | null;
  lockout_attempts: number;
  lockout_minutes: number;
}
