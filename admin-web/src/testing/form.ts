import { fireEvent, screen, waitFor } from "@testing-library/react";
import { expect } from "vitest";

/** Saves the form on the screen as soon as it can be: its button waits while the values are judged or sent. */
export async function save(): Promise<void> {
  const button = screen.getByRole<HTMLButtonElement>("button", { name: "Save" });
  await waitFor(() => expect(button.disabled).toBe(false));
  fireEvent.click(button);
}
