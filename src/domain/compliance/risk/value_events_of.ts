import type { Hex } from "../../../lib/bytes.ts";
import type { TransactionPosition } from "../../transaction_hashes.ts";
import type { AssetTrade, TradedAmount, ValueEvent } from "./value_events.ts";

/** One transfer from the ledger. */
export interface LedgerTransfer {
  readonly block_number: number;
  readonly tx_index: number;
  readonly position: number;
  readonly time: number;
  readonly source: Hex;
  readonly destination: Hex;
  /** As moved, so a wrapped coin is not the coin. */
  readonly token: Hex;
  readonly is_collectible: boolean;
  /** '' is the native coin and its wrapped form. For collectibles: a single piece. */
  readonly bucket: string;
  readonly amount: bigint;
  /** Null without a price. */
  readonly usd: number | null;
  /** The pools pay less than price times amount. */
  readonly is_limited: boolean;
}

/** Kind of a venue of exchange: a service, or a contract that no label names. */
export type VenueKind = "service" | "contract";

export interface ValueEventOptions {
  /** The wallet and the addresses that value is followed through. */
  readonly actors: ReadonlySet<Hex>;
  readonly flagged: ReadonlySet<Hex>;
  /** Null: no venue. */
  readonly venueOf: (address: Hex) => VenueKind | null;
}

/** An unlabelled contract has to give at least this part of what it took, or the actor paid it. */
const FAIR_PART = 0.5;

const txOf = ({ block_number, tx_index }: LedgerTransfer): TransactionPosition => ({ block_number, tx_index });

const inOrder = (a: LedgerTransfer, b: LedgerTransfer): number =>
  a.block_number - b.block_number || a.tx_index - b.tx_index || a.position - b.position;

/** Transfers in order, by transaction. */
const groupsOf = (transfers: readonly LedgerTransfer[]): readonly (readonly LedgerTransfer[])[] => {
  const groups: LedgerTransfer[][] = [];
  let before: LedgerTransfer | null = null;
  for (const transfer of transfers) {
    const is_same = before?.block_number === transfer.block_number && before.tx_index === transfer.tx_index;
    if (is_same) groups.at(-1)?.push(transfer);
    else groups.push([transfer]);
    before = transfer;
  }
  return groups;
};

type TradeSides = Pick<AssetTrade, "gave" | "got">;

interface AssetDelta {
  readonly asset: string;
  amount: bigint;
  usd: number;
  is_priced: boolean;
}

/** Gains and losses of an actor by asset; an asset that came and went counts with its difference. */
const deltasOf = (actor: Hex, legs: readonly LedgerTransfer[]): readonly AssetDelta[] => {
  const deltas = new Map<string, AssetDelta>();
  for (const { source, bucket, amount, usd, is_limited } of legs) {
    const sign = source === actor ? -1 : 1;
    const delta = deltas.get(bucket) ?? { asset: bucket, amount: 0n, usd: 0, is_priced: true };
    delta.amount += BigInt(sign) * amount;
    delta.usd += sign * (usd ?? 0);
    delta.is_priced &&= usd !== null && !is_limited;
    deltas.set(bucket, delta);
  }
  return [...deltas.values()];
};

const usdOf = (side: readonly AssetDelta[]): number =>
  side.reduce((total, { usd, is_priced }) => total + (is_priced ? Math.abs(usd) : 0), 0);

/**
 * Assets of a side with their parts of its value. Those without a sellable price are together worth what is missing to the
 * other side; all weigh the same where nothing else is known.
 */
const sideOf = (side: readonly AssetDelta[], other_usd: number): readonly TradedAmount[] => {
  const priced_usd = usdOf(side);
  const unpriced = side.filter(({ is_priced }) => !is_priced).length;
  const each = unpriced === 0 ? 0 : Math.max(0, other_usd - priced_usd) / unpriced;
  const total = priced_usd + each * unpriced;
  return side.map(({ asset, amount, usd, is_priced }) => ({
    asset,
    amount: Math.abs(Number(amount)),
    part: total <= 0 || (unpriced > 0 && each === 0) ? 1 / side.length : (is_priced ? Math.abs(usd) : each) / total,
  }));
};

/** Whether what came back is worth what was given, as far as prices tell. */
const isFair = (gave: readonly AssetDelta[], got: readonly AssetDelta[]): boolean =>
  [...gave, ...got].every(({ is_priced }) => is_priced) && usdOf(got) >= FAIR_PART * usdOf(gave);

/**
 * The trade of an actor in one transaction: a loss of one thing and a gain of another. Null without one. A service that
 * took part makes it a trade; contracts without a label do only where both sides have prices, because any account can
 * write a contract that gives a worthless coin.
 */
const tradeOf = (actor: Hex, legs: readonly LedgerTransfer[], { venueOf }: ValueEventOptions): TradeSides | null => {
  const deltas = deltasOf(actor, legs);
  const gave = deltas.filter(({ amount }) => amount < 0n);
  const got = deltas.filter(({ amount }) => amount > 0n);
  if (gave.length === 0 || got.length === 0) return null;
  const has_service = legs.some(
    ({ source, destination }) => venueOf(source === actor ? destination : source) === "service",
  );
  if (!has_service && !isFair(gave, got)) return null;
  return { gave: sideOf(gave, usdOf(got)), got: sideOf(got, usdOf(gave)) };
};

type TradesByActor = ReadonlyMap<Hex, { readonly sides: TradeSides; readonly legs: ReadonlySet<LedgerTransfer> }>;

const NO_TRADES: TradesByActor = new Map();

/** Trades of the actors with venues in one transaction. A single transfer, the most common case, is no trade. */
const tradesIn = (transfers: readonly LedgerTransfer[], question: ValueEventOptions): TradesByActor => {
  if (transfers.length === 1) return NO_TRADES;
  const { actors, flagged, venueOf } = question;
  /** Shares of pools and receipts of lenders come from the void and return to it. */
  const isTradeable = (actor: Hex, { source, destination }: LedgerTransfer): boolean => {
    const other = source === actor ? destination : source;
    return !flagged.has(other) && (other === "" || venueOf(other) !== null);
  };
  const involved = [...new Set(transfers.flatMap(({ source, destination }) => [source, destination]))]
    .filter((address) => actors.has(address))
    .sort();
  const trades = new Map<Hex, { sides: TradeSides; legs: ReadonlySet<LedgerTransfer> }>();
  for (const actor of involved) {
    const legs = transfers.filter(
      (one) => (one.source === actor) !== (one.destination === actor) && isTradeable(actor, one),
    );
    const sides = tradeOf(actor, legs, question);
    if (sides !== null) trades.set(actor, { sides, legs: new Set(legs) });
  }
  return trades;
};

const eventsOfTransaction = (
  transfers: readonly LedgerTransfer[],
  question: ValueEventOptions,
): readonly ValueEvent[] => {
  const { actors } = question;
  const trades = tradesIn(transfers, question);
  const isLeg = (actor: Hex, transfer: LedgerTransfer): boolean => trades.get(actor)?.legs.has(transfer) ?? false;
  const done = new Set<Hex>();
  const events: ValueEvent[] = [];
  for (const transfer of transfers) {
    const { usd, time, bucket, amount, is_limited } = transfer;
    // The trade happens before anything that it gave moves on.
    const traded = trades.get(transfer.destination);
    if (traded?.legs.has(transfer) === true && !done.has(transfer.destination)) {
      done.add(transfer.destination);
      events.push({ actor: transfer.destination, ...traded.sides, time, tx: txOf(transfer) });
    }
    const source = isLeg(transfer.source, transfer) ? "" : transfer.source;
    const destination = isLeg(transfer.destination, transfer) ? "" : transfer.destination;
    // The venue at the other end of a trade still gave or took: its counterpart is '', an address that is not followed.
    if (source === destination || !(actors.has(source) || actors.has(destination))) continue;
    const tx = txOf(transfer);
    events.push({ source, destination, asset: bucket, amount: Number(amount), usd, is_limited, time, tx });
  }
  return events;
};

/**
 * Transfers as events of value. A trade of an actor with a venue within one transaction turns one asset into another; all
 * other transfers move their full amounts.
 */
export const valueEventsOf = (
  transfers: readonly LedgerTransfer[],
  question: ValueEventOptions,
): readonly ValueEvent[] =>
  groupsOf([...transfers].sort(inOrder)).flatMap((group) => eventsOfTransaction(group, question));
