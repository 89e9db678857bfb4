import { randomUUID } from "node:crypto";
import type { Attack } from "./attacks.ts";
import * as bombs from "./bombs.ts";
import { type Answer, Client } from "./client.ts";
import { driver, type Firm } from "./firm.ts";

/** What somebody does who has the link of a run sheet. */
export function evidence(loud: Firm, refused: (status: number) => boolean): readonly Attack[] {
  let signed: Promise<Client> | undefined;
  const phone = (): Promise<Client> => (signed ??= sheet(loud));
  const stored = (status: number): boolean => status === 201 || status === 503;
  /** Records without end, each made anew. */
  const records = (
    name: string,
    callers: number,
    make: () => object,
    right: (status: number) => boolean,
  ): Attack => ({
    name,
    callers,
    prepare: async () => {
      const client = await phone();
      return () => client.send("POST", "/v2/runsheet/records", { json: make() });
    },
    right,
  });
  const [job_id] = loud.jobs;
  const proof = { success: true };
  const items = Array.from({ length: 20_000 }, (_, n) => ({ ...proof, uid: `U-${n}` }));
  const again = stop(job_id, { job_proof: proof });
  return [
    records(
      "evidence: a record of 20,000 items",
      8,
      () => stop(job_id, { job_proof: proof, unit_proofs: items }),
      refused,
    ),
    records("evidence: the same record, thirty phones", 30, () => again, stored),
    records("evidence: notes without end", 30, () => note("x".repeat(400)), stored),
    records("evidence: a note of a megabyte", 8, () => note("x".repeat(1 << 20)), refused),
    {
      name: "evidence: pictures of 16,000 x 16,000 pixels",
      callers: 8,
      prepare: async () => {
        const client = await phone();
        const bytes = bombs.picture(16_000, 16_000);
        return (): Promise<Answer> =>
          client.upload("/v2/runsheet/upload/file", "door.png", "image/png", bytes);
      },
      right: refused,
    },
  ];
}

function stop(job_id: number | undefined, more: object): object {
  return { id: randomUUID(), kind: "stop", job_id, captured_at: new Date().toISOString(), ...more };
}

function note(text: string): object {
  return { id: randomUUID(), kind: "note", captured_at: new Date().toISOString(), note: text };
}

/** A driver's phone. */
async function sheet({ client, scenario }: Firm): Promise<Client> {
  const driver_id = await driver(client, 9000);
  const run = await client.made<{ token: string }>("/runs", {
    scenario_id: scenario,
    driver_id,
    force: true,
  });
  const path = "/auth/runsheet_token";
  const made = await new Client().made<{ runsheet_token: string }>(path, { token_uid: run.token });
  return new Client(made.runsheet_token);
}
