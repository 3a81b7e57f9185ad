import type { Hex } from "../../../lib/bytes.ts";
import type { TransactionPosition } from "../../transaction_hashes.ts";
import { type LedgerEntry, ledgerEntryOf, type PnlLedger, type PnlSources, usdValue } from "./ledger.ts";
import { ratioOf } from "./position.ts";

/** Net change of one bucket against one peer inside a transaction. Peer '' is the void: mint, reward, tip. */
export interface BucketDelta {
  readonly bucket: Hex;
  readonly peer: Hex;
  /** Base units; positive = the wallet received. */
  readonly delta: bigint;
}

/** Net change of one bucket in a transaction. */
export interface Leg {
  readonly entry: LedgerEntry;
  /** Base units, positive. */
  readonly amount: bigint;
  /** Per peer, in the leg's own direction, positive, summing up to `amount`. */
  readonly peers: readonly PeerDelta[];
  readonly usd: number | null;
  readonly rank: number;
  readonly is_dust: boolean;
}

export interface Legs {
  readonly outs: readonly Leg[];
  readonly ins: readonly Leg[];
}

/** Context of every step of the computation: the book, the sources and the time. */
export interface LedgerStep {
  readonly book: PnlLedger;
  readonly sources: PnlSources;
  readonly time: number;
  readonly in_window: boolean;
  readonly is_claim: boolean;
  /** Of the transaction, where its disposals are listed. */
  readonly place?: TransactionPosition | null | undefined;
}

export type PeerDelta = readonly [peer: Hex, delta: bigint];

/**
 * Nets the movements of a transaction into legs per bucket, ordered by bucket. Buckets that net to zero (wraps,
 * self-transfers) have no leg. `valued_by`: see `WalletTransaction`.
 */
export const legsOf = (step: LedgerStep, moves: readonly BucketDelta[], valued_by: Hex | null): Legs => {
  const single = singlesIn(moves);
  const legs: OpenLegs = { outs: [], ins: [], valued_by, coins: single === null ? coinsIn(moves) : 0n };
  if (single !== null) {
    for (const move of single) addSingle(step, legs, move);
    return legs;
  }
  for (const [bucket, peers] of byBucket(moves)) {
    const net = peers.reduce((total, [, delta]) => total + delta, 0n);
    addLeg(step, legs, { bucket, net, peers: net === 0n ? [] : sharesOf(peers, net) });
  }
  return legs;
};

/**
 * The movements of a plain payment, receipt or trade by bucket, which need no netting: wallets with very many
 * transactions have little else. Null for any other transaction.
 */
const singlesIn = (moves: readonly BucketDelta[]): readonly BucketDelta[] | null => {
  const [a, b] = moves;
  if (moves.length === 1) return moves;
  if (moves.length !== 2 || a === undefined || b === undefined || a.bucket === b.bucket) return null;
  return a.bucket < b.bucket ? moves : [b, a];
};

/** A leg is dust below this part of the coins that went through the transaction. */
const DUST_INVERSE = 1_000n;

/** Native and wrapped coins that came or went in a transaction, whichever is more, including those that net to zero. */
const coinsIn = (moves: readonly BucketDelta[]): bigint => {
  let [came, went] = [0n, 0n];
  for (const { bucket, delta } of moves) {
    if (bucket !== "") continue;
    if (delta > 0n) came += delta;
    else went -= delta;
  }
  return came > went ? came : went;
};

interface LegValue {
  readonly bucket: Hex;
  readonly amount: bigint;
  readonly usd: number | null;
}

const isDust = (step: LedgerStep, coins: bigint, { bucket, amount, usd }: LegValue): boolean => {
  if (coins === 0n) return false;
  if (bucket === "") return amount * DUST_INVERSE < coins;
  if (usd === null) return false;
  const volume_usd = usdValue(ledgerEntryOf(step.book, step.sources, ""), coins, step.sources.quote("", step.time));
  return volume_usd !== null && usd * Number(DUST_INVERSE) < volume_usd;
};

interface OpenLegs {
  readonly outs: Leg[];
  readonly ins: Leg[];
  readonly valued_by: Hex | null;
  /** Coins that went through the transaction; 0 when each side has a single leg. */
  readonly coins: bigint;
}

interface BucketNet {
  readonly bucket: Hex;
  readonly net: bigint;
  readonly peers: readonly PeerDelta[];
}

const addLeg = (step: LedgerStep, legs: OpenLegs, { bucket, net, peers }: BucketNet): void => {
  if (net === 0n || step.sources.is_debt(bucket)) return;
  const entry = ledgerEntryOf(step.book, step.sources, bucket);
  const amount = net < 0n ? -net : net;
  const has_price = legs.valued_by === null || legs.valued_by === bucket;
  const quote = has_price ? step.sources.quote(bucket, step.time) : null;
  const usd = usdValue(entry, amount, quote);
  const is_dust = isDust(step, legs.coins, { bucket, amount, usd });
  const leg = { entry, amount, peers, usd, rank: usd === null ? 0 : (quote?.rank ?? 0), is_dust };
  if (net < 0n) legs.outs.push(leg);
  else legs.ins.push(leg);
};

/** Adds a bucket with a single movement. */
const addSingle = (step: LedgerStep, legs: OpenLegs, { bucket, peer, delta }: BucketDelta): void =>
  addLeg(step, legs, { bucket, net: delta, peers: [[peer, delta < 0n ? -delta : delta]] });

/** The leg less `by` units; null when nothing is left. */
export const reduced = (leg: Leg, by: bigint): Leg | null => {
  if (by === 0n) return leg;
  if (by >= leg.amount) return null;
  const amount = leg.amount - by;
  const usd = leg.usd === null ? null : leg.usd * ratioOf(amount, leg.amount);
  return { ...leg, amount, usd, peers: sharesOf(leg.peers, amount) };
};

/** Movements by bucket, and inside a bucket by peer, buckets in their order. */
const byBucket = (moves: readonly BucketDelta[]): readonly (readonly [Hex, readonly PeerDelta[]])[] => {
  const buckets = new Map<Hex, Map<Hex, bigint>>();
  for (const { bucket, peer, delta } of moves) {
    const peers = buckets.get(bucket) ?? new Map<Hex, bigint>();
    peers.set(peer, (peers.get(peer) ?? 0n) + delta);
    buckets.set(bucket, peers);
  }
  return [...buckets.keys()].sort().map((bucket) => [bucket, [...(buckets.get(bucket) ?? [])]] as const);
};

/**
 * Splits the net amount over the peers on its side, pro rata to their gross amounts, rounded down; the last one takes
 * the rest.
 */
const sharesOf = (peers: readonly PeerDelta[], net: bigint): readonly PeerDelta[] => {
  const sign = net < 0n ? -1n : 1n;
  const [only] = peers;
  if (peers.length === 1 && only !== undefined) return [[only[0], net * sign]];
  const side = peers
    .map(([peer, delta]) => [peer, delta * sign] as const)
    .filter(([, amount]) => amount > 0n)
    .sort(([a], [b]) => (a < b ? -1 : 1));
  const gross = side.reduce((total, [, amount]) => total + amount, 0n);
  let left = net * sign;
  return side.map(([peer, amount], i) => {
    const part = i === side.length - 1 ? left : (net * sign * amount) / gross;
    left -= part;
    return [peer, part] as const;
  });
};
