import { act } from "react";
import type { Root } from "react-dom/client";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { answering, type Asked } from "../testing/answers.ts";
import { freshRoot } from "../testing/fresh-root.ts";
import { SignIn } from "./SignIn.tsx";

const OFFER = { key: "sign_up", name: "Sign up", url: "/?sign_up" };

/** Signing up W-092. */
describe("the sign-up form W-092", () => {
  let root: Root;
  beforeEach(() => {
    window.history.replaceState(null, "", "/");
    root = freshRoot();
  });
  afterEach(() => {
    act(() => root.unmount());
    vi.unstubAllGlobals();
  });

  async function open(providers: unknown[]): Promise<Asked[]> {
    const asked = answering({ "GET /auth/providers": providers });
    await act(async () => {
      root.render(<SignIn />);
      await Promise.resolve();
    });
    await act(async () => new Promise((resolve) => setTimeout(resolve, 20)));
    return asked;
  }

  const button = (name: string): HTMLButtonElement | undefined =>
    [...document.querySelectorAll("button")].find(({ textContent }) => textContent === name);

  it("is offered where anybody may make an organisation, and only there", async () => {
    await open([]);
    expect(button("New here? Create an organisation")).toBeUndefined();
    act(() => root.unmount());
    root = freshRoot();
    await open([OFFER]);
    expect(document.body.textContent).not.toContain("Sign in with");
    act(() => button("New here? Create an organisation")?.click());
    expect(document.querySelector("input[name=organisation_name]")).not.toBeNull();
    act(() => button("Back to sign in")?.click());
    expect(document.querySelector("input[name=organisation_name]")).toBeNull();
  });

  it("opens by its link, and says at each field what is missing", async () => {
    window.history.replaceState(null, "", "/?sign_up");
    const asked = await open([OFFER]);
    await act(async () => {
      button("Create")?.click();
      await new Promise((resolve) => setTimeout(resolve, 20));
    });
    for (const text of ["Organisation", "First name", "Last name", "Email", "Password"]) {
      expect(document.body.textContent).toContain(`${text} is required`);
    }
    expect(asked.filter(({ method }) => method === "POST")).toEqual([]);
  });
});
