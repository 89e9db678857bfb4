import { fill, type SizeClause, texts } from "@routewright/web";
import type { ReactNode } from "react";
import { Button } from "../phone/Button.tsx";
import { Field } from "../phone/Field.tsx";
import { amountOf, type Typed } from "./amounts.ts";

interface AmountsProps {
  planned: SizeClause;
  typed: Typed;
  onChange: (typed: Typed) => void;
}

/** How much of each measure was handed over: all of it unless the driver says less. */
export function Amounts({ planned, typed, onChange }: AmountsProps): ReactNode {
  return (
    <div className="ph-stack" role="group" aria-label={texts.runsheet.amounts}>
      {Object.entries(planned).map(([measure, amount]) => {
        const text = typed[measure] ?? String(amount);
        const now = amountOf(text, amount);
        const name = measure === "size" ? texts.runsheet.amount : measure;
        const label = fill(texts.runsheet.amountOf, { measure: name, planned: String(amount) });
        const step = (by: number): void => {
          const next = Math.min(amount, Math.max(0, (now ?? amount) + by));
          onChange({ ...typed, [measure]: String(Number(next.toFixed(3))) });
        };
        return (
          <div key={measure} className="ph-row ph-amount">
            <Field
              inputMode="decimal"
              label={label}
              error={now === null ? fill(texts.runsheet.amountRange, { planned: String(amount) }) : null}
              value={text}
              onChange={(value) => onChange({ ...typed, [measure]: value })}
            />
            <Button
              kind="outlined"
              label={fill(texts.runsheet.less, { measure: name })}
              disabled={now === 0}
              onClick={() => step(-1)}
            >
              −
            </Button>
            <Button
              kind="outlined"
              label={fill(texts.runsheet.more, { measure: name })}
              disabled={now === amount}
              onClick={() => step(1)}
            >
              +
            </Button>
          </div>
        );
      })}
    </div>
  );
}
