import { texts } from "@routewright/web";
import {
  createContext,
  type ReactNode,
  useContext,
  useEffect,
  useId,
  useMemo,
  useRef,
  useState,
} from "react";
import { ConfirmDialog } from "./ConfirmDialog.tsx";
import { DockContext } from "./dock.ts";

interface Scope {
  /** Notes whether the form with this id holds typing that is not saved. */
  hold: (id: string, unsaved: boolean) => void;
  /** Does what leaves the forms, after a question where typing would be lost; `stay` when that is answered with no. */
  leave: (act: () => void, stay?: () => void) => void;
}

const Context = createContext<Scope>({ hold: () => undefined, leave: (act) => act() });

/** Forms that are left together; every dialog is one such scope. Who leaves a scope leaves those within it. */
export function UnsavedScope({ children }: { children: ReactNode }): ReactNode {
  const held = useRef(new Set<string>());
  const around = useContext(Context);
  const [leaving, setLeaving] = useState<{ act: () => void; stay?: (() => void) | undefined } | null>(null);
  const scope = useMemo<Scope>(
    () => ({
      hold: (id, unsaved) => {
        if (unsaved) held.current.add(id);
        else held.current.delete(id);
        around.hold(id, unsaved);
      },
      leave: (act, stay) => (held.current.size === 0 ? act() : setLeaving({ act, stay })),
    }),
    [around],
  );
  return (
    <Context.Provider value={scope}>
      {children}
      {leaving !== null && (
        <DockContext value={null}>
          <ConfirmDialog
            title={texts.common.unsavedTitle}
            text={texts.common.unsavedText}
            cancel={texts.common.keepEditing}
            onClose={() => {
              setLeaving(null);
              leaving.stay?.();
            }}
            choices={[
              {
                label: texts.common.discard,
                colour: "error",
                act: () => {
                  setLeaving(null);
                  leaving.act();
                },
              },
            ]}
          />
        </DockContext>
      )}
    </Context.Provider>
  );
}

/** Leaves the forms around: asked first while one of them holds typing that is not saved. */
export function useLeave(): Scope["leave"] {
  return useContext(Context).leave;
}

/** Says to the dialog around, and to the browser's tab, that typing would be lost. */
export function useUnsaved(unsaved: boolean): void {
  const id = useId();
  const { hold } = useContext(Context);
  useEffect(() => {
    hold(id, unsaved);
    if (!unsaved) return;
    const stay = (event: BeforeUnloadEvent): void => event.preventDefault();
    window.addEventListener("beforeunload", stay);
    return () => {
      window.removeEventListener("beforeunload", stay);
      hold(id, false);
    };
  }, [hold, id, unsaved]);
}

/** Whether a value that can be written as JSON differs from what it was at first. */
export function useChanged(value: unknown): boolean {
  const now = JSON.stringify(value);
  const [first] = useState(now);
  return now !== first;
}
