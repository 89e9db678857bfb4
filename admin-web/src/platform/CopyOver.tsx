import { answer, fill, quietApi, type Schemas, texts } from "@routewright/web";
import { TypedNameDialog } from "../ui/TypedNameDialog.tsx";

/** What takes the place of an organisation's data: a backup, or the same in another database. */
export type Over = { file: string; made: string } | { placement: string };

interface Props {
  row: { id: number; name: string };
  over: Over;
  onClose: () => void;
  onOrdered: (copies: Schemas["OrganisationCopies"]) => void;
}

/** Restores or moves an organisation after its name was typed. */
export function CopyOver({ row, over, onClose, onOrdered }: Props) {
  const words = texts.admin.platform;
  const restores = "file" in over;

  async function order(name: string): Promise<void> {
    const params = { path: { id: row.id } };
    const ordered = restores
      ? quietApi.POST("/operators/organisations/{id}/restore", { params, body: { name, file: over.file } })
      : quietApi.POST("/operators/organisations/{id}/move", {
          params,
          body: { name, placement: over.placement },
        });
    onOrdered(await answer(ordered));
  }
  return (
    <TypedNameDialog
      name={row.name}
      title={
        restores
          ? fill(words.restoreTitle, { name: row.name, made: over.made })
          : fill(words.moveTitle, { name: row.name, placement: over.placement })
      }
      text={restores ? words.restoreText : words.moveText}
      yes={restores ? words.restore : words.move}
      onClose={onClose}
      act={order}
    />
  );
}
