import { audit } from "./audit.ts";
import { choices } from "./choices.ts";
import { deletion } from "./deletion.ts";
import { fields } from "./fields.ts";
import { home } from "./home.ts";
import { menu } from "./menu.ts";
import { nouns } from "./nouns.ts";
import { pages } from "./pages.ts";
import { platform } from "./platform.ts";
import { settings } from "./settings.ts";
import { shared } from "./shared.ts";
import { account, shell } from "./shell.ts";

/** Texts of the organisation administrators' dashboard. */
export const admin = {
  ...pages,
  account,
  audit,
  choices,
  deletion,
  fields,
  home,
  menu,
  nouns,
  platform,
  settings,
  shared,
  shell,
};
