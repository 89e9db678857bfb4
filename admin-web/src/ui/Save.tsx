import { SaveButton, type SaveButtonProps } from "react-admin";
import { useFormContext } from "react-hook-form";

/**
 * Saves the form around it. What the server refused is forgotten first: a refusal of a field that the form does not
 * show would else hold up every further try.
 */
export function Save(props: SaveButtonProps) {
  const { clearErrors } = useFormContext();
  return <SaveButton {...props} onClick={() => clearErrors()} />;
}
