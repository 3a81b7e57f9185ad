import type { Hex } from "../../lib/bytes.ts";
import { usdOf } from "../../lib/money.ts";
import { hourOf } from "../../lib/time.ts";
import type { Row } from "../../store/facts.ts";
import type { SnapshotContext } from "../context.ts";
import { priceKey, pricesAtHours, storedSpan } from "../prices/price_now.ts";
import { metadataIn, metadataOf } from "../tokens/metadata.ts";
import type { Transfer } from "./moves.ts";

/** Tokens by whose movements counterparties are ranked: the most moved ones. */
const TOKENS_MAX = 2_000;

/** `price_usd`: of the hour, where it is stored. */
export type WalkRow = Omit<Row<"risk/own">, "address"> & { readonly address: Hex };

export const keyOf = ({ block_number, tx_index, position }: WalkRow): string =>
  `${block_number}:${tx_index}:${position}`;

/** Hours whose prices are stored. */
export interface Span {
  readonly from: number;
  readonly until: number;
}

/** Rows as transfers, in USD at their hour's price. */
export const priced = async (
  place: SnapshotContext,
  rows: readonly WalkRow[],
  { until }: Span,
): Promise<readonly Transfer[]> => {
  const { facts, chain, snapshot } = place;
  const fungible = rows.filter(({ is_collectible }) => is_collectible === 0);
  const late = new Map(
    fungible
      .map(({ token, time }) => ({ token, hour: hourOf(time) }))
      .filter(({ hour }) => hour >= until)
      .map((pair) => [priceKey(pair.token, pair.hour), pair]),
  );
  const [prices, faces] = await Promise.all([
    pricesAtHours({ facts, network: chain.network, snapshot }, [...late.values()]),
    metadataOf(
      place,
      fungible.map(({ token }) => token),
    ),
  ]);
  return rows.map(({ address, peer, direction, token, token_id, is_collectible, price_usd, ...row }) => {
    const { decimals } = metadataIn(faces, token);
    const price = price_usd ?? prices.get(priceKey(token, hourOf(row.time)))?.price_usd ?? null;
    const is_native = token === "" || token === chain.network.wrapped_native;
    return {
      ...row,
      source: direction === 1 ? peer : address,
      destination: direction === 1 ? address : peer,
      bucket: is_collectible === 1 ? `${token}:${token_id}` : is_native ? "" : token,
      usd: is_collectible === 1 || decimals === null ? null : usdOf(row.amount, decimals, price),
    };
  });
};

export const spanOf = ({ facts, chain, snapshot }: SnapshotContext): Promise<Span> =>
  storedSpan({ facts, network: chain.network, snapshot });

/** Tokens that these moved, where their prices are stored, and those that are not stored yet per base unit. */
export const movedPrices = async (place: SnapshotContext, addresses: readonly Hex[], { from, until }: Span) => {
  const { facts, snapshot, chain } = place;
  const question = { addresses: [...addresses].sort(), late_from: until, limit: TOKENS_MAX };
  const moved = await facts.ask(snapshot, "risk/moved_tokens", question);
  const pairs = moved.flatMap(({ token, late_hours }) => late_hours.map((hour) => ({ token, hour })));
  const [prices, faces] = await Promise.all([
    pricesAtHours({ facts, network: chain.network, snapshot }, pairs),
    metadataOf(
      place,
      pairs.map(({ token }) => token),
    ),
  ]);
  const tradedAs = (token: Hex): Hex => (token === "" ? (chain.network.wrapped_native ?? "") : token);
  const late = new Map(
    pairs.flatMap(({ token, hour }) => {
      const price = prices.get(priceKey(token, hour));
      const { decimals } = metadataIn(faces, token);
      if (price === undefined || decimals === null) return [];
      // The coin and its wrapped form are priced as one.
      const traded = tradedAs(token);
      return [[priceKey(traded, hour), { token: traded, hour, unit: price.price_usd / 10 ** decimals }] as const];
    }),
  );
  return {
    tokens: [...new Set(moved.map(({ token }) => tradedAs(token)))].sort(),
    stored_from: moved.reduce((first, { first_hour }) => Math.min(first, first_hour), Math.max(from, until)),
    stored_until: until,
    late_tokens: [...late.values()].map(({ token }) => token),
    late_hours: [...late.values()].map(({ hour }) => hour),
    late_units: [...late.values()].map(({ unit }) => unit),
  };
};
