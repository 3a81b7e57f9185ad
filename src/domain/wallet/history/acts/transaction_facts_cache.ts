import type { Hex } from "../../../../lib/bytes.ts";
import { WalletCache } from "../../../address/movements/wallet_cache.ts";

/** The call of a transaction. */
export interface TransactionCall {
  readonly sender: Hex;
  /** '' for a contract creation. */
  readonly recipient: Hex;
  /** '' without a selector. */
  readonly selector: Hex;
  readonly is_creation: boolean;
  readonly succeeded: boolean;
}

/** A protocol's event about a position of the wallet. */
export interface ObservedPositionEvent {
  readonly kind: string;
  readonly contract: Hex;
  readonly has_pool: boolean;
}

/** Facts about a wallet's transactions beyond its movements, by transaction (`block:index`). */
export interface TransactionFacts {
  readonly calls: Map<string, TransactionCall>;
  readonly said: Map<string, readonly ObservedPositionEvent[]>;
  /** Transactions in which a pool traded while the wallet gave and received. */
  readonly traded: Set<string>;
  /** Facts of blocks that are not final yet. */
  readonly above?: TransactionFacts;
}

/** Facts of the final blocks from `since` (unix seconds) up to `block`. */
export interface CachedTransactionFacts extends TransactionFacts {
  readonly since: number;
  block: number;
}

export const noTransactionFacts = (): TransactionFacts => ({ calls: new Map(), said: new Map(), traded: new Set() });

export const sizeOf = ({ calls, said, traded }: TransactionFacts): number => calls.size + said.size + traded.size;

/** Memory of one transaction: its key and its call. */
const TRANSACTION_BYTES = 300;
/** Approximate limits of memory, for one wallet and for all of them. */
const BOUNDS = { one_max: 200_000 * TRANSACTION_BYTES, all_max: 300_000 * TRANSACTION_BYTES };

/** Cached transaction facts of final blocks, beside the cached movements (`KeptMovements`). */
export class TransactionFactsCache extends WalletCache<CachedTransactionFacts> {
  constructor() {
    super({ ...BOUNDS, sizeOf: (part) => sizeOf(part) * TRANSACTION_BYTES });
  }
}
