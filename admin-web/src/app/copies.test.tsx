import { answering } from "@routewright/web/testing/answers";
import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { AdminContext, RecordContextProvider } from "react-admin";
import { afterEach, describe, expect, it, vi } from "vitest";
import { Copies } from "../platform/Copies.tsx";
import { signedInAs } from "../testing/session.ts";
import { createI18n } from "./i18n.ts";
import { NOUNS } from "./nouns.ts";

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const base = "/operators/organisations/7";
const file = "org_7-20261123T080000.000000Z.dump";
const copies = {
  configured: true,
  backups: [{ file, size: 2_400_000, made: "2026-11-23T08:00:00Z" }],
  work: [],
  placement: "default",
  placements: ["default", "eu"],
};
const work = { id: 1, state: "queued", error: null, created: "2026-11-23T09:00:00Z", finished: null };

function open(levels: string[], more: object = {}, row: object = {}) {
  signedInAs(levels);
  const asked = answering({
    [`GET ${base}/copies`]: { ...copies, ...more },
    [`POST ${base}/backup`]: { ...copies, work: [{ ...work, what: "backup" }] },
    [`POST ${base}/restore`]: { ...copies, work: [{ ...work, what: "restore", file }] },
    [`POST ${base}/move`]: { ...copies, work: [{ ...work, what: "move", placement: "eu" }] },
  });
  render(
    <AdminContext i18nProvider={createI18n(NOUNS)}>
      <RecordContextProvider value={{ id: 7, name: "Costa", is_master: false, deleted_at: null, ...row }}>
        <Copies />
      </RecordContextProvider>
    </AdminContext>,
  );
  return asked;
}

const button = (name: string | RegExp) => screen.findByRole<HTMLButtonElement>("button", { name });

describe("backups of an organisation W-087", () => {
  it("are made at once, and it is told that one is under way", async () => {
    const asked = open(["organisations_read", "organisations_write"]);
    fireEvent.click(await button("Backups"));
    fireEvent.click(await button("Back up now"));
    await screen.findByText(/Backing up is under way/);
    expect((await button("Back up now")).disabled).toBe(true);
    expect((await button("Restore")).disabled).toBe(true);
    expect(asked.map(({ method }) => method)).toContain("POST");
  });

  it.each([
    ["Restore", "Restore", "restore", { name: "Costa", file }, /Restoring is under way/],
    ["Move to eu", "Move", "move", { name: "Costa", placement: "eu" }, /Moving is under way/],
  ])("%s: after the organisation's name was typed", async (first, go, path, body, told) => {
    const asked = open(["organisations_read", "organisations_write"]);
    fireEvent.click(await button("Backups"));
    fireEvent.click(await button(first));
    const name = await screen.findByLabelText("Type the name to confirm: Costa");
    const last = () => screen.getAllByRole<HTMLButtonElement>("button", { name: go }).at(-1);
    expect(last()?.disabled).toBe(true);
    fireEvent.change(name, { target: { value: "Costa" } });
    const order = last();
    if (order) fireEvent.click(order);
    await screen.findByText(told);
    expect(asked.at(-1)).toMatchObject({ path: `${base}/${path}`, body });
  });

  it("say why one failed, and that an installation keeps none", async () => {
    const failed = { ...work, what: "restore", file, state: "dead", finished: "2026-11-23T09:01:00Z" };
    open(["organisations_read", "organisations_write"], {
      work: [{ ...failed, error: "pg_restore failed" }],
    });
    fireEvent.click(await button("Backups"));
    await screen.findByText(/Restoring failed .*: pg_restore failed/);
    cleanup();
    open(["organisations_read", "organisations_write"], { configured: false, backups: [] });
    fireEvent.click(await button("Backups"));
    await screen.findByText(/no folder for backups/);
    expect(screen.queryByRole("button", { name: "Back up now" })).toBeNull();
  });

  it("are offered to nobody who may only look; Master's own are made and not restored here", async () => {
    open(["organisations_read"]);
    expect(screen.queryByRole("button")).toBeNull();
    cleanup();
    open(["organisations_read", "organisations_write"], {}, { name: "Master", is_master: true });
    fireEvent.click(await button("Backups"));
    await button("Back up now");
    expect(screen.queryByRole("button", { name: "Restore" })).toBeNull();
  });
});
