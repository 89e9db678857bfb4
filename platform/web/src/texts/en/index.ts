import { addresses } from "./addresses.ts";
import { admin } from "./admin/index.ts";
import { checks, common, errors, success } from "./common.ts";
import { bills } from "./bills.ts";
import { contact } from "./contact.ts";
import { dispatch } from "./dispatch.ts";
import { messages } from "./messages.ts";
import { drivers } from "./drivers.ts";
import { evidence } from "./evidence.ts";
import { imports } from "./imports.ts";
import { attachments, jobs } from "./jobs.ts";
import { live } from "./live.ts";
import { map } from "./map.ts";
import { modules } from "./modules.ts";
import { optimise } from "./optimise.ts";
import { problems } from "./problems.ts";
import { presence } from "./presence.ts";
import { proofs } from "./proofs.ts";
import { rehearsal } from "./rehearsal.ts";
import { requests } from "./requests.ts";
import { runs } from "./runs.ts";
import { runsheet } from "./runsheet.ts";
import { scenarios } from "./scenarios.ts";
import { commands, steps } from "./steps.ts";
import { settings } from "./settings.ts";
import { session } from "./session.ts";
import { territories } from "./territories.ts";
import { timeline } from "./timeline.ts";
import { tracking } from "./tracking.ts";
import { tutorial } from "./tutorial.ts";
import { units } from "./units.ts";

export const en = {
  addresses,
  admin,
  attachments,
  bills,
  checks,
  commands,
  common,
  contact,
  dispatch,
  messages,
  drivers,
  errors,
  evidence,
  imports,
  jobs,
  live,
  map,
  modules,
  optimise,
  problems,
  presence,
  proofs,
  rehearsal,
  requests,
  runs,
  runsheet,
  scenarios,
  session,
  steps,
  settings,
  success,
  territories,
  timeline,
  tracking,
  tutorial,
  units,
};
