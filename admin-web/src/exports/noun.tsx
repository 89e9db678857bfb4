import { Button, Chip } from "@mui/material";
import { quietApi, answer, apiUrl, toastError, messageOfError, texts } from "@routewright/web";
import type { ExcelExport } from "@routewright/web/model";
import { SelectInput, useRecordContext } from "react-admin";
import type { Noun } from "../data/noun.ts";
import { choiceName, choices } from "../resource/planning.ts";

const COLOURS = { pending: "warning", ready: "success", failed: "error" } as const;

/** Files that were asked for and are made in the background; they are kept for 7 days. */
export const exportList: Noun = {
  name: "exports/exports",
  path: "excel_exports",
  ...texts.admin.nouns.exportList,
  levels: { read: "excel_export", write: "excel_export", delete: "excel_export" },
  representation: "name",
  deletable: false,
  columns: [
    { source: "name" },
    { source: "source", kind: "choice", sortable: false },
    { source: "kind", kind: "choice", sortable: false },
    {
      source: "status",
      sortable: false,
      render: (record) => <Status status={(record as ExcelExport).status} />,
    },
    { source: "created", kind: "moment" },
  ],
  filters: [
    <SelectInput
      key="source"
      source="source"
      choices={choices(["jobs", "units", "runs", "returns", "run_cost_calculator", "proofs", "audit"])}
    />,
    <SelectInput key="status" source="status" choices={choices(["pending", "ready", "failed"])} />,
  ],
  rowActions: <Download />,
};

function Status({ status }: { status: ExcelExport["status"] }) {
  return <Chip size="small" label={choiceName(status)} color={COLOURS[status]} variant="outlined" />;
}

function Download() {
  const file = useRecordContext<ExcelExport>();
  if (!file || file.status !== "ready" || file.file_id === null) return null;
  const id = file.file_id;
  async function open(): Promise<void> {
    try {
      const { link } = await answer(quietApi.GET("/files/get_temp_link/{id}", { params: { path: { id } } }));
      window.location.assign(apiUrl(link));
    } catch (error) {
      toastError(messageOfError(error));
    }
  }
  return <Button onClick={() => void open()}>{texts.common.download}</Button>;
}
