import type { Hex } from "../../../lib/bytes.ts";
import { hourOf } from "../../../lib/time.ts";
import type { QueryRow } from "../../../store/facts.ts";
import { tradedToken } from "../../aliases.ts";
import type { SnapshotContext } from "../../context.ts";
import { readMarketStarts } from "../../token/market/market_starts.ts";
import { metadataIn, metadataOf } from "../../token/metadata/metadata.ts";
import { priceKey, pricesAtHours, storedSpan } from "../../valuation/prices/price_now.ts";
import { unitColumns, worthOfRaw } from "../../valuation/worth.ts";
import { bucketOf, NATIVE } from "./own_transfers.ts";
import type { LedgerTransfer } from "./value_events_of.ts";

/** Tokens by whose movements counterparties are ranked: the most moved ones. */
const TOKENS_MAX = 2_000;

const NO_TOKENS: readonly Hex[] = [""];

/** A ledger row of an address that value is followed through. */
type WalkRow = QueryRow<"risk/walk">;

export const keyOf = ({
  block_number,
  tx_index,
  position,
}: Pick<LedgerTransfer, "block_number" | "tx_index" | "position">): string => `${block_number}:${tx_index}:${position}`;

/** Hours whose prices are stored. */
interface PricedHours {
  readonly from: number;
  readonly until: number;
}

/** Rows as transfers, in USD at their hour's price; a movement before its token's market has none. */
export const pricedRows = async (
  scope: SnapshotContext,
  rows: readonly WalkRow[],
): Promise<readonly LedgerTransfer[]> => {
  const { facts, chain, snapshot } = scope;
  const fungible = rows.filter(({ is_collectible }) => is_collectible === 0);
  const hours = new Map(
    fungible.map(({ token, time }) => [priceKey(token, hourOf(time)), { token, hour: hourOf(time) }] as const),
  );
  const tokens = [...new Set(fungible.map(({ token }) => token))];
  const [prices, faces, starts] = await Promise.all([
    pricesAtHours({ facts, network: chain.network, snapshot }, [...hours.values()]),
    metadataOf(scope, tokens),
    readMarketStarts(scope, tokens),
  ]);
  return rows.map(({ address, peer, direction, token, token_id, is_collectible, ...row }) => {
    const { decimals } = metadataIn(faces, token);
    const price = prices.get(priceKey(token, hourOf(row.time)));
    const is_priced = is_collectible === 0 && row.time >= (starts.get(token) ?? 0);
    const worth = is_priced && decimals !== null ? worthOfRaw(row.amount, decimals, price) : null;
    const bucket = bucketOf(scope, token, is_collectible === 1 ? token_id : null);
    return {
      ...row,
      source: direction === 1 ? peer : address,
      destination: direction === 1 ? address : peer,
      token,
      is_collectible: is_collectible === 1,
      bucket,
      usd: worth?.value_usd ?? null,
      is_limited: bucket !== NATIVE && worth !== null && worth.limit !== null,
    };
  });
};

export const spanOf = ({ facts, chain, snapshot }: SnapshotContext): Promise<PricedHours> =>
  storedSpan({ facts, network: chain.network, snapshot });

/** The tokens with known decimals, in parallel; the engine needs at least one, and no address moved the placeholder. */
const countedTokens = async ({ facts, snapshot, chain }: SnapshotContext, traded: readonly Hex[]) => {
  const { native, wrapped_native } = chain.network;
  const read = await facts.ask(snapshot, "tokens_among", { tokens: traded });
  const known = new Map(read.map(({ token, decimals }) => [token, decimals]));
  known.set(wrapped_native ?? "", native.decimals);
  const counted = traded.flatMap((token) => {
    const decimals = known.get(token) ?? null;
    return decimals === null ? [] : [{ token, decimals }];
  });
  if (counted.length === 0) return { tokens: NO_TOKENS, decimals: [0] };
  return { tokens: counted.map(({ token }) => token), decimals: counted.map(({ decimals }) => decimals) };
};

/** Prices of the tokens that these addresses moved, in the hours with stored prices; for later hours per base unit. */
export const readTransferPrices = async (
  scope: SnapshotContext,
  addresses: readonly Hex[],
  { from, until }: PricedHours,
) => {
  const { facts, snapshot, chain } = scope;
  const question = { addresses: [...addresses].sort(), late_from: until, limit: TOKENS_MAX };
  const moved = await facts.ask(snapshot, "risk/moved_tokens", question);
  const pairs = moved.flatMap(({ token, late_hours }) => late_hours.map((hour) => ({ token, hour })));
  const [prices, faces] = await Promise.all([
    pricesAtHours({ facts, network: chain.network, snapshot }, pairs),
    metadataOf(
      scope,
      pairs.map(({ token }) => token),
    ),
  ]);
  const tradedAs = (token: Hex): Hex => tradedToken(chain.network, token);
  const late = new Map(
    pairs.flatMap(({ token, hour }) => {
      const price = prices.get(priceKey(token, hour));
      const { decimals } = metadataIn(faces, token);
      if (price === undefined || decimals === null) return [];
      // The coin and its wrapped form have one price.
      const traded = tradedAs(token);
      return [[priceKey(traded, hour), { token: traded, hour, ...unitColumns(price, decimals) }] as const];
    }),
  );
  return {
    ...(await countedTokens(scope, [...new Set(moved.map(({ token }) => tradedAs(token)))].sort())),
    stored_from: moved.reduce((first, { first_hour }) => Math.min(first, first_hour), Math.max(from, until)),
    stored_until: until,
    late_tokens: [...late.values()].map(({ token }) => token),
    late_hours: [...late.values()].map(({ hour }) => hour),
    late_units: [...late.values()].map(({ unit }) => unit),
    late_reserves: [...late.values()].map(({ reserve }) => reserve),
    late_payouts: [...late.values()].map(({ payout_usd }) => payout_usd),
  };
};
