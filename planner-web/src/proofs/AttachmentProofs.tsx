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
  type ProofCollections,
  type Reason,
  texts,
  useSession,
  type ViewName,
} from "@routewright/web";
import { returnSteps, unitSteps } from "@routewright/web/proofs";
import { type ReactNode, useState } from "react";
import { type ItemKind, ItemProofDialog, type ProofItem } from "./ItemProofDialog.tsx";

interface Item extends ProofItem {
  id: number;
}

interface AttachmentProofsProps {
  job: Pick<JobDetail, "uid" | "customer_name" | "location" | "units" | "returns" | "timezone">;
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
  const [chosen, setChosen] = useState<ItemKind | null>(null);
  const [search, setSearch] = useState("");
  const [open, setOpen] = useState<Item | null>(null);
  const kind = chosen ?? kinds[0];
  if (kind === undefined) return <Typography color="textSecondary">{texts.common.nothingHere}</Typography>;
  const items = itemsOf(kind, job, proofs).filter(({ uid }) =>
    uid.toLowerCase().includes(search.trim().toLowerCase()),
  );
  return (
    <Box>
      <Tabs value={kind} onChange={(_, value: ItemKind) => setChosen(value)}>
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
        <ItemProofDialog
          item={open}
          kind={kind}
          job={job}
          reasons={reasons}
          zone={job.timezone}
          onClose={() => setOpen(null)}
          onJobProof={() => setOpen(null)}
        />
      )}
    </Box>
  );
}

function itemsOf(kind: ItemKind, job: AttachmentProofsProps["job"], proofs: ProofCollections): Item[] {
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
