import type { Hex } from "../../../lib/bytes.ts";
import type { TransactionPosition } from "../../transaction_hashes.ts";

/** Value that moved from one address to another; '' is an address that value is not followed to. */
export interface ValueMovement {
  readonly source: Hex;
  readonly destination: Hex;
  readonly usd: number;
  /** Unix seconds. */
  readonly time: number;
  readonly tx: TransactionPosition;
}

/** An amount of one asset that moved from one address to another. */
export interface AssetMovement extends Omit<ValueMovement, "usd"> {
  /** '' is the native coin and its wrapped form. */
  readonly asset: string;
  /** Base units. */
  readonly amount: number;
  /** Null without a price. */
  readonly usd: number | null;
  /** The pools pay less than price times amount. */
  readonly is_limited: boolean;
}

/** One asset of a trade's side. */
export interface TradedAmount {
  readonly asset: string;
  /** Base units. */
  readonly amount: number;
  /** Part of the side's value, 0..1; all parts of a side are 1 together. */
  readonly part: number;
}

/** A trade of an address with venues in one transaction: what it gave became what it got. */
export interface AssetTrade {
  readonly actor: Hex;
  readonly gave: readonly TradedAmount[];
  readonly got: readonly TradedAmount[];
  /** Unix seconds. */
  readonly time: number;
  readonly tx: TransactionPosition;
}

export type ValueEvent = AssetMovement | AssetTrade;

export const isTrade = (event: ValueEvent): event is AssetTrade => "actor" in event;

/**
 * Whether pools do not take a token at its price. Any account can send such a token, so it is money only where a flagged
 * address itself sent or received it.
 */
const isUnsellable = ({ is_limited, source, destination }: AssetMovement, flagged: ReadonlySet<Hex>): boolean =>
  is_limited && !flagged.has(source) && !flagged.has(destination);

/** The USD of a movement that count as money; 0 without a price, or where pools do not take the token at its price. */
export const countedUsd = (movement: AssetMovement, flagged: ReadonlySet<Hex>): number =>
  movement.usd === null || isUnsellable(movement, flagged) ? 0 : movement.usd;

/** Movements that count as money, without trades. */
export const paymentsOf = (events: readonly ValueEvent[], flagged: ReadonlySet<Hex>): readonly ValueMovement[] =>
  events.flatMap((event) => {
    if (isTrade(event)) return [];
    const { source, destination, time, tx } = event;
    const usd = countedUsd(event, flagged);
    return usd > 0 ? [{ source, destination, usd, time, tx }] : [];
  });
