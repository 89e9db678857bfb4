import { Button } from "@mui/material";
import { Facts, type Proof, type Reason, texts } from "@routewright/web";
import { ItemProofs, type TimelineStep } from "@routewright/web/proofs";
import type { ReactNode } from "react";
import { Modal } from "../ui/Modal.tsx";

export type ItemKind = "units" | "returns" | "containers";

const TITLES: Record<ItemKind, string> = {
  units: texts.proofs.unitProof,
  returns: texts.proofs.returnProof,
  containers: texts.proofs.containerProof,
};

export interface ProofItem {
  uid: string;
  proofs: readonly Proof[];
  steps: readonly TimelineStep[];
}

interface ItemProofDialogProps {
  item: ProofItem;
  kind: ItemKind;
  /** Job that the item belongs to, as the return proof sums it up. */
  job?: { uid: string; customer_name: string | null; location: { address: string } };
  reasons: ReadonlyMap<number, Reason>;
  zone: string | null | undefined;
  onClose: () => void;
  /** Opens or goes back to the proofs of the job; `null`: there is no job. */
  onJobProof: (() => void) | null;
}

/** Unit Proof, Return Proof or Container Proof: timeline and proofs of one item. */
export function ItemProofDialog(props: ItemProofDialogProps): ReactNode {
  const { item, kind, job, reasons, zone, onClose, onJobProof } = props;
  const isReturn = kind === "returns";
  return (
    <Modal
      title={`${TITLES[kind]} – ${item.uid}`}
      width="55%"
      onClose={onClose}
      actions={
        <>
          {onJobProof !== null && (
            <Button onClick={onJobProof}>
              {isReturn ? texts.proofs.showJobProof : texts.proofs.openJobProofs}
            </Button>
          )}
          <Button onClick={onClose}>{texts.common.close}</Button>
        </>
      }
    >
      {isReturn && job !== undefined && (
        <Facts
          facts={[
            [texts.units.job, job.uid],
            [texts.jobs.fields.customer_name, job.customer_name],
            [texts.jobs.fields.address, job.location.address],
          ]}
        />
      )}
      <ItemProofs steps={item.steps} proofs={item.proofs} reasons={reasons} zone={zone} isReturn={isReturn} />
    </Modal>
  );
}
