import { type AuthUser, isPlaced, type Place, useSession } from "@routewright/web";
import { freshRoot } from "@routewright/web/testing";
import { answering } from "@routewright/web/testing/answers";
import { act, useState } from "react";
import type { Root } from "react-dom/client";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { LocationField } from "./LocationField.tsx";

const user = {
  id: 1,
  role: { id: 1, name: "planner", access_levels: [] },
  organisation: { id: 1, name: "Porto", modules: [], settings: {} },
} as unknown as AuthUser;
const depot: Place = { address: "Rua do Almada 3, Porto", lat: 41.15, lon: -8.61 };

describe("an address that is typed", { timeout: 30_000 }, () => {
  let root: Root;
  let held: Place | null;

  function Form(): React.ReactNode {
    const [place, setPlace] = useState<Place | null>(depot);
    held = place;
    return <LocationField label="Address" value={place} onChange={setPlace} />;
  }

  beforeEach(() => {
    vi.useFakeTimers({ shouldAdvanceTime: true, advanceTimeDelta: 50 });
    useSession.setState({ status: "signed_in", user, token: "token" });
    root = freshRoot();
  });
  afterEach(() => {
    act(() => root.unmount());
    vi.useRealTimers();
    vi.unstubAllGlobals();
  });

  const input = (): HTMLInputElement | null => document.querySelector("input");
  const type = (text: string): void =>
    act(() => {
      Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value")?.set?.call(input(), text);
      input()?.dispatchEvent(new Event("input", { bubbles: true }));
    });
  const leave = (): void =>
    act(() => void input()?.dispatchEvent(new FocusEvent("focusout", { bubbles: true })));
  const after = (milliseconds: number): Promise<void> =>
    act(async () => {
      await vi.advanceTimersByTimeAsync(milliseconds);
    });

  it("W-031, P-462: stays where nothing is found, and is told until a place is chosen", async () => {
    answering({ "GET /location_options": [] });
    act(() => root.render(<Form />));
    type("Rua Nova 12");
    await after(1_500);
    expect(document.body.textContent).toContain("No results were found.");
    leave();
    expect(input()?.value).toBe("Rua Nova 12");
    expect(held !== null && isPlaced(held)).toBe(false);
    expect(document.body.textContent).toContain(
      "Choose one of the places found, click on the map, or type lat, lon.",
    );
    expect(document.querySelector("button[aria-label='Choose on the map']")).not.toBeNull();
    type(depot.address);
    leave();
    expect(held).toEqual(depot);
  });

  it("W-031: lat, lon is a place at once", () => {
    answering({});
    act(() => root.render(<Form />));
    type("41.2, -8.5");
    leave();
    expect(held).toEqual({ address: "41.2, -8.5", lat: 41.2, lon: -8.5 });
  });

  it("W-031: one of the places found is taken", async () => {
    const found = { address: "Rua Nova 12, Porto", lat: 41.14, lon: -8.6 };
    answering({
      "GET /location_options": [{ id: "a", label: "Rua Nova 12" }],
      "GET /location_options/a": found,
    });
    act(() => root.render(<Form />));
    act(() => input()?.focus());
    type("Rua Nova");
    await after(1_500);
    act(() => document.querySelector<HTMLElement>("[role=option]")?.click());
    await after(50);
    expect(held).toEqual(found);
    expect(input()?.value).toBe(found.address);
  });
});
