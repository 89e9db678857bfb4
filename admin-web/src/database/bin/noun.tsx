import { Button } from "@mui/material";
import { answer, fill, quietApi, type Schemas, texts } from "@routewright/web";
import { SelectInput, useRecordContext } from "react-admin";
import type { Noun } from "../../data/noun.ts";
import { choices } from "../../resource/planning.ts";
import { useRowAction } from "../../ui/row-action.ts";

const KINDS = ["clients", "jobs", "locations", "scenarios", "territories", "vehicles"];

/** What was deleted lately and can be brought back; everybody sees what they may delete. */
export const bin: Noun = {
  name: "database/bin",
  path: "bin",
  ...texts.admin.nouns.bin,
  levels: { read: "jobs_delete", write: "jobs_delete", delete: "jobs_delete" },
  representation: "name",
  nothing: texts.admin.deletion.binEmpty,
  creatable: false,
  deletable: false,
  columns: [
    { source: "name" },
    { source: "kind", kind: "choice" },
    { source: "deleted_by_id", reference: "management/users", sortable: false },
    { source: "deleted_at", kind: "moment" },
    { source: "purged_at", kind: "moment", sortable: false },
  ],
  filters: [<SelectInput key="kind" source="kind" choices={choices(KINDS)} alwaysOn />],
  rowActions: <Restore />,
};

/** Brings one back whole. */
function Restore() {
  const entry = useRecordContext<Schemas["Binned"]>();
  const { busy, act } = useRowAction();
  const words = texts.admin.deletion;
  if (!entry) return null;
  const params = { path: { id: entry.id } };
  const restore = () =>
    act(
      answer(quietApi.POST("/bin/{id}/restore", { params })),
      fill(words.restored, { name: entry.name ?? "" }),
    );
  return (
    <Button loading={busy} onClick={() => void restore()}>
      {words.restore}
    </Button>
  );
}
