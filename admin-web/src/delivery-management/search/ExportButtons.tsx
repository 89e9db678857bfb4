import { texts } from "@routewright/web";
import { Button } from "@mui/material";
import type { Query } from "@routewright/web";
import { useListContext } from "react-admin";
import { exportFile } from "../../data/files.ts";
import { useMay } from "../../data/organisation.ts";

/** Exports everything that the list finds, as CSV or Excel. */
export function ExportButtons({ path, name }: { path: string; name: string }) {
  const list = useListContext();
  const may = useMay("excel_export");
  if (!may) return null;
  const query = list.filterValues as Query;
  return (
    <>
      <Button onClick={() => void exportFile(path, `${name}.csv`, { ...query, export: true, kind: "csv" })}>
        {texts.admin.search.csv}
      </Button>
      <Button
        onClick={() => void exportFile(path, `${name}.xlsx`, { ...query, export: true, kind: "excel" })}
      >
        {texts.admin.shared.excel}
      </Button>
    </>
  );
}
