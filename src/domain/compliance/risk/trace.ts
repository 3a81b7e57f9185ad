import type { Hex } from "../../../lib/bytes.ts";
import type { TraceMethod } from "../../../lib/trace_method.ts";
import type { TransactionPosition } from "../../transaction_hashes.ts";
import { LIMITS } from "./model.ts";
import type { ExposureDirection } from "./score.ts";
import { type Taint, type TaintPart, TaintPools, type TaintRoute } from "./taint_pools.ts";
import { type AssetMovement, type AssetTrade, countedUsd, isTrade, type ValueEvent } from "./value_events.ts";

/** Value between the wallet and one flagged address over one neighbour of the wallet. */
export interface Trail {
  readonly direction: ExposureDirection;
  /** The flagged address. */
  readonly source: Hex;
  /** Addresses along the path of the largest sum, both ends included. */
  readonly path: readonly Hex[];
  /** The transaction of each step of the path: one fewer than addresses. */
  readonly txs: readonly TransactionPosition[];
  /** Fewest steps of any path. 1: the flagged address dealt with the wallet itself. */
  readonly hops: number;
  /** At the time at which the wallet received or paid it. */
  readonly usd: number;
  /** A small sum in all from this address, and the wallet never paid the address afterwards. */
  readonly is_dust: boolean;
  /** First arrival of value at the path's end. Unix seconds. */
  readonly first_time: number;
  readonly last_time: number;
}

export interface TraceQuery {
  readonly wallet: Hex;
  /** Addresses with a category. */
  readonly flagged: ReadonlySet<Hex>;
  /** Addresses that value is followed through: neither services nor hubs. */
  readonly through: ReadonlySet<Hex>;
  readonly method: TraceMethod;
}

export interface TraceResult {
  readonly trails: readonly Trail[];
  readonly totals: Readonly<Record<ExposureDirection, number>>;
}

interface TraceArrival {
  readonly source: Hex;
  usd: number;
  largest_usd: number;
  route: TaintRoute;
  hops: number;
  readonly first_time: number;
  last_time: number;
}

interface TraceEnds {
  readonly direction: ExposureDirection;
  readonly isOrigin: (address: Hex) => boolean;
  readonly isEnd: (address: Hex) => boolean;
  /** Followed addresses at which money without a known receipt begins. Left out: it begins nowhere. */
  readonly isUnexplained?: (address: Hex) => boolean;
}

/** Parts of one origin together, in the order of first appearance. */
const merged = (parts: readonly TaintPart[], is_additive: boolean): readonly TaintPart[] => {
  const known = new Map<Hex, { part: number; taint: Taint }>();
  for (const { part, taint } of parts) {
    if (taint === null) continue;
    const before = known.get(taint.key);
    const larger = before === undefined || taint.usd > before.taint.usd ? taint : before.taint;
    known.set(taint.key, {
      part: is_additive ? part + (before?.part ?? 0) : 1,
      taint: {
        key: taint.key,
        usd: taint.usd + (before?.taint.usd ?? 0),
        route: larger.route,
        hops: Math.min(taint.hops, before?.taint.hops ?? taint.hops),
      },
    });
  }
  return [...known.values()];
};

/** Follows value from origins to ends, event by event in the order of the chain. */
export class Trace {
  readonly #question: TraceQuery;
  readonly #ends: TraceEnds;
  readonly #pools: TaintPools;
  readonly arrived = new Map<string, TraceArrival>();
  /** Value that arrived in assets that do not count as money by themselves. */
  uncounted_usd = 0;

  constructor(question: TraceQuery, ends: TraceEnds) {
    this.#question = question;
    this.#ends = ends;
    this.#pools = new TaintPools(question.method);
  }

  run(events: readonly ValueEvent[]): void {
    for (const event of events) {
      if (isTrade(event)) this.#trade(event);
      else if (event.amount > 0) this.#move(event);
    }
  }

  /** The origins of the given assets go over to the received ones. */
  #trade({ actor, gave, got }: AssetTrade): void {
    if (!this.#question.through.has(actor) || this.#ends.isOrigin(actor) || this.#ends.isEnd(actor)) return;
    const { is_additive } = this.#pools;
    const parts = gave.flatMap(({ asset, amount, part: weight }) =>
      this.#pools
        .of(actor, asset)
        .take(amount)
        .map(({ part, taint }) => ({ part: part * weight, taint })),
    );
    const given = is_additive ? parts : merged(parts, false);
    for (const { asset, amount, part: weight } of got) {
      this.#pools.of(actor, asset).put(
        amount,
        given.map(({ part, taint }) => ({ part, taint: taint && { ...taint, usd: taint.usd * weight } })),
      );
    }
  }

  /** The beginning of a way: all of it is of the origin. */
  #begin(movement: AssetMovement): readonly TaintPart[] {
    const { source, destination } = movement;
    const { direction } = this.#ends;
    const usd = countedUsd(movement, this.#question.flagged);
    // The wallet's payments are known apart by their first receivers.
    const key = direction === "in" ? source : destination;
    if (direction === "out" && usd === 0) return [];
    return [{ part: 1, taint: { key, usd, route: { address: source, tx: null, before: null }, hops: 0 } }];
  }

  /** USD of a part: received money is worth what it is at its arrival, paid money what it was when the wallet paid it. */
  #worthOf({ part, taint }: { readonly part: number; readonly taint: Taint }, movement: AssetMovement): number {
    const { usd, is_limited } = movement;
    if (this.#ends.direction === "out" || usd === null || taint.hops === 0) return taint.usd;
    return is_limited ? Math.min(taint.usd, part * usd) : part * usd;
  }

  /** A payment out of what a followed address holds. */
  #pay(movement: AssetMovement): readonly TaintPart[] {
    const { source, asset, amount } = movement;
    const pool = this.#pools.of(source, asset);
    const unknown = this.#ends.isUnexplained?.(source) === true ? 1 - pool.covers(amount) : 0;
    const parts = pool.take(amount);
    if (unknown <= 0) return parts;
    const begun = this.#begin(movement).map(({ taint }) => ({
      part: unknown,
      taint: taint && { ...taint, usd: taint.usd * unknown },
    }));
    return [...parts, ...begun];
  }

  /** Money that followed addresses still hold, by address. */
  left(): Iterable<readonly [Hex, Taint]> {
    return this.#pools.left();
  }

  #move(movement: AssetMovement): void {
    const { source, destination, asset, amount, tx } = movement;
    const { through } = this.#question;
    const { isOrigin, isEnd } = this.#ends;
    const sent = isOrigin(source) ? this.#begin(movement) : through.has(source) ? this.#pay(movement) : [];
    const arriving = sent.map((one): TaintPart => {
      if (one.taint === null) return one;
      const { key, route, hops } = one.taint;
      const usd = this.#worthOf({ part: one.part, taint: one.taint }, movement);
      return {
        part: one.part,
        taint: { key, usd, hops: hops + 1, route: { address: destination, tx, before: route } },
      };
    });
    if (isEnd(destination)) this.#arrive(arriving, movement);
    else if (through.has(destination) && !isOrigin(destination))
      this.#pools.of(destination, asset).put(amount, arriving);
  }

  #arrive(parts: readonly TaintPart[], movement: AssetMovement): void {
    const { source, destination, time } = movement;
    const is_in = this.#ends.direction === "in";
    if (is_in && countedUsd(movement, this.#question.flagged) === 0) {
      const usd = parts.map(({ taint }) => taint?.usd ?? 0);
      this.uncounted_usd += this.#pools.is_additive ? usd.reduce((total, one) => total + one, 0) : Math.max(0, ...usd);
    }
    for (const { taint } of merged(parts, true)) {
      if (taint === null || taint.usd <= 0) continue;
      const { usd, route, hops } = taint;
      const flagged = is_in ? taint.key : destination;
      const key = `${flagged}>${is_in ? source : taint.key}`;
      const known = this.arrived.get(key);
      if (known === undefined) {
        this.arrived.set(key, {
          ...{ source: flagged, usd, largest_usd: usd, route, hops },
          ...{ first_time: time, last_time: time },
        });
        continue;
      }
      known.usd += usd;
      known.hops = Math.min(known.hops, hops);
      known.last_time = time;
      if (usd <= known.largest_usd) continue;
      known.largest_usd = usd;
      known.route = route;
    }
  }
}

/** The steps of a route from its beginning, without loops. */
export const pathOf = (route: TaintRoute): Pick<Trail, "path" | "txs"> => {
  const steps: TaintRoute[] = [];
  const at = new Map<Hex, number>();
  for (let step: TaintRoute | null = route; step !== null; step = step.before) {
    const loop = at.get(step.address);
    // Backwards: a step to an address that was met already replaces all after it.
    if (loop !== undefined) {
      for (const { address } of steps.splice(loop + 1)) at.delete(address);
      steps[loop] = step;
    } else {
      at.set(step.address, steps.length);
      steps.push(step);
    }
  }
  steps.reverse();
  return { path: steps.map(({ address }) => address), txs: steps.flatMap(({ tx }) => (tx === null ? [] : [tx])) };
};

/** A small inflow from a source is dust, unless the wallet later paid that source. */
const dustIn = (
  events: readonly ValueEvent[],
  arrivals: readonly TraceArrival[],
  { wallet }: TraceQuery,
): ReadonlySet<Hex> => {
  const received = new Map<Hex, { usd: number; since: number }>();
  for (const { source, usd, first_time } of arrivals) {
    const known = received.get(source) ?? { usd: 0, since: first_time };
    received.set(source, { usd: known.usd + usd, since: Math.min(known.since, first_time) });
  }
  const dust = new Set([...received].filter(([, { usd }]) => usd < LIMITS.dust_usd).map(([source]) => source));
  for (const event of events) {
    if (isTrade(event) || event.source !== wallet) continue;
    if (event.time >= (received.get(event.destination)?.since ?? event.time + 1)) dust.delete(event.destination);
  }
  return dust;
};

const keyOf = ({ path }: Trail): string => path.join(">");

const sum = (events: readonly ValueEvent[], flagged: ReadonlySet<Hex>, isOwn: (movement: AssetMovement) => boolean) =>
  events.reduce((total, event) => total + (isTrade(event) || !isOwn(event) ? 0 : countedUsd(event, flagged)), 0);

/**
 * The part of a wallet's receipts and payments that traces to flagged addresses, at any distance. `events` in the order of
 * the chain. The largest trails first, ties by path.
 */
export const trace = (events: readonly ValueEvent[], question: TraceQuery): TraceResult => {
  const { wallet, flagged } = question;
  const isFlagged = (address: Hex): boolean => address !== wallet && flagged.has(address);
  const isWallet = (address: Hex): boolean => address === wallet;
  const received = new Trace(question, { direction: "in", isOrigin: isFlagged, isEnd: isWallet });
  const paid = new Trace(question, { direction: "out", isOrigin: isWallet, isEnd: isFlagged });
  received.run(events);
  paid.run(events);
  const dust = dustIn(events, [...received.arrived.values()], question);
  const trailsOf = (direction: ExposureDirection, arrivals: Iterable<TraceArrival>): readonly Trail[] =>
    [...arrivals].map(({ source, route, hops, usd, first_time, last_time }) => ({
      ...{ direction, source, ...pathOf(route), hops, usd },
      is_dust: direction === "in" && dust.has(source),
      ...{ first_time, last_time },
    }));
  return {
    trails: [...trailsOf("in", received.arrived.values()), ...trailsOf("out", paid.arrived.values())].sort(
      (a, b) => b.usd - a.usd || (keyOf(a) < keyOf(b) ? -1 : 1),
    ),
    totals: {
      in:
        received.uncounted_usd +
        sum(events, flagged, ({ destination, source }) => destination === wallet && source !== wallet),
      out: sum(events, flagged, ({ destination, source }) => source === wallet && destination !== wallet),
    },
  };
};
