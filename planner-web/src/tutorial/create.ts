import {
  type Driver,
  type Job,
  type Place,
  request,
  requestAll,
  session,
  texts,
  withToast,
} from "@routewright/web";
import { flyTo, resetMapView } from "../map/fit.ts";
import { keys } from "../plan/keys.ts";
import { drivers, reloadPlan } from "../plan/queries.ts";
import { chooseDrivers } from "../plan/selection.ts";
import { failureText } from "../ui/failure.ts";
import { queryClient } from "../ui/query-client.ts";

const DRIVERS = 3;
/** Google's zoom levels; the map counts one less. */
const DEPOT_ZOOM = 16 - 1;
const JOBS_ZOOM = 15 - 1;
/** Milliseconds after which the map shows all new jobs. */
const JOBS_LOOK = 2_500;

/** The first free numbers for `Driver N`. */
export function freeDriverUids(taken: readonly string[], count: number): string[] {
  const known = new Set(taken.map((uid) => uid.toLowerCase()));
  const uids: string[] = [];
  for (let n = 1; uids.length < count; n += 1) {
    if (!known.has(`driver ${n}`)) uids.push(`Driver ${n}`);
  }
  return uids;
}

/** Three drivers at the depot, ticked for the optimisation; the map looks at the depot. */
export async function createDrivers(depot: Place): Promise<void> {
  const made = await withToast(makeDrivers(depot), {
    loading: texts.tutorial.creatingDrivers,
    success: texts.tutorial.driversCreated,
    failure: failureText(texts.tutorial.driversFailed),
  });
  await queryClient.invalidateQueries({ queryKey: keys.drivers });
  chooseDrivers(made.map(({ id }) => id));
  flyTo(depot, DEPOT_ZOOM);
}

async function makeDrivers(depot: Place): Promise<Driver[]> {
  // Deleted drivers keep their uid.
  const known = await requestAll<Driver>("/drivers", { include_deleted: true }, { quiet: true });
  const uids = freeDriverUids(
    known.map(({ uid }) => uid),
    DRIVERS,
  );
  const made: Driver[] = [];
  for (const uid of uids) {
    const body = {
      uid,
      location: { address: depot.address, lat: depot.lat, lon: depot.lon },
      shift_start: "09:00:00",
      shift_end: "17:00:00",
      organisation_id: session().user?.organisation.id ?? 0,
      // The run sheets of the tour are sent to whoever takes it.
      email: session().user?.email ?? null,
    };
    made.push(await drivers.create(body, { quiet: true }));
  }
  return made;
}

/** Jobs around the depot; the map looks at them. */
export async function createJobs(depot: Place | null, scenarioId: number | null): Promise<void> {
  await withToast(makeJobs(depot, scenarioId), {
    loading: texts.tutorial.creatingJobs,
    success: texts.tutorial.jobsCreated,
    failure: failureText(texts.tutorial.jobsFailed),
  });
  if (scenarioId !== null) await reloadPlan(scenarioId);
  // The map first looks at all new jobs; then it comes closer.
  if (depot === null) return;
  setTimeout(() => flyTo(depot, JOBS_ZOOM), 300);
  // That near there is hardly one of them; so the map steps back to all.
  setTimeout(resetMapView, JOBS_LOOK);
}

async function makeJobs(depot: Place | null, scenarioId: number | null): Promise<Job[]> {
  if (depot === null) throw new Error(texts.tutorial.noDepot);
  if (scenarioId === null) throw new Error(texts.scenarios.none);
  const answer = await request<{ jobs: Job[] }>("/tutorial/create_jobs", {
    method: "POST",
    body: { lat: depot.lat, lon: depot.lon, scenario_id: scenarioId },
    quiet: true,
  });
  return answer.jobs;
}
