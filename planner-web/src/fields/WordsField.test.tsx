import { freshRoot } from "@routewright/web/testing";
import { act, useState } from "react";
import { expect, it } from "vitest";
import { WordsField } from "./WordsField.tsx";

it("W-109: types are chips; what is typed counts at once, a comma ends a word, each word stands once", () => {
  let held = "";
  function Form(): React.ReactNode {
    const [value, setValue] = useState("cold,fragile");
    held = value;
    return <WordsField label="Type" value={value} onChange={setValue} known={["cold", "heavy"]} />;
  }
  const root = freshRoot();
  act(() => root.render(<Form />));
  const chips = (): string[] =>
    [...document.querySelectorAll(".MuiChip-label")].map((chip) => chip.textContent);
  const input = document.querySelector("input");
  const type = (text: string): void =>
    act(() => {
      Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value")?.set?.call(input, text);
      input?.dispatchEvent(new Event("input", { bubbles: true }));
    });
  expect(chips()).toEqual(["cold", "fragile"]);
  type("hea");
  expect(held).toBe("cold,fragile,hea");
  expect(chips()).toEqual(["cold", "fragile"]);
  type("heavy,");
  expect(chips()).toEqual(["cold", "fragile", "heavy"]);
  type("cold");
  act(() => void input?.dispatchEvent(new FocusEvent("focusout", { bubbles: true })));
  expect(held).toBe("cold,fragile,heavy");
  act(() => root.unmount());
});
