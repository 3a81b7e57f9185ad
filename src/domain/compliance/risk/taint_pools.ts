import type { Hex } from "../../../lib/bytes.ts";
import type { TraceMethod } from "../../../lib/trace_method.ts";
import type { TransactionPosition } from "../../transaction_hashes.ts";

/** The way of the money so far, the last step first. */
export interface TaintRoute {
  readonly address: Hex;
  /** The transaction that led to this address; null at the beginning. */
  readonly tx: TransactionPosition | null;
  readonly before: TaintRoute | null;
}

/** Money of one origin. */
export interface Taint {
  readonly key: Hex;
  readonly usd: number;
  /** The way of its largest sum. */
  readonly route: TaintRoute;
  /** Fewest steps from the origin. */
  readonly hops: number;
}

/** A part of a payment, 0..1, and its origin; null is money of no traced origin. */
export interface TaintPart {
  readonly part: number;
  readonly taint: Taint | null;
}

/** The holding of an address in one asset. */
export interface TaintPool {
  put(amount: number, parts: readonly TaintPart[]): void;
  /** The parts of a payment. They leave the pool. */
  take(amount: number): readonly TaintPart[];
  /** Part of a payment of this amount that the pool has a receipt for, 0..1. */
  covers(amount: number): number;
  /** Money of traced origins that is still in the pool. */
  left(): readonly Taint[];
}

/** Amounts are floating-point: a pool with less than this part of a payment left is empty. */
const EMPTY = 1e-12;

interface TaintLot {
  amount: number;
  usd: number;
  /** The largest single sum, whose way is shown. */
  largest_usd: number;
  route: TaintRoute;
  hops: number;
}

/** Lots of a pool by origin: one each, however many ways its money came. */
class Lots {
  readonly of = new Map<Hex, TaintLot>();

  get taints(): readonly Taint[] {
    return [...this.of].map(([key, { usd, route, hops }]) => ({ key, usd, route, hops }));
  }

  add(amount: number, { key, usd, route, hops }: Taint): void {
    const lot = this.of.get(key);
    if (lot === undefined) {
      this.of.set(key, { amount, usd, largest_usd: usd, route, hops });
      return;
    }
    lot.amount += amount;
    lot.usd += usd;
    lot.hops = Math.min(lot.hops, hops);
    if (usd > lot.largest_usd) {
      lot.largest_usd = usd;
      lot.route = route;
    }
  }
}

const coveredPart = (held: number, amount: number): number => (held >= amount ? 1 : held / amount);

class HaircutPool implements TaintPool {
  #held = 0;
  readonly #lots = new Lots();

  put(amount: number, parts: readonly TaintPart[]): void {
    this.#held += amount;
    for (const { part, taint } of parts) if (taint !== null) this.#lots.add(part * amount, taint);
  }

  take(amount: number): readonly TaintPart[] {
    const left = this.#held - amount;
    const is_all = left <= amount * EMPTY;
    const leaving = is_all ? 1 : amount / this.#held;
    this.#held = is_all ? 0 : left;
    const taken: TaintPart[] = [];
    for (const [key, lot] of this.#lots.of) {
      const [given, usd] = [lot.amount * leaving, lot.usd * leaving];
      taken.push({ part: given / amount, taint: { key, usd, route: lot.route, hops: lot.hops } });
      lot.amount -= given;
      lot.usd -= usd;
    }
    if (is_all) this.#lots.of.clear();
    return taken;
  }

  covers(amount: number): number {
    return coveredPart(this.#held, amount);
  }

  left(): readonly Taint[] {
    return this.#lots.taints;
  }
}

class PoisonPool implements TaintPool {
  #held = 0;
  readonly #lots = new Lots();

  put(amount: number, parts: readonly TaintPart[]): void {
    this.#held += amount;
    for (const { taint } of parts) if (taint !== null) this.#lots.add(amount, taint);
  }

  /** Each origin taints the whole payment, and stays until the pool is empty. */
  take(amount: number): readonly TaintPart[] {
    const left = this.#held - amount;
    const is_all = left <= amount * EMPTY;
    this.#held = is_all ? 0 : left;
    const taken = [...this.#lots.of].map(([key, { usd, route, hops }]) => ({
      part: 1,
      taint: { key, usd, route, hops },
    }));
    if (is_all) this.#lots.of.clear();
    return taken;
  }

  covers(amount: number): number {
    return coveredPart(this.#held, amount);
  }

  left(): readonly Taint[] {
    return this.#lots.taints;
  }
}

class FifoPool implements TaintPool {
  /** In order of arrival; the ones before `#first` have left. */
  readonly #queue: { amount: number; taint: Taint | null }[] = [];
  #first = 0;
  #held = 0;

  put(amount: number, parts: readonly TaintPart[]): void {
    this.#held += amount;
    let clean = 1;
    for (const { part, taint } of parts) {
      if (part > 0) this.#queue.push({ amount: part * amount, taint });
      clean -= part;
    }
    if (clean > EMPTY) this.#queue.push({ amount: clean * amount, taint: null });
  }

  take(amount: number): readonly TaintPart[] {
    this.#held = Math.max(0, this.#held - amount);
    const taken: TaintPart[] = [];
    let left = amount;
    for (let next = this.#queue[this.#first]; next !== undefined && left > amount * EMPTY; ) {
      const is_whole = next.amount <= left * (1 + EMPTY);
      const given = is_whole ? next.amount : left;
      const { taint } = next;
      const leaving = given / next.amount;
      taken.push({ part: given / amount, taint: taint === null ? null : { ...taint, usd: taint.usd * leaving } });
      left -= given;
      if (is_whole) this.#first += 1;
      else {
        next.amount -= given;
        if (taint !== null) next.taint = { ...taint, usd: taint.usd * (1 - leaving) };
      }
      next = this.#queue[this.#first];
    }
    return taken;
  }

  covers(amount: number): number {
    return coveredPart(this.#held, amount);
  }

  left(): readonly Taint[] {
    return this.#queue.slice(this.#first).flatMap(({ taint }) => (taint === null ? [] : [taint]));
  }
}

const POOLS = { haircut: HaircutPool, fifo: FifoPool, poison: PoisonPool } as const;

/** Pools by address and asset. */
export class TaintPools {
  readonly #pools = new Map<Hex, Map<string, TaintPool>>();
  readonly #method: TraceMethod;

  constructor(method: TraceMethod) {
    this.#method = method;
  }

  of(address: Hex, asset: string): TaintPool {
    const assets = this.#pools.get(address) ?? new Map<string, TaintPool>();
    this.#pools.set(address, assets);
    const pool = assets.get(asset) ?? new POOLS[this.#method]();
    assets.set(asset, pool);
    return pool;
  }

  /** Money of traced origins that addresses still hold. */
  *left(): Generator<readonly [Hex, Taint]> {
    for (const [address, assets] of this.#pools)
      for (const pool of assets.values()) for (const taint of pool.left()) yield [address, taint];
  }

  /** Whether parts of several payments add up; a poisoned payment is tainted in full by each. */
  get is_additive(): boolean {
    return this.#method !== "poison";
  }
}
