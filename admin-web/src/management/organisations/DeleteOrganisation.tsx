import { Button } from "@mui/material";
import { answer, fill, quietApi, refreshSession, texts, toastSuccess } from "@routewright/web";
import { useState } from "react";
import { useRecordContext, useRedirect } from "react-admin";
import { TypedNameDialog } from "../../ui/TypedNameDialog.tsx";

/** Deletes an organisation after its name was typed. */
export function DeleteOrganisation() {
  const row = useRecordContext<{ id: number; name: string; is_master: boolean }>();
  const redirect = useRedirect();
  const [open, setOpen] = useState(false);
  const words = texts.admin.deletion;
  if (!row || row.is_master) return null;
  const { id } = row;

  async function remove(name: string): Promise<void> {
    const params = { path: { id }, query: { name } };
    await answer(quietApi.DELETE("/organisations/{id}", { params }));
    toastSuccess(words.organisationDeleted);
    void refreshSession();
    redirect("list", "management/organisations");
  }
  return (
    <>
      <Button color="error" onClick={() => setOpen(true)}>
        {texts.common.delete}
      </Button>
      {open && (
        <TypedNameDialog
          name={row.name}
          title={fill(words.organisationTitle, { name: row.name })}
          text={words.organisationText}
          yes={texts.common.delete}
          onClose={() => setOpen(false)}
          act={remove}
        />
      )}
    </>
  );
}
