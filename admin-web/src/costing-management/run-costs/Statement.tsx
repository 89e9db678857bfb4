import StatementIcon from "@mui/icons-material/ReceiptLongOutlined";
import {
  Box,
  Button,
  Dialog,
  DialogActions,
  DialogContent,
  DialogTitle,
  ToggleButton,
  ToggleButtonGroup,
} from "@mui/material";
import { dayjs, messageOfError, requestBlob, saveFile, texts, withToast } from "@routewright/web";
import { useState } from "react";
import { Form, useListContext } from "react-admin";
import type { FieldValues } from "react-hook-form";
import { useMay, useTimezone } from "../../data/organisation.ts";
import { DayInput, OneInput } from "../../inputs/index.ts";
import { needed } from "../../inputs/validators.ts";

const { costing, nouns, shared } = texts.admin;
type Party = "client_id" | "haulier_id";

/** Makes the statement of a client or a haulier: what is billed of a period, as PDF. */
export function Statement() {
  const [open, setOpen] = useState(false);
  const mayRuns = useMay("runs_read");
  if (!mayRuns) return null;
  return (
    <>
      <Button size="small" startIcon={<StatementIcon />} onClick={() => setOpen(true)}>
        {costing.statement}
      </Button>
      {open && <StatementDialog onClose={() => setOpen(false)} />}
    </>
  );
}

function StatementDialog({ onClose }: { onClose: () => void }) {
  const filters = useListContext().filterValues as FieldValues;
  const timezone = useTimezone();
  const seesClients = useMay("clients_read");
  const seesHauliers = useMay("hauliers_read");
  const [party, setParty] = useState<Party>(
    seesHauliers && (!seesClients || (filters["haulier_id"] && !filters["client_id"]))
      ? "haulier_id"
      : "client_id",
  );
  const [busy, setBusy] = useState(false);
  const month = dayjs().tz(timezone).subtract(1, "month");
  const suggested = {
    client_id: (filters["client_id"] ?? null) as number | null,
    haulier_id: (filters["haulier_id"] ?? null) as number | null,
    scheduled_date_start: (filters["scheduled_date_start"] ??
      month.startOf("month").format("YYYY-MM-DD")) as string,
    scheduled_date_end: (filters["scheduled_date_end"] ??
      month.endOf("month").format("YYYY-MM-DD")) as string,
  };

  async function make(form: FieldValues): Promise<void> {
    const { scheduled_date_start: start, scheduled_date_end: end } = form as typeof suggested;
    setBusy(true);
    const work = requestBlob("/run_cost_calculator/statement", {
      query: { [party]: form[party] as number, scheduled_date_start: start, scheduled_date_end: end },
      quiet: true,
    }).then((bytes) => saveFile(bytes, `statement-${start}-${end}.pdf`));
    await withToast(work, {
      loading: costing.makingStatement,
      success: shared.exportingFinished,
      failure: messageOfError,
    }).then(onClose, () => setBusy(false));
  }
  return (
    <Dialog open onClose={onClose} aria-labelledby="statement" fullWidth maxWidth="sm">
      <DialogTitle id="statement">{costing.statementTitle}</DialogTitle>
      <Form defaultValues={suggested} onSubmit={make}>
        <DialogContent>
          {seesClients && seesHauliers && (
            <ToggleButtonGroup
              exclusive
              size="small"
              color="primary"
              value={party}
              onChange={(_, chosen: Party | null) => chosen && setParty(chosen)}
              sx={{ mb: 2 }}
            >
              <ToggleButton value="client_id">{nouns.clients.singular}</ToggleButton>
              <ToggleButton value="haulier_id">{nouns.hauliers.singular}</ToggleButton>
            </ToggleButtonGroup>
          )}
          <OneInput
            key={party}
            source={party}
            of={party === "client_id" ? "database/clients" : "transport_management/hauliers"}
            validate={needed(party === "client_id" ? costing.clientNeeded : costing.haulierNeeded)}
            helperText={party === "client_id" ? costing.clientHelp : costing.haulierHelp}
          />
          <Box
            sx={{ display: "flex", columnGap: 2, flexWrap: "wrap", pt: 2, "& > *": { flex: "1 1 200px" } }}
          >
            <DayInput
              source="scheduled_date_start"
              label={shared.from}
              validate={needed(texts.admin.exports.dayNeeded)}
            />
            <DayInput
              source="scheduled_date_end"
              label={shared.until}
              validate={needed(texts.admin.exports.dayNeeded)}
            />
          </Box>
        </DialogContent>
        <DialogActions>
          <Button onClick={onClose}>{texts.common.cancel}</Button>
          <Button type="submit" variant="contained" loading={busy}>
            {costing.makeStatement}
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  );
}
