import { useEffect } from "react";
import { SaveButton, type SaveButtonProps } from "react-admin";
import { useFormContext } from "react-hook-form";

/**
 * Saves the form around it. What the server refused is forgotten first: a refusal of a field that the form does not
 * show would else hold up every further try. What was wrong with a field is forgotten as soon as it is changed; it is
 * judged again when the form is saved.
 */
export function Save(props: SaveButtonProps) {
  const { clearErrors, getFieldState, watch } = useFormContext();
  useEffect(() => {
    const changes = watch((_, { name }) => {
      if (name !== undefined && getFieldState(name).error !== undefined) clearErrors(name);
    });
    return () => changes.unsubscribe();
  }, [clearErrors, getFieldState, watch]);
  return <SaveButton {...props} onClick={() => clearErrors()} />;
}
