import {
  Box,
  Button,
  Tab,
  Table,
  TableBody,
  TableCell,
  TableRow,
  Tabs,
  TextField,
  Typography,
} from "@mui/material";
import {
  hasModule,
  type JobDetail,
  type Proof,
  type ProofCollections,
  type Reason,
  texts,
  useSession,
  type ViewName,
} from "@routewright/web";
import { type ReactNode, useState } from "react";
import { Modal } from "../shell/Modal.tsx";
import { Section } from "./JobProofDialog.tsx";
import { latestByStage, STAGES } from "./proof-rules.ts";
import { ProofCard } from "./ProofCard.tsx";
import { returnSteps, Steps, type TimelineStep, unitSteps } from "./Steps.tsx";

type Kind = "units" | "returns" | "containers";

interface Item {
  id: number;
  uid: string;
  proofs: Proof[];
  steps: TimelineStep[];
}

interface AttachmentProofsProps {
  job: Pick<JobDetail, "units" | "returns" | "timezone">;
  proofs: ProofCollections;
  reasons: ReadonlyMap<number, Reason>;
  view: ViewName;
}

/** Proofs of units, returns and containers, each found by its uid. */
export function AttachmentProofs({ job, proofs, reasons, view }: AttachmentProofsProps): ReactNode {
  const user = useSession((state) => state.user);
  const kinds = (["units", "returns", "containers"] as const).filter(
    (kind) => hasModule(user, kind, view) && !(kind === "containers" && view === "tracking"),
  );
  const [chosen, setChosen] = useState<Kind | null>(null);
  const [search, setSearch] = useState("");
  const [open, setOpen] = useState<Item | null>(null);
  const kind = chosen ?? kinds[0];
  if (kind === undefined) return <Typography color="textSecondary">{texts.common.nothingHere}</Typography>;
  const items = itemsOf(kind, job, proofs).filter(({ uid }) =>
    uid.toLowerCase().includes(search.trim().toLowerCase()),
  );
  return (
    <Box>
      <Tabs value={kind} onChange={(_, value: Kind) => setChosen(value)}>
        {kinds.map((name) => (
          <Tab key={name} value={name} label={texts.proofs[name]} />
        ))}
      </Tabs>
      <TextField
        placeholder={texts.proofs.searchUid}
        value={search}
        onChange={(event) => setSearch(event.target.value)}
        sx={{ my: 1, maxWidth: 260 }}
        slotProps={{ htmlInput: { "aria-label": texts.proofs.searchUid } }}
      />
      {items.length === 0 && <Typography color="textSecondary">{texts.common.nothingHere}</Typography>}
      <Table>
        <TableBody>
          {items.map((item) => (
            <TableRow key={item.id}>
              <TableCell>{item.uid}</TableCell>
              <TableCell align="right">
                <Button onClick={() => setOpen(item)}>{texts.proofs.details}</Button>
              </TableCell>
            </TableRow>
          ))}
        </TableBody>
      </Table>
      {open !== null && (
        <ItemDialog
          item={open}
          kind={kind}
          reasons={reasons}
          zone={job.timezone}
          onClose={() => setOpen(null)}
        />
      )}
    </Box>
  );
}

function itemsOf(kind: Kind, job: AttachmentProofsProps["job"], proofs: ProofCollections): Item[] {
  if (kind === "returns") {
    return job.returns.map(({ id, uid, created }) => {
      const own = proofs.return_proofs.filter((proof) => proof.return_id === id);
      return { id, uid, proofs: own, steps: returnSteps(created, own) };
    });
  }
  const units = kind === "units" ? job.units : job.units.filter((unit) => unit.container_id !== null);
  return units.map(({ id, uid, created, container_id: container }) => {
    // A container's proofs count for each unit in it.
    const own = proofs.unit_proofs.filter((proof) => proof.unit_id === id);
    const shared = proofs.container_proofs.filter(
      (proof) => container !== null && proof.container_id === container,
    );
    const all = kind === "units" ? own : [...own, ...shared];
    return { id, uid, proofs: all, steps: unitSteps(created, all) };
  });
}

const TITLES: Record<Kind, string> = {
  units: texts.proofs.unitProof,
  returns: texts.proofs.returnProof,
  containers: texts.proofs.containerProof,
};

interface ItemDialogProps {
  item: Item;
  kind: Kind;
  reasons: ReadonlyMap<number, Reason>;
  zone: string;
  onClose: () => void;
}

function ItemDialog({ item, kind, reasons, zone, onClose }: ItemDialogProps): ReactNode {
  const { latest, older } = latestByStage(item.proofs);
  return (
    <Modal
      title={`${TITLES[kind]} – ${item.uid}`}
      width="55%"
      onClose={onClose}
      actions={
        <Button onClick={onClose}>
          {kind === "returns" ? texts.proofs.showJobProof : texts.proofs.openJobProofs}
        </Button>
      }
    >
      <Section title={kind === "returns" ? texts.proofs.returnTimeline : texts.proofs.unitTimeline}>
        <Steps steps={item.steps} zone={zone} />
      </Section>
      <Section title={kind === "returns" ? texts.proofs.returnProof : texts.proofs.unitProof}>
        {item.proofs.length === 0 && <Typography color="textSecondary">{texts.proofs.none}</Typography>}
        {STAGES.map((stage) => {
          const proof = latest[stage];
          return proof === undefined ? null : (
            <ProofCard key={stage} proof={proof} reasons={reasons} zone={zone} />
          );
        })}
      </Section>
      {older.length > 0 && (
        <Section title={texts.proofs.older} closed>
          {older.map((proof) => (
            <ProofCard key={proof.id} proof={proof} reasons={reasons} zone={zone} />
          ))}
        </Section>
      )}
    </Modal>
  );
}
