import { createHash, randomUUID } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import { picture } from "../attack/bombs.ts";
import { type Answer, read } from "../attack/client.ts";
import { day } from "../attack/firm.ts";
import { sql } from "./product.ts";
import { nothing, type Work } from "./work.ts";

/** Rows of an import. */
const ROWS = 300;
/** Pictures that are uploaded one after the other. */
const PICTURES = 5;

const ok = ({ status }: Answer): boolean => status >= 200 && status < 300;

/** A file of jobs. The same uid twice makes two jobs, so that an import that is done twice is seen. */
export const importing: Work = {
  name: "import",
  prepare: async ({ firm }, n, tally) => {
    const scenario_id = await day(firm.client, `Import ${n}`);
    const key = randomUUID();
    const rows = Array.from({ length: ROWS }, (_, row) => ({
      uid: `I-${n}-${row}`,
      address: "Rua do Freixo, Porto",
      lat: "41.129",
      lon: "-8.613",
      duration: "5",
    }));
    const send = (): Promise<Answer> =>
      firm.client.send("POST", "/jobs/template_upload", {
        json: { rows, scenario_id, on_duplicate: "create" },
        key,
      });
    const count = async (): Promise<number> =>
      (await firm.client.got<{ total_count: number }>(`/jobs?scenario_ids=${scenario_id}&per_page=1`))
        .total_count;
    const look = async (answered: boolean): Promise<void> => {
      const there = await count();
      if (answered && there < ROWS) tally.lost(`${ROWS - there} rows of import ${n}`);
      else if (there !== 0 && there < ROWS) tally.unexplained(`import ${n} has ${there} of ${ROWS} rows`);
      if (there > ROWS) tally.doubled(`import ${n} has ${there} instead of ${ROWS} rows`);
    };
    let first: Answer | undefined;
    return {
      act: async () => {
        first = await send();
      },
      again: async () => {
        await look(first !== undefined && ok(first));
        const second = await send();
        const { job_ids } = read("/jobs/template_upload", second) as { job_ids: number[] };
        if (job_ids.length !== ROWS) tally.lost(`import ${n} answers ${job_ids.length} jobs`);
        if (first !== undefined && ok(first) && !isDeepStrictEqual(read("", first), read("", second))) {
          tally.unexplained(`import ${n} answers differently when it is sent again`);
        }
        await look(true);
      },
      settled: nothing,
    };
  },
};

/** Pictures. */
export const uploading: Work = {
  name: "upload",
  prepare: ({ firm }, n, tally) => {
    const pictures = Array.from({ length: PICTURES }, (_, m) => ({
      name: `upload-${n}-${m}.png`,
      bytes: picture(900 + n, 700 + m),
      key: randomUUID(),
      id: 0,
    }));
    const send = async (one: (typeof pictures)[number]): Promise<void> => {
      const answer = await firm.client.upload(
        "/files/upload",
        one.name,
        "image/png",
        one.bytes,
        "proof",
        one.key,
      );
      if (ok(answer)) one.id = (read("/files/upload", answer) as { id: number }).id;
      else if (answer.status !== 0) tally.unexplained(`an upload is answered with ${answer.status}`);
    };
    const look = async (): Promise<void> => {
      for (const one of pictures.filter(({ id }) => id > 0)) {
        const file = await firm.client.send("GET", `/files/get_temp_link/${one.id}`);
        const { link } = read(one.name, file) as { link: string };
        const { body } = await firm.client.send("GET", link);
        const sum = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");
        if (sum(body) !== sum(one.bytes)) tally.lost(`the bytes of ${one.name}`);
      }
    };
    return Promise.resolve({
      act: async () => {
        for (const one of pictures) await send(one);
      },
      again: async () => {
        await look();
        // What was answered is sent again too, by a client that did not hear it: it is the same file.
        for (const one of pictures) {
          const before = one.id;
          await send(one);
          if (one.id === 0) tally.lost(one.name);
          if (before > 0 && before !== one.id) tally.doubled(`${one.name} has ids ${before} and ${one.id}`);
        }
        await look();
        const rows = await sql<{ name: string; n: number }>(
          `select name, count(*) as n from org_${firm.id}.files
           where state = 'ready' and name like 'upload-${n}-%' group by name`,
        );
        for (const { name } of pictures) tally.one(rows.find((row) => row.name === name)?.n ?? 0, name);
      },
      settled: nothing,
    });
  },
};

interface Export {
  status: string;
  error: string | null;
  link: string | null;
}

/** Exports that are made in the background. */
export const exporting: Work = {
  name: "export",
  prepare: ({ firm, mail }, n, tally) => {
    const key = randomUUID();
    let id = 0;
    const order = async (): Promise<number> => {
      const answer = await firm.client.send("POST", "/excel_exports", { json: { source: "jobs" }, key });
      return answer.status === 0 ? 0 : (read("/excel_exports", answer) as { export_id: number }).export_id;
    };
    const find = (): Promise<Export> => firm.client.got<Export>(`/excel_exports/${id}`);
    return Promise.resolve({
      act: async () => {
        id = await order();
        for (let tries = 0; id > 0 && tries < 100; tries += 1) {
          const answer = await firm.client.send("GET", `/excel_exports/${id}`);
          if (answer.status === 0) return;
          if ((read("", answer) as Export).status !== "pending") return;
          await new Promise((done) => setTimeout(done, 50));
        }
      },
      again: async () => {
        const second = await order();
        if (id > 0 && second !== id) tally.doubled(`export ${n} has ids ${id} and ${second}`);
        id = second;
      },
      settled: async () => {
        const made = await find();
        if (made.status === "ready") {
          const file = await firm.client.send("GET", made.link ?? "");
          if (file.status !== 200 || file.body.length < 1000) tally.lost(`the file of export ${n}`);
          const told = await sql<{ id: number; message_id: string | null; state: string }>(
            `select id, message_id, state from org_${firm.id}.messages where intent = 'export:${id}'`,
          );
          tally.one(told.length, `the mail about export ${n}`);
          const copies = mail.mails.filter((one) => one.id === told[0]?.message_id).length;
          if (told[0]?.state === "sent") tally.one(copies, `the delivery of the mail about export ${n}`);
        } else if (made.status !== "failed" || made.error === null) {
          tally.unexplained(`export ${n} is ${made.status}`);
        }
      },
    });
  },
};
