import { Dialog } from "@mui/material";
import { createTheme, ThemeProvider } from "@mui/material/styles";
import { act, type ReactNode } from "react";
import type { Root } from "react-dom/client";
import { toast } from "sonner";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Toasts } from "./Toasts.tsx";
import { freshRoot } from "../testing/fresh-root.ts";

const theme = createTheme({ cssVariables: true });

function App({ dialog }: { dialog: boolean }): ReactNode {
  return (
    <ThemeProvider theme={theme}>
      <Toasts />
      {dialog && <Dialog open>Dispatch runs</Dialog>}
    </ThemeProvider>
  );
}

describe("where toasts appear", () => {
  let root: Root;

  beforeEach(() => {
    root = freshRoot();
  });
  afterEach(() => act(() => root.unmount()));

  /** Toasts, and what the observer of the page sees, arrive a task later. */
  async function after(step: () => unknown): Promise<void> {
    await act(async () => {
      step();
      await new Promise((resolve) => setTimeout(resolve, 20));
    });
  }

  const show = (dialog: boolean): Promise<void> => after(() => root.render(<App dialog={dialog} />));
  const say = (text: string): Promise<void> => after(() => toast(text, { id: text, duration: Infinity }));

  const place = (): string | undefined =>
    document.querySelector<HTMLElement>("[data-sonner-toaster]")?.dataset["xPosition"];
  /** The observer of the page and the toasts take a moment on a busy machine. */
  const placed = (at: string): Promise<void> =>
    vi.waitFor(
      async () => {
        await after(() => undefined);
        expect(place()).toBe(at);
      },
      { timeout: 10_000 },
    );

  it("W-017: is below on the left, and in the middle as long as a dialog is open or something stands there", async () => {
    await show(false);
    await say("320 jobs");
    await placed("left");
    await show(true);
    await placed("center");
    await show(false);
    await placed("center");
    await after(() => toast.dismiss("320 jobs"));
    await say("Saved");
    await placed("left");
  });
});
