import { type AuthUser, useSession } from "@routewright/web";
import { cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { AdminContext } from "react-admin";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { AccountPage } from "../account/AccountPage.tsx";
import { know } from "../resource/registry.ts";
import { save } from "../testing/form.ts";
import { createI18n } from "./i18n.ts";
import { NOUNS } from "./nouns.ts";

know(NOUNS);

const ana = {
  id: 4,
  email: "ana@example.org",
  pending_email: null,
  first_name: "Ana",
  last_name: "Lopes",
  phone_number: null,
  role: { id: 1, name: "user", access_levels: [] },
  organisation: { id: 1, name: "Costa", modules: [], timezone: "Europe/Lisbon", settings: {} },
} as unknown as AuthUser;

let sent: unknown[] = [];
let refuse = false;

beforeEach(() => {
  sent = [];
  refuse = false;
  useSession.setState({ status: "signed_in", user: ana, token: "t" });
  vi.stubGlobal("fetch", (asked: RequestInfo | URL, init: RequestInit = {}) => {
    const url = asked instanceof Request ? asked.url : String(asked);
    if (url.endsWith("/auth/refresh_token"))
      return Promise.resolve(Response.json({ token: "t", refresh_token: "r" }));
    const body = typeof init.body === "string" ? (JSON.parse(init.body) as Record<string, unknown>) : {};
    sent.push(body);
    if (!refuse) {
      const pending = body.email === ana.email ? null : (body.email ?? null);
      return Promise.resolve(Response.json({ ...ana, pending_email: pending }));
    }
    const text = "Current password is wrong";
    const answer = { title: "400 Bad Request", description: text, fields: { current_password: text } };
    return Promise.resolve(Response.json(answer, { status: 400 }));
  });
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

function open() {
  render(
    <AdminContext i18nProvider={createI18n(NOUNS)}>
      <AccountPage />
    </AdminContext>,
  );
}

const field = (label: RegExp) => screen.getByLabelText<HTMLInputElement>(label);
const type = (label: RegExp, value: string) => fireEvent.change(field(label), { target: { value } });

describe("the own account V-20", () => {
  it("asks for the current password as soon as it is needed, and keeps what was typed when it is wrong", async () => {
    refuse = true;
    open();
    expect(screen.queryByLabelText(/^Current password/)).toBeNull();
    type(/^Email/, "next@example.org");
    await screen.findByLabelText(/^Current password/);
    type(/^Email/, ana.email);
    await waitFor(() => expect(screen.queryByLabelText(/^Current password/)).toBeNull());
    type(/^New password/, "Dandelion 42!");
    type(/^First name/, "Bia");
    await screen.findByLabelText(/^Current password/);
    type(/^Current password/, "wrong");
    await save();
    expect(await screen.findAllByText("Current password is wrong")).not.toHaveLength(0);
    expect(sent).toEqual([{ first_name: "Bia", new_password: "Dandelion 42!", current_password: "wrong" }]);
    expect(field(/^New password/).value).toBe("Dandelion 42!");
    expect(field(/^First name/).value).toBe("Bia");
  });

  it("tells of a new address that is not confirmed, and takes it back", async () => {
    open();
    type(/^Email/, "next@example.org");
    await screen.findByLabelText(/^Current password/);
    type(/^Current password/, "right");
    await save();
    expect(await screen.findByText(/next@example.org is not confirmed yet/)).toBeTruthy();
    // The form is drawn anew when the session has been read again.
    await waitFor(() => expect(field(/^Email/).value).toBe(ana.email));
    expect(screen.queryByLabelText(/^Current password/)).toBeNull();
    fireEvent.click(screen.getByRole("button", { name: "Keep the old email" }));
    await waitFor(() => expect(screen.queryByText(/is not confirmed yet/)).toBeNull());
    expect(sent).toContainEqual({ email: ana.email });
  });
});
