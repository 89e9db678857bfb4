import { fill, texts } from "@routewright/web";
import { OneSetting } from "../../inputs/OneSetting.tsx";

/** Days that are offered: a month, a quarter, half a year, one, two, five and ten years. */
const OFFERED = [30, 90, 180, 365, 730, 1825, 3650];

/** How long the organisation's audit trail is kept. */
export function KeptFor() {
  return (
    <OneSetting<number>
      label={texts.admin.audit.kept}
      choices={(now) =>
        [...new Set([...OFFERED, now])]
          .sort((one, other) => one - other)
          .map((days) => ({ value: days, text: fill(texts.admin.audit.days, { n: days }) }))
      }
      of={(settings) => settings.audit_retention_days}
      change={(days) => ({ audit_retention_days: days })}
    />
  );
}
