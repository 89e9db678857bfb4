import { cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { AdminContext, Form } from "react-admin";
import { afterEach, describe, expect, it } from "vitest";
import { NumberInput } from "../inputs/index.ts";
import { amount } from "../inputs/validators.ts";
import { createI18n } from "./i18n.ts";
import { NOUNS } from "./nouns.ts";

afterEach(cleanup);

describe("numbers of a form W-090", () => {
  it("are typed with a point or a comma; what is not clear is told and not sent", async () => {
    const sent: unknown[] = [];
    render(
      <AdminContext i18nProvider={createI18n(NOUNS)}>
        <Form onSubmit={(values: unknown) => void sent.push(values)} record={{ cost: 3 }}>
          <NumberInput source="cost" label="Cost" validate={amount} />
          <button type="submit">Go</button>
        </Form>
      </AdminContext>,
    );
    const field = screen.getByLabelText<HTMLInputElement>("Cost");
    expect(field.value).toBe("3");
    const type = (text: string): void => {
      fireEvent.change(field, { target: { value: text } });
      fireEvent.blur(field);
      fireEvent.click(screen.getByText("Go"));
    };
    for (const [text, value] of [
      ["1,5", 1.5],
      ["2.5", 2.5],
      ["", null],
    ] as const) {
      type(text);
      await waitFor(() => expect(sent.at(-1)).toEqual({ cost: value }));
    }
    type("1,234");
    await screen.findByText("Enter thousands without a comma, decimals with a point");
    expect(field.value).toBe("1,234");
    type("-1");
    await screen.findByText("Value cannot be negative");
    expect(sent.length).toBe(3);
  });
});
