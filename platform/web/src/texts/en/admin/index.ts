import { choices } from "./choices.ts";
import { fields } from "./fields.ts";
import { menu } from "./menu.ts";
import { nouns } from "./nouns.ts";
import { pages } from "./pages.ts";
import { settings } from "./settings.ts";
import { shared } from "./shared.ts";
import { account, shell } from "./shell.ts";

/** Texts of the organisation administrators' dashboard. */
export const admin = { ...pages, account, choices, fields, menu, nouns, settings, shared, shell };
