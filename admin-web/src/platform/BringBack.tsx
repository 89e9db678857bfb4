import { Button } from "@mui/material";
import { answer, quietApi, texts } from "@routewright/web";
import { useRecordContext } from "react-admin";
import { useMay } from "../data/organisation.ts";
import { useRowAction } from "../ui/row-action.ts";

/** Brings a deleted organisation back with everything in it. */
export function BringBack() {
  const row = useRecordContext<{ id: number; state: string }>();
  const may = useMay("organisations_write");
  const { busy, act } = useRowAction();
  const words = texts.admin.deletion;
  if (!row || !may || row.state !== "deleting") return null;
  const params = { path: { id: row.id } };
  const bringBack = () =>
    act(answer(quietApi.POST("/operators/organisations/{id}/undelete", { params })), words.broughtBack);
  return (
    <Button loading={busy} onClick={() => void bringBack()}>
      {words.bringBack}
    </Button>
  );
}
