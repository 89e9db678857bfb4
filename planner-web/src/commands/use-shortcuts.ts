import { useEffect, useRef } from "react";
import { openDialog, useDialogs } from "../plan/dialogs.ts";
import { type Command, useCommands } from "./use-commands.ts";

/** Has the keys of the page's commands work, but not where somebody types, nor behind a dialog. */
export function useShortcuts(): void {
  const commands = useCommands();
  const latest = useRef(commands);
  useEffect(() => {
    latest.current = commands;
  });
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (event.defaultPrevented || event.repeat || event.altKey || isTyping(event.target)) return;
      if (
        useDialogs.getState().open.length > 0 ||
        document.querySelector("[role=dialog], [role=menu]") !== null
      )
        return;
      const act =
        event.key === "?" ? () => openDialog({ kind: "commands" }) : actionOf(event, latest.current);
      if (act === undefined) return;
      event.preventDefault();
      act();
    };
    window.addEventListener("keydown", onKey);
    return () => window.removeEventListener("keydown", onKey);
  }, []);
}

type Pressed = Pick<KeyboardEvent, "key" | "ctrlKey" | "metaKey" | "shiftKey">;

/** What a key does. */
export function actionOf(
  { key, ctrlKey, metaKey, shiftKey }: Pressed,
  commands: readonly Command[],
): (() => void) | undefined {
  const pressed = [
    ...(ctrlKey || metaKey ? ["mod"] : []),
    ...(shiftKey ? ["shift"] : []),
    key.toLowerCase(),
  ].join("+");
  // Some are used to another key for it.
  const meant = pressed === "mod+y" ? "mod+shift+z" : pressed;
  return commands.find(({ keys }) => keys === meant)?.act;
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || target.closest("input, textarea, select, [role=textbox]") !== null)
  );
}
