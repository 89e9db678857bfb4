import type { Refined, Schemas } from "./schemas.ts";
import type { ModuleKey, OrganisationSettings } from "./organisation.ts";

export type Role = Schemas["Role"];

/** The signed-in user, as answered by login and `GET /auth/user`. */
export type AuthUser = Refined<
  Omit<Schemas["AuthUser"], "token" | "refresh_token" | "expires_at">,
  {
    organisation: {
      id: number;
      name: string;
      modules: ModuleKey[];
      timezone: string;
      settings: OrganisationSettings;
      parent_organisation_id?: number | null;
      is_master?: boolean;
      /** What makes it a rehearsal. */
      rehearsal?: Schemas["Rehearsing"] | null;
    };
  }
>;

/** Access token, refresh token and the access token's expiry (ISO 8601). */
export type Tokens = Schemas["SessionTokens"];

export type User = Schemas["User"];

export type PasswordPolicy = Schemas["PasswordPolicy"];
