import RestoreIcon from "@mui/icons-material/RestoreFromTrash";
import { Button } from "@mui/material";
import { api, texts } from "@routewright/web";
import { useState } from "react";
import { useRecordContext, useRefresh } from "react-admin";
import { useMay } from "../../data/organisation.ts";

/** Brings a deleted driver back. */
export function RestoreDriver() {
  const driver = useRecordContext<{ id: number; deleted_at?: string | null }>();
  const mayWrite = useMay("drivers_write");
  const refresh = useRefresh();
  const [restoring, setRestoring] = useState(false);
  if (!driver?.deleted_at || !mayWrite) return null;

  async function restore(id: number): Promise<void> {
    setRestoring(true);
    try {
      await api.PATCH("/drivers/{id}/restore", { params: { path: { id } } });
      refresh();
    } finally {
      setRestoring(false);
    }
  }
  return (
    <Button
      size="small"
      startIcon={<RestoreIcon />}
      loading={restoring}
      onClick={(event) => {
        event.stopPropagation();
        void restore(driver.id);
      }}
    >
      {texts.admin.drivers.restore}
    </Button>
  );
}
