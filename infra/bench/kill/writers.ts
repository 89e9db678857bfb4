import { randomUUID } from "node:crypto";
import type { Firm } from "../attack/firm.ts";
import { sql } from "./product.ts";
import type { Tally } from "./tally.ts";

interface Write {
  uid: string;
  key: string;
  answered: boolean;
}

/** Planners who go on writing while the product is killed: new places and notes on a job, each answered before the next. */
export class Writers {
  private going = false;
  private readonly written: Write[] = [];
  private told = 0;
  private tried = 0;
  private ended: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly firm: Firm,
    private readonly name: string,
  ) {}

  begin(): void {
    this.going = true;
    this.ended = Promise.all([this.places(), this.notes()]);
  }

  async end(): Promise<void> {
    this.going = false;
    await this.ended;
  }

  private send({ uid, key }: Write): Promise<{ status: number }> {
    const json = { uid, name: uid, address: "Rua do Freixo, Porto", lat: 41.129, lon: -8.613 };
    return this.firm.client.send("POST", "/locations", { json, key });
  }

  private async places(): Promise<void> {
    while (this.going) {
      const write = { uid: `${this.name} ${this.written.length}`, key: randomUUID(), answered: false };
      this.written.push(write);
      const { status } = await this.send(write);
      write.answered = status === 200 || status === 201;
      if (!write.answered) return;
    }
  }

  private async notes(): Promise<void> {
    while (this.going) {
      this.tried += 1;
      const json = { comments: `${this.name} ${this.tried}` };
      const { status } = await this.firm.client.send("PATCH", `/jobs/${this.firm.jobs[0]}`, { json });
      if (status !== 200) return;
      this.told = this.tried;
    }
  }

  /** Whether all that was answered is there, once; sends again what was not. */
  async check(tally: Tally): Promise<void> {
    const schema = `org_${this.firm.id}`;
    const [job] = await sql<{ comments: string | null }>(
      `select comments from ${schema}.jobs where id = ${this.firm.jobs[0]}`,
    );
    const last =
      job?.comments?.startsWith(`${this.name} `) === true ? Number(job.comments.slice(this.name.length)) : 0;
    if (last < this.told) tally.lost(`note ${this.told}, note ${last} is there`);
    for (const write of this.written.filter(({ answered }) => !answered)) {
      const { status } = await this.send(write);
      if (status !== 200 && status !== 201) tally.unexplained(`a place sent again is answered ${status}`);
    }
    const rows = await sql<{ uid: string; n: number }>(
      `select uid, count(*) as n from ${schema}.locations where uid like '${this.name} %' group by uid`,
    );
    const counts = new Map(rows.map(({ uid, n }) => [uid, n]));
    for (const { uid } of this.written) tally.one(counts.get(uid) ?? 0, `place ${uid}`);
  }

  get count(): number {
    return this.written.length + this.told;
  }
}
