import RestoreIcon from "@mui/icons-material/RestoreFromTrash";
import { Button } from "@mui/material";
import { fill, request, texts } from "@routewright/web";
import { useRecordContext } from "react-admin";
import { useMay } from "../data/organisation.ts";
import { represent } from "../data/noun.ts";
import { useRowAction } from "../ui/row-action.ts";
import { nounBy } from "./registry.ts";

/** Brings back a record that is only marked as deleted, by its noun's name. */
export function RestoreDeleted({ of }: { of: string }) {
  const noun = nounBy(of);
  const record = useRecordContext<{ id: number; deleted_at?: string | null }>();
  const mayRestore = useMay(noun.levels.delete);
  const { busy, act } = useRowAction();
  if (!record?.deleted_at || !mayRestore) return null;
  const restored = fill(texts.admin.deletion.restored, { name: represent(noun, record) });
  return (
    <Button
      size="small"
      startIcon={<RestoreIcon />}
      loading={busy}
      onClick={(event) => {
        event.stopPropagation();
        const path = `/${noun.path}/${record.id}/restore`;
        void act(request(path, { method: "PATCH", quiet: true }), restored);
      }}
    >
      {texts.admin.deletion.restore}
    </Button>
  );
}
