import type { Hex } from "../../../lib/bytes.ts";
import type { TransactionPosition } from "../../transaction_hashes.ts";
import { LIMITS } from "./model.ts";
import type { ExposureDirection } from "./score.ts";

/**
 * Value that moved from one address to another; '' is an address that value is not followed to. In the order of the
 * chain.
 */
export interface ValueMovement {
  readonly source: Hex;
  readonly destination: Hex;
  readonly usd: number;
  /** Unix seconds. */
  readonly time: number;
  readonly tx: TransactionPosition;
}

/** Value between the wallet and one flagged address along one path. */
export interface Trail {
  readonly direction: ExposureDirection;
  /** The flagged address. */
  readonly source: Hex;
  /** Addresses along the path of the money, both ends included. */
  readonly path: readonly Hex[];
  /** The transaction of each step, of the largest sum on this path: one fewer than addresses. */
  readonly txs: readonly TransactionPosition[];
  readonly usd: number;
  /** First arrival of value by this path. Unix seconds. */
  readonly first_time: number;
  readonly last_time: number;
}

export interface TraceQuery {
  readonly wallet: Hex;
  /** Addresses with a category. */
  readonly flagged: ReadonlySet<Hex>;
  /** Addresses that value is followed through: neither services nor hubs. */
  readonly through: ReadonlySet<Hex>;
}

export interface TraceResult {
  readonly trails: readonly Trail[];
  readonly totals: Readonly<Record<ExposureDirection, number>>;
}

/** A sum that came by one path so far. */
interface TaintLot {
  readonly path: readonly Hex[];
  txs: readonly TransactionPosition[];
  usd: number;
  /** The largest single sum of it, whose transactions are shown. */
  largest_usd: number;
}

interface TaintPool {
  held_usd: number;
  readonly lots: Map<string, TaintLot>;
}

interface TaintArrival {
  readonly path: readonly Hex[];
  readonly txs: readonly TransactionPosition[];
  readonly usd: number;
}

const HOPS_MAX = LIMITS.hop_decay.length;
const keyOf = (path: readonly Hex[]): string => path.join(">");

const put = (pool: TaintPool, { path, txs, usd }: TaintArrival): void => {
  const lot = pool.lots.get(keyOf(path));
  if (lot === undefined) {
    pool.lots.set(keyOf(path), { path, txs, usd, largest_usd: usd });
    return;
  }
  lot.usd += usd;
  if (usd > lot.largest_usd) {
    lot.largest_usd = usd;
    lot.txs = txs;
  }
};

/** Takes a payment out of a pool: every lot loses the same fraction (haircut), and each unit leaves once. */
const take = (pool: TaintPool, usd: number): readonly TaintArrival[] => {
  const part = pool.held_usd <= 0 ? 1 : Math.min(1, usd / pool.held_usd);
  pool.held_usd = Math.max(0, pool.held_usd - usd);
  const taken: TaintArrival[] = [];
  for (const [key, lot] of pool.lots) {
    const given = lot.usd * part;
    taken.push({ path: lot.path, txs: lot.txs, usd: given });
    if (part === 1) pool.lots.delete(key);
    else lot.usd -= given;
  }
  return taken;
};

interface TraceEnds {
  readonly isOrigin: (address: Hex) => boolean;
  readonly isEnd: (address: Hex) => boolean;
  readonly through: ReadonlySet<Hex>;
}

/** Follows value from origins to ends, move by move in order of time. */
const follow = (
  moves: readonly ValueMovement[],
  { isOrigin, isEnd, through }: TraceEnds,
): ReadonlyMap<string, Omit<Trail, "direction" | "source">> => {
  const pools = new Map<Hex, TaintPool>();
  const ended = new Map<string, Omit<Trail, "direction" | "source"> & { largest_usd: number }>();
  const poolOf = (address: Hex): TaintPool => {
    const pool = pools.get(address) ?? { held_usd: 0, lots: new Map() };
    pools.set(address, pool);
    return pool;
  };
  const end = ({ path, txs, usd }: TaintArrival, time: number): void => {
    const known = ended.get(keyOf(path));
    const largest = known === undefined || usd > known.largest_usd ? { txs, largest_usd: usd } : known;
    ended.set(keyOf(path), {
      path,
      txs: largest.txs,
      largest_usd: largest.largest_usd,
      usd: usd + (known?.usd ?? 0),
      first_time: known?.first_time ?? time,
      last_time: time,
    });
  };
  for (const { source, destination, usd, time, tx } of moves) {
    const sent: readonly TaintArrival[] = isOrigin(source)
      ? [{ path: [source], txs: [], usd }]
      : through.has(source)
        ? take(poolOf(source), usd)
        : [];
    const arriving = sent.map((one) => ({
      path: [...one.path, destination],
      txs: [...one.txs, tx],
      usd: one.usd,
    }));
    if (isEnd(destination)) for (const one of arriving) end(one, time);
    if (!through.has(destination) || isOrigin(destination) || isEnd(destination)) continue;
    const pool = poolOf(destination);
    pool.held_usd += usd;
    // An address whose value could only end too far away still holds it like any other.
    for (const one of arriving) if (one.txs.length < HOPS_MAX) put(pool, one);
  }
  return ended;
};

const trailsOf = (
  moves: readonly ValueMovement[],
  question: TraceQuery,
  direction: ExposureDirection,
): readonly Trail[] => {
  const { wallet, flagged, through } = question;
  const isFlagged = (address: Hex): boolean => address !== wallet && flagged.has(address);
  const isWallet = (address: Hex): boolean => address === wallet;
  const ends = direction === "in" ? { isOrigin: isFlagged, isEnd: isWallet } : { isOrigin: isWallet, isEnd: isFlagged };
  return [...follow(moves, { ...ends, through }).values()]
    .map(({ path, txs, usd, first_time, last_time }) => ({
      direction,
      source: (direction === "in" ? path[0] : path.at(-1)) ?? "",
      path,
      txs,
      usd,
      first_time,
      last_time,
    }))
    .filter(({ usd }) => usd > 0);
};

const sum = (moves: readonly ValueMovement[]): number => moves.reduce((total, { usd }) => total + usd, 0);

/** A small inflow from a source is dust, unless the wallet later paid that source. */
const isDust = (moves: readonly ValueMovement[], trails: readonly Trail[], { wallet }: TraceQuery) => {
  const received = new Map<Hex, { usd: number; since: number }>();
  for (const { source, usd, first_time } of trails) {
    const known = received.get(source) ?? { usd: 0, since: first_time };
    received.set(source, { usd: known.usd + usd, since: Math.min(known.since, first_time) });
  }
  const answered = new Set(
    moves
      .filter(
        ({ source, destination, time }) => source === wallet && time >= (received.get(destination)?.since ?? time + 1),
      )
      .map(({ destination }) => destination),
  );
  return ({ source }: Trail): boolean => (received.get(source)?.usd ?? 0) < LIMITS.dust_usd && !answered.has(source);
};

/**
 * The part of a wallet's receipts and payments that traces to flagged addresses, at most three steps away. `moves` in
 * the order of the chain. The largest trails first, ties by path.
 */
export const trace = (moves: readonly ValueMovement[], question: TraceQuery): TraceResult => {
  const { wallet } = question;
  const incoming = trailsOf(moves, question, "in");
  const dust = isDust(moves, incoming, question);
  const trails = [...incoming.filter((trail) => !dust(trail)), ...trailsOf(moves, question, "out")];
  return {
    trails: trails.sort((a, b) => b.usd - a.usd || (keyOf(a.path) < keyOf(b.path) ? -1 : 1)),
    totals: {
      in: sum(moves.filter(({ destination, source }) => destination === wallet && source !== wallet)),
      out: sum(moves.filter(({ destination, source }) => source === wallet && destination !== wallet)),
    },
  };
};
