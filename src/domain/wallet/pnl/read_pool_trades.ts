import type { Hex } from "../../../lib/bytes.ts";
import { hourOf } from "../../../lib/time.ts";
import type { QueryRow } from "../../../store/facts.ts";
import type { SnapshotContext } from "../../context.ts";
import { metadataIn, metadataOf } from "../../token/metadata/metadata.ts";
import { inBatches } from "../../valuation/prices/pools.ts";
import { priceKey, pricesAtHours } from "../../valuation/prices/price_now.ts";
import { type SaleDepth, unitDepth, worthOfUnits } from "../../valuation/worth.ts";
import type { PnlPrices } from "./read_prices.ts";
import { type TransactionMovements, transactionKey } from "./transaction_movements.ts";

/** USD per base unit, by bucket, from the pools of one transaction. */
export type PoolWorth = ReadonlyMap<Hex, number>;

/** Values from pools for tokens without a price. */
export interface PoolTrades {
  /** By `block:index`. */
  readonly worth: ReadonlyMap<string, PoolWorth>;
  /** Unpriced buckets of trades whose other side does not value them. */
  readonly unpriced: ReadonlySet<Hex>;
  /** A text that changes when other pools of some buckets are known up to a block. */
  readonly markOf: (buckets: ReadonlySet<Hex>, to_block: number) => string;
}

type TradedPool = QueryRow<"pools_of_tokens">;

interface PoolTradesQuery {
  readonly moves: TransactionMovements;
  readonly quote: PnlPrices["quote"];
  /** Buckets of blocks outside `moves`. */
  readonly before: ReadonlySet<Hex>;
}

/** Trades with an unpriced bucket whose other side does not value it alone. */
const unvalued = ({ moves, quote }: PoolTradesQuery) => {
  const places: { readonly i: number; readonly key: string }[] = [];
  const unpriced = new Set<Hex>();
  for (let i = 0; i < moves.length; i += 1) {
    const found = moves.valuedBy(i) === null ? moves.exchanged(i) : null;
    if (found === null) continue;
    const missing = found.filter((bucket) => quote(bucket, moves.timeOf(i)) === null);
    if (missing.length === 0 || (found.length === 2 && missing.length === 1)) continue;
    places.push({ i, key: moves.keyOf(i) });
    for (const bucket of missing) unpriced.add(bucket);
  }
  return { places, unpriced };
};

interface PoolTradeSide {
  readonly bucket: Hex;
  readonly amount: bigint;
}

const size = (amount: bigint): bigint => (amount < 0n ? -amount : amount);

/** Both sides of every trade, by transaction. */
const tradesIn = async (
  { facts, snapshot }: SnapshotContext,
  pools: ReadonlyMap<Hex, readonly [Hex, Hex]>,
  places: readonly { readonly block: number; readonly index: number }[],
): Promise<ReadonlyMap<string, readonly (readonly [PoolTradeSide, PoolTradeSide])[]>> => {
  const trades = new Map<string, (readonly [PoolTradeSide, PoolTradeSide])[]>();
  const rows = await inBatches([...pools.keys()].sort(), (part) =>
    inBatches(places, (some) =>
      facts.ask(snapshot, "pnl/pool_trades", {
        pools: [...part],
        blocks: some.map(({ block }) => block),
        indexes: some.map(({ index }) => index),
      }),
    ),
  );
  for (const row of rows) {
    const tokens = pools.get(row.pool);
    if (tokens === undefined) continue;
    const [a, b] = tokens;
    const sides = [
      { bucket: a, amount: size(row.amount0) },
      { bucket: b, amount: size(row.amount1) },
    ] as const;
    const key = transactionKey(row);
    const known = trades.get(key);
    if (known === undefined) trades.set(key, [sides]);
    else known.push(sides);
  }
  return trades;
};

/** A price of a base unit, and what can be sold at it. */
interface BaseUnitPrice {
  readonly usd: number;
  readonly sells: SaleDepth | null;
}

/** USD per unit of the unpriced buckets, over all their trades against priced ones. */
const worthOf = (
  trades: readonly (readonly [PoolTradeSide, PoolTradeSide])[],
  unitOf: (bucket: Hex) => BaseUnitPrice | null,
): PoolWorth => {
  const sums = new Map<Hex, { amount: number; usd: number }>();
  for (const [a, b] of trades) {
    for (const [one, other] of [
      [a, b],
      [b, a],
    ] as const) {
      const unit = unitOf(one.bucket) === null ? unitOf(other.bucket) : null;
      if (unit === null || one.amount === 0n) continue;
      const sum = sums.get(one.bucket) ?? { amount: 0, usd: 0 };
      const usd = worthOfUnits(Number(other.amount), unit.usd, unit.sells);
      sums.set(one.bucket, { amount: sum.amount + Number(one.amount), usd: sum.usd + usd });
    }
  }
  return new Map([...sums].map(([bucket, { amount, usd }]) => [bucket, usd / amount]));
};

/** Prices from pools inside a transaction, for buckets without a price in that hour. */
export const readPoolTrades = async (scope: SnapshotContext, asked: PoolTradesQuery): Promise<PoolTrades> => {
  const { facts, snapshot, chain } = scope;
  const { wrapped_native, id } = chain.network;
  const { moves, quote, before } = asked;
  const { places, unpriced } = unvalued(asked);
  const all = new Set([...before, ...unpriced]);
  const tokens = [...all].map((bucket) => (bucket === "" ? (wrapped_native ?? "") : bucket)).sort();
  const found = await inBatches(tokens, (part) => facts.ask(snapshot, "pools_of_tokens", { tokens: [...part] }));
  const bucketOf = (token: Hex): Hex => (token === wrapped_native ? "" : token);
  const pools = new Map(found.map(({ pool, token0, token1 }) => [pool, [bucketOf(token0), bucketOf(token1)] as const]));
  const faces = await metadataOf(scope, [...new Set([...pools.values()].flat())]);
  const markOf: PoolTrades["markOf"] = (buckets, to_block) =>
    [...new Map(found.map((pool) => [pool.pool, pool])).values()]
      .filter((pool) => isOf(pool, buckets, bucketOf) && (pool.created_block ?? 0) <= to_block)
      .map(({ pool, token0, token1 }) => {
        const decimals = [token0, token1].map((token) => metadataIn(faces, bucketOf(token)).decimals);
        return `${id}:${pool}:${decimals.join(":")}`;
      })
      .sort()
      .join();
  if (places.length === 0 || pools.size === 0) return { worth: new Map(), unpriced: all, markOf };
  const at = places.map(({ i }) => ({ block: moves.blockOf(i), index: moves.indexOf(i) }));
  const trades = await tradesIn(scope, pools, at);
  const wanted = places.flatMap(({ i, key }) =>
    (trades.get(key) ?? []).flatMap((sides) =>
      sides.map(({ bucket }) => ({ token: bucket, hour: hourOf(moves.timeOf(i)) })),
    ),
  );
  const prices = await pricesAtHours({ facts, network: chain.network, snapshot }, wanted);
  const worth = new Map<string, PoolWorth>();
  for (const { i, key } of places) {
    const time = moves.timeOf(i);
    const unitOf = (bucket: Hex): BaseUnitPrice | null => {
      if (unpriced.has(bucket) && quote(bucket, time) === null) return null;
      const { decimals } = metadataIn(faces, bucket);
      const price = prices.get(priceKey(bucket, hourOf(time)));
      if (decimals === null || price === undefined) return null;
      return { usd: price.price_usd / 10 ** decimals, sells: unitDepth(price.sells, decimals) };
    };
    const units = worthOf(trades.get(key) ?? [], unitOf);
    if (units.size > 0) worth.set(key, units);
  }
  return { worth, unpriced: all, markOf };
};

const isOf = ({ token0, token1 }: TradedPool, buckets: ReadonlySet<Hex>, bucketOf: (token: Hex) => Hex): boolean =>
  buckets.has(bucketOf(token0)) || buckets.has(bucketOf(token1));
