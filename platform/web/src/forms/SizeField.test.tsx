// @vitest-environment happy-dom
import { act, type ReactNode, useState } from "react";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { Root } from "react-dom/client";
import { freshRoot } from "../testing/fresh-root.ts";
import { SizeField } from "./SizeField.tsx";

let root: Root;
let held = "";
beforeEach(() => {
  root = freshRoot();
});
afterEach(() => act(() => root.unmount()));

function Form({ start, limits = false }: { start: string; limits?: boolean }): ReactNode {
  const [value, setValue] = useState(start);
  held = value;
  return (
    <SizeField
      label="Size"
      value={value}
      onChange={setValue}
      measures={["boxes", "weight"]}
      limits={limits}
    />
  );
}

const labels = (): string[] => [...document.querySelectorAll("label")].map((label) => label.textContent);
function type(label: string, text: string): void {
  const id = [...document.querySelectorAll("label")].find((item) => item.textContent === label)?.htmlFor;
  const input = document.getElementById(id ?? "");
  act(() => {
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value")?.set?.call(input, text);
    input?.dispatchEvent(new Event("input", { bubbles: true }));
  });
}

it("W-109: a size is one number for each measure, and the text of the API stays", () => {
  act(() => root.render(<Form start="boxes:3" />));
  expect(labels()).toEqual(["Size (boxes)", "Size (weight)"]);
  type("Size (weight)", "12.");
  type("Size (weight)", "12.5");
  expect(held).toBe("boxes:3&weight:12.5");
  type("Size (boxes)", "");
  expect(held).toBe("weight:12.5");
  type("Size (boxes)", "two");
  expect(held).toBe("boxes:two&weight:12.5");
});

it("W-109: a number without a name and alternatives keep their places; no limit is an empty field", () => {
  act(() => root.render(<Form key="a" start="5|boxes:2" />));
  expect(labels()).toEqual([
    "Size (boxes)",
    "Size (weight)",
    "Size",
    "Size (boxes)",
    "Size (weight)",
    "Size",
  ]);
  act(() => root.render(<Form key="b" start="0" limits />));
  expect([...document.querySelectorAll("input")].map(({ value }) => value)).toEqual(["", ""]);
});
