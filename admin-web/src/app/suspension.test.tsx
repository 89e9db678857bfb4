import { answering } from "@routewright/web/testing/answers";
import { cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { AdminContext, RecordContextProvider } from "react-admin";
import { afterEach, describe, expect, it, vi } from "vitest";
import { Suspension } from "../platform/Suspension.tsx";
import { signedInAs } from "../testing/session.ts";
import { createI18n } from "./i18n.ts";
import { NOUNS } from "./nouns.ts";

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

function open(levels: string[], more: object = {}) {
  signedInAs(levels);
  const base = "/operators/organisations/7";
  const asked = answering({ [`POST ${base}/suspend`]: { id: 7 }, [`POST ${base}/resume`]: { id: 7 } });
  const row = {
    id: 7,
    name: "Costa",
    state: "ready",
    is_master: false,
    deleted_at: null,
    suspended_at: null,
    ...more,
  };
  render(
    <AdminContext i18nProvider={createI18n(NOUNS)}>
      <RecordContextProvider value={row}>
        <Suspension />
      </RecordContextProvider>
    </AdminContext>,
  );
  return asked;
}

describe("suspending an organisation W-087", () => {
  it("needs its name typed and a reason", async () => {
    const asked = open(["organisations_write"]);
    fireEvent.click(screen.getByRole("button", { name: "Suspend" }));
    const go = () => screen.getAllByRole<HTMLButtonElement>("button", { name: "Suspend" }).at(-1);
    const name = screen.getByLabelText("Type the name to confirm: Costa");
    fireEvent.change(screen.getByLabelText("Reason"), { target: { value: "Unpaid" } });
    for (const [typed, disabled] of [
      ["", true],
      ["costa", true],
      ["Costa", false],
    ] as const) {
      fireEvent.change(name, { target: { value: typed } });
      expect(go()?.disabled).toBe(disabled);
    }
    const button = go();
    if (button) fireEvent.click(button);
    await waitFor(() => expect(asked.length).toBe(1));
    expect(asked[0]).toMatchObject({
      path: "/operators/organisations/7/suspend",
      body: { name: "Costa", reason: "Unpaid" },
    });
  });

  it("is taken back by one button, and offered to nobody who may only look", async () => {
    const asked = open(["organisations_write"], { suspended_at: "2026-11-23T08:00:00Z" });
    fireEvent.click(screen.getByRole("button", { name: "Resume" }));
    await waitFor(() => expect(asked.map(({ path }) => path)).toEqual(["/operators/organisations/7/resume"]));
    cleanup();
    open(["organisations_read"]);
    expect(screen.queryByRole("button")).toBeNull();
    cleanup();
    open(["organisations_write"], { name: "Master", is_master: true });
    expect(screen.queryByRole("button")).toBeNull();
    cleanup();
    open(["organisations_write"], { state: "deleting", deleted_at: "2026-11-23T08:00:00Z" });
    expect(screen.queryByRole("button")).toBeNull();
  });
});
