import type { Hex } from "../../../lib/bytes.ts";
import type { Snapshot } from "../../../store/facts.ts";
import type { CacheFigures } from "../../address/movements/wallet_cache.ts";
import type { PeerKind, PnlLedger } from "./ledger.ts";
import { lotsCount } from "./lots.ts";
import type { CostBasis, CostPosition } from "./position.ts";
import type { TouchedBuckets } from "./read_history.ts";
import type { WalletPeers } from "./read_peers.ts";
import type { LoanTokens } from "./read_position_events.ts";

/** Inputs of the books of some blocks, beyond the final facts of those blocks. They may change. */
export interface LedgerDependencies extends LoanTokens {
  /** The wallet's holdings before the first indexed block, and its position events, as texts. */
  readonly openings: string;
  readonly told: string;
  /** Tokens that are shares of something. */
  readonly shares: ReadonlySet<Hex>;
  readonly kindOf: (peer: Hex) => PeerKind;
  readonly decimalsOf: (bucket: Hex) => number | null;
  /** Mark of the pools that may have valued unpriced tokens. */
  readonly pools: string;
  /** Mark of the stored prices of the hours that the books may have used (`readPriceVersion`). */
  readonly prices: string;
}

/**
 * The books of a wallet up to a final block, with the facts about those blocks that a later call needs without reading
 * them.
 */
export interface CachedLedger {
  /** The last transaction in the books. */
  readonly block: number;
  readonly time: number;
  readonly transactions: number;
  readonly book: PnlLedger;
  readonly touched: TouchedBuckets;
  readonly dealt: WalletPeers;
  /** Learned from those blocks alone. */
  readonly learned: LoanTokens;
  /** Unpriced buckets of trades for which the pools were queried. */
  readonly unpriced: ReadonlySet<Hex>;
  readonly grounds: LedgerDependencies;
  /** `grounds.prices` covers hours up to this one (unix seconds). */
  readonly price_hour: number;
}

/** Reports whether the books would be the same now: no input has changed since they were cached. */
export const isStillValid = ({ book, touched, dealt, grounds }: CachedLedger, now: LedgerDependencies): boolean => {
  const isSameToken = (token: Hex): boolean =>
    grounds.debts.has(token) === now.debts.has(token) &&
    grounds.lent.get(token) === now.lent.get(token) &&
    grounds.shares.has(token) === now.shares.has(token);
  return (
    grounds.openings === now.openings &&
    grounds.told === now.told &&
    grounds.prices === now.prices &&
    grounds.pools === now.pools &&
    [...touched.buckets, ...book.entries.keys()].every(isSameToken) &&
    [...dealt.all].every((peer) => grounds.kindOf(peer) === now.kindOf(peer)) &&
    [...book.entries.values()].every(({ bucket, decimals }) => decimals === now.decimalsOf(bucket))
  );
};

/** Key of the books: wallet, cost basis and window. */
export interface LedgerKey {
  readonly wallet: Hex;
  readonly basis: CostBasis;
  /** First second of the window. */
  readonly from: number;
}

/** Below this number, computing from the start is as fast. */
const TRANSACTIONS_MIN = 1_000;
/** Approximate limits of memory, for one book and for all of them. */
const LEDGER_BYTES_MAX = 16 << 20;
const BYTES_MAX = 64 << 20;
const ENTRY_BYTES = 1_200;
const LOT_BYTES = 120;
const ADDRESS_BYTES = 150;

const lotsOf = (positions: Iterable<CostPosition>): number => {
  let lots = 0;
  for (const position of positions) lots += position.lots === null ? 1 : lotsCount(position.lots);
  return lots;
};

const bytesOf = ({ book, touched, dealt }: CachedLedger): number => {
  const positions = [...[...book.entries.values()].map((entry) => entry.position), ...book.parked.values()];
  const lots = lotsOf(positions) + lotsOf(book.owed.values());
  const addresses = touched.buckets.size + touched.initiated.size + touched.moved.size + dealt.all.size;
  return book.entries.size * ENTRY_BYTES + lots * LOT_BYTES + (addresses + dealt.paid.size) * ADDRESS_BYTES;
};

interface SizedLedger {
  readonly kept: CachedLedger;
  readonly bytes: number;
}

/**
 * Books cached in this process only. A restart or another instance computes them from the start, with the same result
 * (docs/design/wallet_history.md). They cover final blocks only, so no reorganisation affects them.
 */
export class LedgerCache implements CacheFigures {
  hits = 0;
  misses = 0;
  readonly #transactions_min: number;
  /** Least recently used first. */
  readonly #held = new Map<string, SizedLedger>();
  #bytes = 0;

  constructor(transactions_min = TRANSACTIONS_MIN) {
    this.#transactions_min = transactions_min;
  }

  /** The cached books to continue at a snapshot, in a window that ends with the second `end`; null without any. */
  find(snapshot: Snapshot, key: LedgerKey, end: number): CachedLedger | null {
    const name = nameOf(snapshot, key);
    const held = this.#held.get(name);
    const last_final = Math.min(snapshot.block.number, snapshot.final_block);
    if (held === undefined || held.kept.block > last_final || held.kept.time > end) {
      this.misses += 1;
      return null;
    }
    this.hits += 1;
    this.#held.delete(name);
    this.#held.set(name, held);
    return held.kept;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** Reports whether a book up to this block is worth caching. */
  wants(
    snapshot: Snapshot,
    key: LedgerKey,
    { block, transactions }: Pick<CachedLedger, "block" | "transactions">,
  ): boolean {
    const known = this.#held.get(nameOf(snapshot, key));
    return transactions >= this.#transactions_min && block > (known?.kept.block ?? -1);
  }

  keep(snapshot: Snapshot, key: LedgerKey, kept: CachedLedger): void {
    const bytes = bytesOf(kept);
    if (bytes > LEDGER_BYTES_MAX) return;
    this.forget(snapshot, key);
    this.#held.set(nameOf(snapshot, key), { kept, bytes });
    this.#bytes += bytes;
    for (const [name, { bytes: freed }] of this.#held) {
      if (this.#bytes <= BYTES_MAX) break;
      this.#held.delete(name);
      this.#bytes -= freed;
    }
  }

  /** Drops outdated books. */
  forget(snapshot: Snapshot, key: LedgerKey): void {
    const name = nameOf(snapshot, key);
    this.#bytes -= this.#held.get(name)?.bytes ?? 0;
    this.#held.delete(name);
  }
}

/** Backfilled history or other kinds of facts need other books. */
const nameOf = (
  { network, generation, from_block, coverage, rewrites }: Snapshot,
  { wallet, basis, from }: LedgerKey,
): string =>
  `${network} ${generation} ${wallet} ${basis} ${from} ${from_block} ${coverage.complete} ${coverage.traces} ${coverage.gaps.join(" ")} ${rewrites ?? 0}`;
