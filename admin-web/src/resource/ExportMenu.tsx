import DownloadIcon from "@mui/icons-material/Download";
import { Button, Menu, MenuItem } from "@mui/material";
import { type Query, texts } from "@routewright/web";
import { type ReactNode, useState } from "react";
import { useListContext } from "react-admin";
import { exportFile } from "../data/files.ts";
import type { ListFiles } from "../data/noun.ts";
import { useMay } from "../data/organisation.ts";

/**
 * Exports all that the list finds: files of the server where there are some and the user may have them, else
 * `children`, which export the rows as they are shown.
 */
export function ExportMenu({ files, children }: { files: ListFiles | undefined; children: ReactNode }) {
  const list = useListContext();
  const may = useMay("excel_export");
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  if (files === undefined || !may) return children;
  const { path, name, byMail, sorted } = files;
  const { csv, excel, csvByMail, excelByMail } = texts.admin.shared;
  const kinds = [
    ["csv", "csv", byMail ? csvByMail : csv],
    ["excel", "xlsx", byMail ? excelByMail : excel],
  ] as const;
  return (
    <>
      <Button
        startIcon={<DownloadIcon />}
        aria-haspopup="menu"
        aria-expanded={anchor !== null}
        onClick={(event) => setAnchor(event.currentTarget)}
      >
        {texts.admin.shared.export}
      </Button>
      <Menu anchorEl={anchor} open={anchor !== null} onClose={() => setAnchor(null)}>
        {kinds.map(([kind, ending, label]) => (
          <MenuItem
            key={kind}
            onClick={() => {
              setAnchor(null);
              const { field, order } = list.sort;
              const inOrder = sorted && field !== "id" && { sort_by: field, sort_order: order.toLowerCase() };
              const filters = list.filterValues as Query;
              const query = { ...filters, ...inOrder, ...(!byMail && { export: true }), kind };
              void exportFile(path, `${name}.${ending}`, query);
            }}
          >
            {label}
          </MenuItem>
        ))}
      </Menu>
    </>
  );
}
