import type { Job } from "@routewright/web";
import { linkedUids } from "./plan.ts";

const NONE: readonly number[] = [];

/** Which jobs of a plan are linked. A uid that several jobs share means the oldest. */
export class Links {
  readonly #byUid = new Map<string, Job>();
  readonly #pickups = new Map<number, number[]>();
  readonly #deliveries = new Map<number, number[]>();

  constructor(jobs: readonly Job[]) {
    for (const job of jobs) {
      const known = this.#byUid.get(job.uid);
      if (known === undefined || job.id < known.id) this.#byUid.set(job.uid, job);
    }
    for (const job of jobs) {
      for (const uid of linkedUids(job.pickup_from)) this.#link(this.#byUid.get(uid)?.id, job.id);
      for (const uid of linkedUids(job.deliver_to)) this.#link(job.id, this.#byUid.get(uid)?.id);
    }
  }

  #link(pickup: number | undefined, delivery: number | undefined): void {
    if (pickup === undefined || delivery === undefined || pickup === delivery) return;
    push(this.#pickups, delivery, pickup);
    push(this.#deliveries, pickup, delivery);
  }

  /** The job that a uid of a link list means. */
  named(uid: string): Job | undefined {
    return this.#byUid.get(uid);
  }

  /** Jobs that are visited before this one. */
  pickupsOf(id: number): readonly number[] {
    return this.#pickups.get(id) ?? NONE;
  }

  /** Jobs that are visited after this one. */
  deliveriesOf(id: number): readonly number[] {
    return this.#deliveries.get(id) ?? NONE;
  }

  isLinked(id: number): boolean {
    return this.#pickups.has(id) || this.#deliveries.has(id);
  }
}

function push(lists: Map<number, number[]>, key: number, value: number): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [value]);
  else if (!list.includes(value)) list.push(value);
}
