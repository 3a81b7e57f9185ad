import type { Hex } from "../../../../lib/bytes.ts";
import { KeptWallets } from "../../../address/movements/kept_wallets.ts";

/** What was called. */
export interface Call {
  readonly sender: Hex;
  /** '' of a creation. */
  readonly recipient: Hex;
  /** '' without one. */
  readonly selector: Hex;
  readonly is_creation: boolean;
  readonly succeeded: boolean;
}

/** What a protocol said about a position of the wallet. */
export interface PositionEventSeen {
  readonly kind: string;
  readonly contract: Hex;
  readonly has_pool: boolean;
}

/** What facts tell of a wallet's transactions beside what moved of it, by place (`block:index`). */
export interface TransactionFacts {
  readonly calls: Map<string, Call>;
  readonly said: Map<string, readonly PositionEventSeen[]>;
  /** A pool traded while the wallet gave and got. */
  readonly traded: Set<string>;
  /** The same of blocks that are not final yet. */
  readonly above?: TransactionFacts;
}

/** Of the final blocks from `since` (unix seconds) up to `block`. */
export interface KeptPart extends TransactionFacts {
  readonly since: number;
  block: number;
}

export const noTransactionFacts = (): TransactionFacts => ({ calls: new Map(), said: new Map(), traded: new Set() });

export const sizeOf = ({ calls, said, traded }: TransactionFacts): number => calls.size + said.size + traded.size;

/** Of one transaction: its place as a text, and what was called. */
const TRANSACTION_BYTES = 300;
/** Rough bytes of memory that one wallet, and all of them, may take. */
const BOUNDS = { one_max: 200_000 * TRANSACTION_BYTES, all_max: 300_000 * TRANSACTION_BYTES };

/** What was told of final blocks, read once, beside the movements that are kept (`KeptMovements`). */
export class KeptTransactionFacts extends KeptWallets<KeptPart> {
  constructor() {
    super({ ...BOUNDS, sizeOf: (part) => sizeOf(part) * TRANSACTION_BYTES });
  }
}
