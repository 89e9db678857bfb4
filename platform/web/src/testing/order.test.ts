import { describe, expect, it } from "vitest";
import { againstOrder, importsOf } from "./order.ts";

const FOLDERS = ["ui", "jobs", "app"];
const inOrder = {
  "main.tsx": ["app/Page.tsx"],
  "app/Page.tsx": ["jobs/List.tsx", "ui/Modal.tsx"],
  "jobs/List.tsx": ["jobs/Row.tsx", "ui/Modal.tsx"],
  "jobs/Row.tsx": [],
  "ui/Modal.tsx": [],
};
const problems = (changed: Record<string, string[]>): string[] =>
  againstOrder(new Map(Object.entries({ ...inOrder, ...changed })), FOLDERS);

describe("order of an app's folders", () => {
  it("is kept by imports that lead down", () => {
    expect(problems({})).toEqual([]);
  });

  it("is broken by an import that leads up", () => {
    expect(problems({ "ui/Menu.tsx": ["jobs/Row.tsx"] })).toContain(
      "ui/Menu.tsx imports jobs/Row.tsx from above",
    );
    expect(problems({ "jobs/Row.tsx": ["main.tsx"] })).toContain("jobs/Row.tsx imports main.tsx from above");
  });

  it("is broken by files or inner folders that know each other", () => {
    expect(problems({ "jobs/Row.tsx": ["jobs/List.tsx"] })).toEqual([
      "jobs/List.tsx imports jobs/Row.tsx imports jobs/List.tsx",
    ]);
    expect(
      problems({ "jobs/tags/a.ts": ["jobs/units/a.ts"], "jobs/units/b.ts": ["jobs/tags/b.ts"] }),
    ).toEqual(["jobs/tags imports jobs/units imports jobs/tags"]);
  });

  it("is broken by a folder that has no place in it, and by a place without its folder", () => {
    expect(problems({ "runs/List.tsx": [] })).toEqual(["runs has no place"]);
    expect(againstOrder(new Map(), ["ui"])).toEqual(["ui does not exist"]);
  });

  it("counts every kind of import by path", () => {
    const text = `
      import { useState } from "react";
      import "./style.css";
      import {
        Modal,
      } from "../ui/Modal.tsx";
      export * from '../ui/view.ts';
      const load = async () => (await import("../runs/RunDialog.tsx")).RunDialog;
    `;
    expect(importsOf("jobs/List.tsx", text)).toEqual([
      "jobs/style.css",
      "ui/Modal.tsx",
      "ui/view.ts",
      "runs/RunDialog.tsx",
    ]);
  });
});
