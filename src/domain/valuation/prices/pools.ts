import type { Network } from "../../../chains/chain.ts";
import type { Hex } from "../../../lib/bytes.ts";
import type { Facts, Snapshot } from "../../../store/facts.ts";

export interface PriceContext {
  readonly facts: Facts;
  readonly network: Network;
  readonly snapshot: Snapshot;
}

/** A pool that may give prices: its venue and the decimals of both tokens are known. */
export interface PricePool {
  readonly pool: Hex;
  readonly family: string;
  readonly token0: Hex;
  readonly token1: Hex;
  readonly decimals0: number;
  readonly decimals1: number;
}

/** Longer lists are split into several queries: servers limit the length of a query. */
const LIST_MAX = 2_000;

/** Runs one query per part of a long list; none for an empty list. */
export const inBatches = async <T, R>(
  list: readonly T[],
  ask: (part: readonly T[]) => Promise<readonly R[]>,
): Promise<R[]> => {
  const rows: R[] = [];
  for (let at = 0; at < list.length; at += LIST_MAX) {
    for (const row of await ask(list.slice(at, at + LIST_MAX))) rows.push(row);
  }
  return rows;
};

/** Coins pegged to the dollar. */
export const anchorsOf = (network: Network): ReadonlySet<Hex> =>
  new Set(network.stablecoins.filter(({ peg }) => peg === "USD").map(({ address }) => address));

export type PoolCandidate = Omit<PricePool, "decimals0" | "decimals1">;

/** Finds pools: in the facts of a whole network, or at the factories. */
export interface PoolIndex {
  readonly network: Network;
  /** Pools of known venues between a token of `left` and one of `right`; none there means any token. */
  find(left: readonly Hex[], right: readonly Hex[]): Promise<readonly PoolCandidate[]>;
  /** A token without decimals is absent. */
  decimalsOf(tokens: readonly Hex[]): Promise<ReadonlyMap<Hex, number>>;
}

export const storedPoolIndex = ({ facts, network, snapshot }: PriceContext): PoolIndex => ({
  network,
  find: (left, right) => inBatches(left, (part) => facts.ask(snapshot, "prices/pools", { left: part, right })),
  decimalsOf: async (tokens) => {
    const read = await inBatches(tokens, (part) => facts.ask(snapshot, "tokens_among", { tokens: part }));
    return new Map(read.flatMap(({ token, decimals }) => (decimals === null ? [] : [[token, decimals]])));
  },
});

/** Every pool that may give a price. */
export const allPools = async (
  context: PriceContext,
  known: Map<Hex, number | null>,
): Promise<readonly PricePool[]> => {
  const found = await context.facts.ask(context.snapshot, "prices/pools", { left: [], right: [] });
  return withDecimals(storedPoolIndex(context), found, known);
};

/** The pools that the prices of `tokens` depend on, over two hops; and those between dollar coins. */
export const poolsFor = async (index: PoolIndex, tokens: readonly Hex[]): Promise<readonly PricePool[]> => {
  const anchors = anchorsOf(index.network);
  const native = index.network.wrapped_native;
  const others = tokens.filter((token) => !anchors.has(token) && token !== native);
  const own = await index.find(others, []);
  const counters = new Set([...anchors, ...(native !== null && tokens.includes(native) ? [native] : [])]);
  for (const { token0, token1 } of own) counters.add(token0).add(token1);
  const anchored = await index.find([...counters], [...anchors]);
  const pools = new Map([...own, ...anchored].map((pool) => [pool.pool, pool]));
  return withDecimals(index, [...pools.values()], new Map());
};

/** Drops pools of a token without decimals, which cannot be read. `known` caches decimals between calls. */
const withDecimals = async (
  { network, decimalsOf }: PoolIndex,
  pools: readonly PoolCandidate[],
  known: Map<Hex, number | null>,
): Promise<readonly PricePool[]> => {
  if (network.wrapped_native !== null) known.set(network.wrapped_native, network.native.decimals);
  const tokens = new Set(pools.flatMap(({ token0, token1 }) => [token0, token1]));
  const unknown = [...tokens].filter((token) => (known.get(token) ?? null) === null);
  for (const [token, decimals] of await decimalsOf(unknown)) known.set(token, decimals);
  return pools.flatMap((pool) => {
    const decimals0 = known.get(pool.token0) ?? null;
    const decimals1 = known.get(pool.token1) ?? null;
    return decimals0 === null || decimals1 === null ? [] : [{ ...pool, decimals0, decimals1 }];
  });
};
