/**
 * Prices that the operator of this instance provides. They apply only when no pool of the chain gives a price
 * (docs/design/pricing.md), and every answer with one names its source.
 */
import type { Hex } from "../../../lib/bytes.ts";
import { DAY_S, HOUR_S, iso } from "../../../lib/time.ts";
import type { Source, Warning } from "../../context.ts";
import type { Price } from "./price_cache.ts";

/** Price of a coin at a moment. */
export interface OperatorPoint {
  /** Unix seconds; negative infinity: it was always so. */
  readonly time: number;
  readonly price_usd: number;
}

/** Prices of one coin. `token` '' is the native coin; the native coin and its wrapped form share their prices. */
export interface OperatorSeries {
  readonly network: string;
  readonly token: Hex;
  readonly points: readonly OperatorPoint[];
}

/** One configured source of prices. */
export interface OperatorSource {
  readonly id: string;
  /** Changes when past prices of the source change. */
  readonly version: string;
  /** True: a price holds until the next one. False: for a day, as a pool's last price does. */
  readonly is_standing: boolean;
  readonly series: readonly OperatorSeries[];
}

/** Records that a source priced data read at a snapshot. `updated_at`: time of its newest price; null without one. */
export interface OperatorUse {
  readonly id: string;
  readonly version: string;
  readonly time: number | null;
}

interface OperatorPriceList {
  readonly source: OperatorSource;
  readonly points: readonly OperatorPoint[];
}

const keyOf = (network: string, token: Hex): string => `${network}:${token}`;

/** Number of points up to a moment. The points are in order. */
const countTo = (points: readonly OperatorPoint[], time: number): number => {
  let [low, high] = [0, points.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((points[middle]?.time ?? 0) <= time) low = middle + 1;
    else high = middle;
  }
  return low;
};

/** All prices of the operator, one instance per facts store (`Facts.own`). */
export class OperatorPrices {
  /** In the order of the configuration: the first source with a price for a coin and hour counts. */
  #sources: readonly OperatorSource[] = [];
  #listed: ReadonlyMap<string, readonly OperatorPriceList[]> = new Map();

  /** Replaces all sources. Points may be in any order. */
  replace(sources: readonly OperatorSource[]): void {
    const listed = new Map<string, OperatorPriceList[]>();
    for (const source of sources) {
      for (const { network, token, points } of source.series) {
        const key = keyOf(network, token);
        const sorted = [...points].sort((a, b) => a.time - b.time);
        listed.set(key, [...(listed.get(key) ?? []), { source, points: sorted }]);
      }
    }
    this.#sources = sources;
    this.#listed = listed;
  }

  /** Reports whether any coin of a network may have an operator price. */
  has(network: string): boolean {
    return this.#sources.some(({ series }) => series.some((one) => one.network === network));
  }

  /** The price of an hour: the newest before its end, within its age limit. Records the use for `snapshot`. */
  at(snapshot: { readonly network: string }, names: readonly Hex[], hour: number): Price | null {
    for (const name of names) {
      for (const { source, points } of this.#listed.get(keyOf(snapshot.network, name)) ?? []) {
        const point = points[countTo(points, hour + HOUR_S - 1) - 1];
        if (point === undefined || (!source.is_standing && point.time < hour - DAY_S)) continue;
        noteUse(snapshot, source, point.time);
        // Nothing on the chain backs it: no buyer at this price is known.
        return { price_usd: point.price_usd, depth_usd: 0, sells: null, method: "operator", confidence: "low", hour };
      }
    }
    return null;
  }

  /** The same text as long as prices up to a moment are the same. */
  mark(network: string, known_to: number): string {
    const own = [...this.#listed].filter(([key]) => key.startsWith(`${network}:`));
    return own
      .flatMap(([key, listed]) =>
        listed.map(({ source, points }) => `${source.id} ${source.version} ${key} ${countTo(points, known_to)}`),
      )
      .join(";");
  }
}

/** Uses by snapshot. Each call takes a new snapshot, so a use is recorded only as long as its answer needs it. */
const USED = new WeakMap<object, Map<string, OperatorUse>>();

const noteUse = (snapshot: object, { id, version }: OperatorSource, time: number): void => {
  const uses = USED.get(snapshot) ?? new Map<string, OperatorUse>();
  const newest = Math.max(time, uses.get(id)?.time ?? Number.NEGATIVE_INFINITY);
  uses.set(id, { id, version, time: Number.isFinite(newest) ? newest : null });
  USED.set(snapshot, uses);
};

/** The operator's sources whose prices were read at a snapshot, by id. */
export const operatorUses = (snapshot: object): readonly OperatorUse[] =>
  [...(USED.get(snapshot)?.values() ?? [])].sort((a, b) => (a.id < b.id ? -1 : 1));

/** Provenance of operator prices: the sources of an answer, and a warning for each. */
export const operatorProvenance = (
  snapshots: readonly object[],
): { readonly sources: readonly Source[]; readonly warnings: readonly Warning[] } => {
  const uses = [...new Map(snapshots.flatMap(operatorUses).map((use) => [use.id, use])).values()];
  return {
    sources: uses.map(({ id, version, time }) => ({
      id: `prices/${id}`,
      version,
      updated_at: time === null ? null : iso(time),
    })),
    warnings: uses.map(({ id, time }) => ({
      code: "OPERATOR_PRICE",
      message: `Where no pool of the chain has a price, Assay uses the operator's source '${id}'${time === null ? "" : `; its newest price is from ${iso(time)}`}.`,
    })),
  };
};
