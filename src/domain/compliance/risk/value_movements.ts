import type { Hex } from "../../../lib/bytes.ts";
import type { TransactionPosition } from "../../transaction_hashes.ts";
import type { ValueMovement } from "./trace.ts";

/** One transfer from the ledger. */
export interface LedgerTransfer {
  readonly block_number: number;
  readonly tx_index: number;
  readonly position: number;
  readonly time: number;
  readonly source: Hex;
  readonly destination: Hex;
  /** '' is the native coin and its wrapped form. For collectibles: a single piece. */
  readonly bucket: string;
  readonly amount: bigint;
  /** Null without a price. */
  readonly usd: number | null;
  /** The pools pay less than price times amount. */
  readonly is_limited: boolean;
}

export interface ValueMovementOptions {
  /** The wallet and the addresses that value is followed through. */
  readonly actors: ReadonlySet<Hex>;
  readonly flagged: ReadonlySet<Hex>;
  /** Whether an address is a venue of exchange: a service, or any contract. */
  readonly isVenue: (address: Hex) => boolean;
}

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

interface ActorTrade {
  readonly gained_usd: number;
  readonly lost_usd: number;
  readonly is_priced: boolean;
}

/**
 * The trade of an actor with venues in one transaction: a gain of one thing and a loss of another. Null without one.
 */
const tradeOf = (actor: Hex, legs: readonly LedgerTransfer[]): ActorTrade | null => {
  const deltas = new Map<string, bigint>();
  for (const { source, bucket, amount } of legs) {
    deltas.set(bucket, (deltas.get(bucket) ?? 0n) + (source === actor ? -amount : amount));
  }
  const signs = [...deltas.values()];
  if (!signs.some((delta) => delta > 0n) || !signs.some((delta) => delta < 0n)) return null;
  const usd = (is_gain: boolean): number =>
    legs.filter(({ source }) => (source !== actor) === is_gain).reduce((sum, leg) => sum + (leg.usd ?? 0), 0);
  const is_priced = legs.every((leg) => leg.usd !== null && !leg.is_limited);
  return { gained_usd: usd(true), lost_usd: usd(false), is_priced };
};

/** Difference of a trade's sides. A side without a sellable price is worth as much as the other. */
const remainder = (actor: Hex, trade: ActorTrade, last: LedgerTransfer): readonly ValueMovement[] => {
  const usd = trade.is_priced ? trade.gained_usd - trade.lost_usd : 0;
  if (usd === 0) return [];
  const ends: Pick<ValueMovement, "source" | "destination"> =
    usd > 0 ? { source: "", destination: actor } : { source: actor, destination: "" };
  return [{ ...ends, usd: Math.abs(usd), time: last.time, tx: txOf(last) }];
};

type TradesByActor = ReadonlyMap<Hex, { readonly trade: ActorTrade; readonly legs: ReadonlySet<LedgerTransfer> }>;

const NO_TRADES: TradesByActor = new Map();

/** Trades of the actors with venues in one transaction. A single transfer, the most common case, is no trade. */
const tradesIn = (
  transfers: readonly LedgerTransfer[],
  { actors, flagged, isVenue }: ValueMovementOptions,
): TradesByActor => {
  if (transfers.length === 1) return NO_TRADES;
  const isTradeable = (actor: Hex, { source, destination }: LedgerTransfer): boolean => {
    const other = source === actor ? destination : source;
    return !flagged.has(other) && isVenue(other);
  };
  const involved = [...new Set(transfers.flatMap(({ source, destination }) => [source, destination]))]
    .filter((address) => actors.has(address))
    .sort();
  const trades = new Map<Hex, { trade: ActorTrade; legs: ReadonlySet<LedgerTransfer> }>();
  for (const actor of involved) {
    const legs = transfers.filter(
      (one) => (one.source === actor) !== (one.destination === actor) && isTradeable(actor, one),
    );
    const trade = tradeOf(actor, legs);
    if (trade !== null) trades.set(actor, { trade, legs: new Set(legs) });
  }
  return trades;
};

/**
 * A token that the pools do not take at its price is no clean money: any account can send it, so it neither dilutes nor
 * carries money of a flagged address. An amount that a flagged address itself sent or received counts at its worth.
 */
const isUnsellable = (
  { is_limited, source, destination }: LedgerTransfer,
  { flagged }: ValueMovementOptions,
): boolean => is_limited && !flagged.has(source) && !flagged.has(destination);

const movementsOfTransaction = (
  transfers: readonly LedgerTransfer[],
  question: ValueMovementOptions,
): readonly ValueMovement[] => {
  const { actors } = question;
  const trades = tradesIn(transfers, question);
  const isLeg = (actor: Hex, transfer: LedgerTransfer): boolean => trades.get(actor)?.legs.has(transfer) ?? false;
  const moves: ValueMovement[] = [];
  for (const transfer of transfers) {
    const { usd, time } = transfer;
    const source = isLeg(transfer.source, transfer) ? "" : transfer.source;
    const destination = isLeg(transfer.destination, transfer) ? "" : transfer.destination;
    // The venue at the other end of a trade still gave or took: its counterpart is '', an address that is not followed.
    const is_nothing = usd === null || usd <= 0 || source === destination || isUnsellable(transfer, question);
    if (is_nothing || !(actors.has(source) || actors.has(destination))) continue;
    moves.push({ source, destination, usd, time, tx: txOf(transfer) });
  }
  const last = transfers.at(-1);
  if (last !== undefined) for (const [actor, { trade }] of trades) moves.push(...remainder(actor, trade, last));
  return moves;
};

/**
 * Transfers as movements of value. A trade of an actor with a venue within one transaction stays with the actor (a swap
 * launders nothing), and only the difference of both sides comes in or goes out; all other transfers move their full
 * amounts.
 */
export const valueMovementsOf = (
  transfers: readonly LedgerTransfer[],
  question: ValueMovementOptions,
): readonly ValueMovement[] =>
  groupsOf([...transfers].sort(inOrder)).flatMap((group) => movementsOfTransaction(group, question));
