import { expect, it, vi } from "vitest";
import { shifted } from "../scenarios/other-day.ts";
import { found } from "./CommandDialog.tsx";
import { actionOf } from "./use-shortcuts.ts";

const key = (name: string, held: Partial<Record<"ctrlKey" | "metaKey" | "shiftKey", boolean>> = {}) => ({
  key: name,
  ctrlKey: false,
  metaKey: false,
  shiftKey: false,
  ...held,
});

it("W-103: a key does its command, with Ctrl as with the Mac's key, and no other", () => {
  const [undo, redo, create] = [vi.fn(), vi.fn(), vi.fn()];
  const commands = [
    { label: "Undo", keys: "mod+z", act: undo },
    { label: "Redo", keys: "mod+shift+z", act: redo },
    { label: "New job", keys: "n", act: create },
    { label: "Without a key", act: vi.fn() },
  ];
  expect(actionOf(key("z", { ctrlKey: true }), commands)).toBe(undo);
  expect(actionOf(key("z", { metaKey: true }), commands)).toBe(undo);
  expect(actionOf(key("Z", { ctrlKey: true, shiftKey: true }), commands)).toBe(redo);
  expect(actionOf(key("y", { ctrlKey: true }), commands)).toBe(redo);
  expect(actionOf(key("n"), commands)).toBe(create);
  expect(actionOf(key("n", { ctrlKey: true }), commands)).toBeUndefined();
  expect(actionOf(key("z"), commands)).toBeUndefined();
});

it("W-103: every word is looked for; before one is typed only commands are offered", () => {
  const act = vi.fn();
  const offers = [
    { group: "Commands", label: "Optimise", act },
    { group: "Jobs", label: "S-1", more: "Maria · Rua do Almada", act },
  ];
  expect(found(offers, { inputValue: " " }).map(({ label }) => label)).toEqual(["Optimise"]);
  expect(found(offers, { inputValue: "almada MARIA" }).map(({ label }) => label)).toEqual(["S-1"]);
  expect(found(offers, { inputValue: "almada ana" })).toEqual([]);
});

it("W-103: days are counted over the ends of months and changes of the clock", () => {
  expect(shifted("2026-03-01", -1)).toBe("2026-02-28");
  expect(shifted("2026-10-25", 1)).toBe("2026-10-26");
});
