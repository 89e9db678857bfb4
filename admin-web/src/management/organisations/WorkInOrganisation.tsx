import LoginIcon from "@mui/icons-material/Login";
import { Button } from "@mui/material";
import { enterOrganisation, isMaster, useSession, texts } from "@routewright/web";
import { useState } from "react";
import { useRecordContext } from "react-admin";

/** Lets a Master user work inside the organisation of the row; the whole dashboard is drawn anew for it. */
export function WorkInOrganisation() {
  const record = useRecordContext<{
    id: number;
    name: string;
    is_master?: boolean;
    parent_organisation_id?: number | null;
    state?: string;
  }>();
  const master = useSession((state) => isMaster(state.user));
  const [entering, setEntering] = useState(false);
  if (!record || !master || record.is_master || record.parent_organisation_id) return null;
  if (record.state !== undefined && record.state !== "ready") return null;
  const { id, name } = record;

  async function enter(): Promise<void> {
    setEntering(true);
    await enterOrganisation({ id, name });
    window.location.assign("/dashboard/");
  }
  return (
    <Button
      size="small"
      startIcon={<LoginIcon />}
      loading={entering}
      onClick={(event) => {
        event.stopPropagation();
        void enter();
      }}
      sx={{ whiteSpace: "nowrap" }}
    >
      {texts.admin.organisations.workInOrganisation}
    </Button>
  );
}
