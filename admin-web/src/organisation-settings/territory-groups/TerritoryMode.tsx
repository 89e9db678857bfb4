import { texts } from "@routewright/web";
import { OneSetting } from "../../inputs/OneSetting.tsx";

const MODES = [
  { value: "off", text: texts.admin.territoryGroups.modeOff },
  { value: "prefer", text: texts.admin.territoryGroups.modePrefer },
  { value: "only", text: texts.admin.territoryGroups.modeOnly },
];

/** How the optimiser treats territories, for the whole organisation. */
export function TerritoryMode() {
  return (
    <OneSetting<string>
      label={texts.admin.territoryGroups.mode}
      choices={() => MODES}
      of={(settings) => settings.optimisation.territory_mode}
      change={(mode) => ({ optimisation: { territory_mode: mode } })}
    />
  );
}
