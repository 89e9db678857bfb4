import type { Firm } from "../attack/firm.ts";
import type { MailServer } from "./mail-server.ts";
import type { Product } from "./product.ts";
import type { Tally } from "./tally.ts";

/** What works stand on. */
export interface Ground {
  firm: Firm;
  product: Product;
  mail: MailServer;
}

/** One kind of work, in the middle of which the product is killed. */
export interface Work {
  name: string;
  /** Makes one piece of it ready. `n` counts the pieces. */
  prepare: (ground: Ground, n: number, tally: Tally) => Promise<Piece>;
}

export interface Piece {
  /** Does it. What does not answer any more is no fault. */
  act: () => Promise<void>;
  /** Ends what runs beside the product. */
  kill?: () => void;
  /** Looks at what is there after the start, sends what got no answer again, and looks once more. */
  again: () => Promise<void>;
  /** Looks at it when everything that goes on by itself has come to its end. */
  settled: () => Promise<void>;
}

export const nothing = (): Promise<void> => Promise.resolve();
