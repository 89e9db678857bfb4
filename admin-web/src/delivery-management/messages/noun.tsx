import { Button } from "@mui/material";
import { answer, fill, quietApi, type Schemas, texts } from "@routewright/web";
import { SelectInput, useRecordContext } from "react-admin";
import { levelsOf, type Noun } from "../../data/noun.ts";
import { useMay } from "../../data/organisation.ts";
import { OneInput, SCENARIO_FILTER } from "../../inputs/index.ts";
import { choices } from "../../resource/planning.ts";
import { useRowAction } from "../../ui/row-action.ts";

const STATES = ["pending", "sending", "sent", "failed", "unknown", "rehearsal"];

/** Mails and text messages of the organisation, and what became of them. Their text is not shown: it may hold keys. */
export const messages: Noun = {
  name: "delivery_management/messages",
  path: "messages",
  ...texts.admin.nouns.messages,
  levels: levelsOf("runs"),
  representation: "id",
  deletable: false,
  creatable: false,
  columns: [
    { source: "created", kind: "moment" },
    { source: "kind", kind: "choice", sortable: false },
    { source: "channel", kind: "choice" },
    { source: "recipients", kind: "names", sortable: false },
    { source: "subject" },
    { source: "run_id", reference: "database/runs", sortable: false },
    { source: "job_id", reference: "database/jobs", sortable: false, hidden: true },
    { source: "state", kind: "choice" },
    { source: "attempts", kind: "number", sortable: false },
    { source: "error", sortable: false },
    { source: "sent_at", kind: "moment" },
  ],
  filters: [
    <SelectInput key="state" source="state" choices={choices(STATES)} alwaysOn />,
    <SelectInput key="channel" source="channel" choices={choices(["email", "sms", "webhook", "partner"])} />,
    SCENARIO_FILTER,
    <OneInput key="run" source="run_id" of="database/runs" />,
    <OneInput key="job" source="job_id" of="database/jobs" />,
  ],
  rowActions: <Settle />,
};

/** What was not taken is sent again; of what nobody knows somebody may know that it arrived. */
function Settle() {
  const message = useRecordContext<Schemas["Message"]>();
  const may = useMay("runs_write");
  const { busy, act } = useRowAction();
  if (!message || !may || !["failed", "unknown"].includes(message.state)) return null;
  const { id, recipients, state } = message;
  const to = recipients.join(", ");

  const settle = (call: Promise<unknown>, said: string) => act(call, fill(said, { to }));
  const params = { path: { id } };
  return (
    <>
      <Button
        disabled={busy}
        onClick={() =>
          void settle(answer(quietApi.POST("/messages/{id}/send_again", { params })), texts.messages.onItsWay)
        }
      >
        {texts.messages.sendAgain}
      </Button>
      {state === "unknown" && (
        <Button
          disabled={busy}
          onClick={() =>
            void settle(
              answer(quietApi.POST("/messages/{id}/arrived", { params })),
              texts.messages.nowArrived,
            )
          }
        >
          {texts.messages.arrived}
        </Button>
      )}
    </>
  );
}
