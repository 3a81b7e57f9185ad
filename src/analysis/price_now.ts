import type { Network } from "../chains/chain.ts";
import type { Hex } from "../lib/bytes.ts";
import { hourOf } from "../lib/time.ts";
import type { Facts, Snapshot } from "../store/facts.ts";

/** How a price came about. `anchor`: a dollar coin at 1. `last`: carried from at most 24 hours ago. */
export type PriceMethod = "anchor" | "vwap" | "mid" | "last";
export type PriceConfidence = "low" | "medium" | "high";

export interface Price {
  readonly price_usd: number;
  readonly confidence: PriceConfidence;
  readonly method: PriceMethod;
  /** USD on the anchor side of the deepest pool. */
  readonly depth_usd: number;
  /** First second of the hour the price stands for. */
  readonly hour: number;
}

export interface PriceContext {
  readonly facts: Facts;
  readonly network: Network;
  readonly snapshot: Snapshot;
}

/** Key of `pricesAtHours`. */
export const priceKey = (token: Hex, hour: number): string => `${token}:${hour}`;

/**
 * Prices at the snapshot's block (03, section 2.2), from facts up to that block only, so that an answer at a block
 * never changes. The native coin ('') and its wrapped form have one price. A token without a price is absent.
 */
export const pricesAt = async (
  { network, snapshot }: PriceContext,
  tokens: readonly Hex[],
): Promise<ReadonlyMap<Hex, Price>> => {
  const hour = hourOf(snapshot.block.time);
  const anchors = new Set(network.stablecoins.filter(({ peg }) => peg === "USD").map(({ address }) => address));
  const priced = tokens.filter((token) => anchors.has(token));
  return new Map(
    priced.map((token) => [token, { price_usd: 1, confidence: "high", method: "anchor", depth_usd: 0, hour }]),
  );
};

/**
 * Prices of hours (`hour` = its first second), by `priceKey`. Whole hours come from the price table, the hour of the
 * snapshot from its facts so far; a pair without a price is absent.
 */
export const pricesAtHours = async (
  context: PriceContext,
  wanted: readonly { readonly token: Hex; readonly hour: number }[],
): Promise<ReadonlyMap<string, Price>> => {
  const now = hourOf(context.snapshot.block.time);
  const tokens = wanted.filter(({ hour }) => hour === now).map(({ token }) => token);
  const prices = await pricesAt(context, tokens);
  return new Map([...prices].map(([token, price]) => [priceKey(token, now), price]));
};
