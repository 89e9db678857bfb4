import { answer, api, quietApi } from "../api/client.ts";
import type { Schemas } from "../model/schemas.ts";
import { enterOrganisation, leaveOrganisation } from "../session/session.ts";
import { hasPlainAccess } from "../access/access.ts";
import { useSession } from "../session/store.ts";
import { setOrganisationClock } from "./clock.ts";

export type Rehearsal = Schemas["Rehearsal"];

/** Speeds that can be chosen: simulated seconds in a real one. */
export const SPEEDS = [1, 5, 15, 60] as const;

/** Largest seed. */
export const LARGEST_SEED = 999_999;

/** The rehearsal of the own organisation, or the one that is worked in; `null` without one. */
export async function currentRehearsal(): Promise<Rehearsal | null> {
  return (await answer(quietApi.GET("/rehearsal"))).rehearsal ?? null;
}

/** The rehearsal that is worked in, with its clock taken. */
export async function lookAtRehearsal(): Promise<Rehearsal | null> {
  const found = await currentRehearsal();
  if (found !== null) takeClock(found);
  return found;
}

/** Makes a rehearsal and enters it. */
export async function beginRehearsal(seed: number | null, speed: number): Promise<void> {
  const made = await answer(quietApi.POST("/rehearsal", { body: { seed, speed } }));
  await enterRehearsal(made);
}

export async function enterRehearsal({ organisation_id: id, name }: Rehearsal): Promise<void> {
  await enterOrganisation({ id, name, rehearsal: true });
  window.location.assign("/");
}

/** A new day in place of the one that is worked in. */
export async function startAgain(seed: number | null): Promise<void> {
  await enterRehearsal(await answer(quietApi.POST("/rehearsal/start_again", { body: { seed } })));
}

export async function turnClock(change: { speed?: number; paused?: boolean }): Promise<Rehearsal> {
  const turned = await answer(api.PATCH("/rehearsal", { body: change }));
  takeClock(turned);
  return turned;
}

export async function leaveRehearsal(): Promise<void> {
  await leaveOrganisation();
  window.location.assign("/");
}

/** Leaves the rehearsal and removes it. */
export async function removeRehearsal(): Promise<void> {
  await leaveOrganisation();
  await answer(api.DELETE("/rehearsal")).catch(() => undefined);
  window.location.assign("/");
}

function takeClock({ now, ends, speed, paused, state }: Rehearsal): void {
  setOrganisationClock({ now, ends, speed, paused: paused || state === "preparing" || state === "failed" });
}

/** Levels that it takes to make one, as the server has them. */
const MAKES = ["organisation_settings_write", "drivers_write", "jobs_write", "runs_write", "scenarios_write"];

/** Whether the user's role may make rehearsals, start them again and remove them. */
export function useMakesRehearsals(): boolean {
  const held = useSession((state) => state.user?.role.access_levels);
  return MAKES.every((level) => held?.includes(level) === true);
}

/** Whether the user can make a rehearsal, or enter the one that is there; nobody of a haulier, nor inside of one. */
export function useMayRehearse(): { make: boolean; enter: boolean } {
  const user = useSession((state) => state.user);
  const workingIn = useSession((state) => state.workingIn);
  const makes = useMakesRehearsals();
  const enter =
    user !== null &&
    user.haulier === null &&
    workingIn === null &&
    user.organisation.is_master !== true &&
    hasPlainAccess(user);
  return { make: enter && makes, enter };
}
