import type { SaleDepth } from "../src/domain/valuation/worth.ts";
import {
  type LedgerEntry,
  ledgerEntryOf,
  noteBalance,
  type PeerKind,
  type PnlLedger,
  type PnlSources,
  usdValue,
} from "../src/domain/wallet/pnl/ledger.ts";
import type { BucketDelta } from "../src/domain/wallet/pnl/legs.ts";
import {
  beginLedger,
  type ContractBalance,
  closeLedger,
  continueLedger,
  type OpeningBalance,
  type WalletTransaction,
} from "../src/domain/wallet/pnl/pnl.ts";
import { acquire, type CostBasis } from "../src/domain/wallet/pnl/position.ts";
import type { PositionEvent } from "../src/domain/wallet/pnl/position_events.ts";
import { judgedRowOf, type PnlRow } from "../src/domain/wallet/pnl/rows.ts";
import { PRICE_RANK } from "../src/domain/wallet/pnl/trade.ts";
import { type Hex, hex } from "../src/lib/bytes.ts";

/** Helpers to tell a wallet's story, for tests of PnL: every token has 0 decimals and USDC is worth 1. */

export const USDC = hex("cc".repeat(20));
export const TOKEN = hex("aa".repeat(20));
export const OTHER = hex("bb".repeat(20));
const POOL = hex("01".repeat(20));
export const FRIEND = hex("02".repeat(20));
export const VAULT = hex("03".repeat(20));
export const EXCHANGE = hex("04".repeat(20));
export const BRIDGE = hex("05".repeat(20));
/** The share token of a pool. */
export const SHARE = hex("06".repeat(20));
export const DEBT = hex("07".repeat(20));

const PEERS: Record<string, PeerKind> = {
  [POOL]: "contract",
  [VAULT]: "contract",
  [EXCHANGE]: "exchange",
  [BRIDGE]: "bridge",
};
const RANKS: Record<string, number> = { [USDC]: PRICE_RANK.stablecoin, "": PRICE_RANK.native };

interface WalletStory {
  readonly from?: number;
  /** USD per unit. */
  readonly prices?: Record<string, number | ((time: number) => number | null)>;
  /** Depth of the pools at a price; a token that is missing here is not limited. */
  readonly sells?: Record<string, SaleDepth>;
  readonly openings?: readonly OpeningBalance[];
  /** The wallet's holdings before the story, at the price of their time. */
  readonly owned?: readonly OpeningBalance[];
  readonly basis?: CostBasis;
  readonly onDisposal?: PnlSources["onDisposal"];
  readonly closing?: readonly ContractBalance[];
}

export const run = (transactions: readonly WalletTransaction[], story: WalletStory = {}): PnlLedger => {
  const { from = 0, prices = {}, sells = {}, openings = [], owned = [], basis = "average", closing = [] } = story;
  const sources: PnlSources = {
    from,
    decimals: () => 0,
    quote: (bucket, time) => {
      const price = bucket === USDC ? 1 : prices[bucket];
      const usd = typeof price === "function" ? price(time) : (price ?? null);
      return usd === null ? null : { usd, rank: RANKS[bucket] ?? PRICE_RANK.low, sells: sells[bucket] ?? null };
    },
    peer: (address) => PEERS[address] ?? "other",
    is_share: (bucket) => bucket === SHARE,
    is_debt: (bucket) => bucket === DEBT,
    basis,
    onDisposal: story.onDisposal,
  };
  const book = beginLedger(sources, openings);
  for (const { bucket, amount, time } of owned) {
    const entry = ledgerEntryOf(book, sources, bucket);
    acquire(entry.position, amount, { cost_usd: usdValue(entry, amount, sources.quote(bucket, time)), time });
    noteBalance(entry);
  }
  continueLedger(book, sources, transactions);
  closeLedger(book, sources, { time: 1_000, balances: closing });
  return book;
};

export const tx = (time: number, moves: readonly BucketDelta[], fee = 0n): WalletTransaction => ({
  time,
  fee,
  rent: 0n,
  moves,
  is_claim: false,
  valued_by: null,
  events: [],
  balances: [],
  pool_worth: new Map(),
});
export const did = (transaction: WalletTransaction, ...events: readonly PositionEvent[]): WalletTransaction => ({
  ...transaction,
  events,
});
export const leg = (bucket: Hex, delta: bigint, peer: Hex = POOL): BucketDelta => ({ bucket, peer, delta });
export const buy = (time: number, amount: bigint, usdc: bigint, token = TOKEN): WalletTransaction =>
  tx(time, [leg(USDC, -usdc), leg(token, amount)]);
export const sell = (time: number, amount: bigint, usdc: bigint, token = TOKEN): WalletTransaction =>
  tx(time, [leg(token, -amount), leg(USDC, usdc)]);

/** The book's entry for one token. */
export const of = (book: PnlLedger, bucket: Hex = TOKEN): LedgerEntry => {
  const entry = book.entries.get(bucket);
  if (entry === undefined) throw new Error(`no entry for ${bucket}`);
  return entry;
};
export const row = (book: PnlLedger, price: number | null, bucket = TOKEN, sells: SaleDepth | null = null): PnlRow =>
  judgedRowOf(of(book, bucket), {
    ...{ outcome: null, last: null },
    market: price === null ? null : { usd: price, rank: PRICE_RANK.low, sells },
  });
