/** Pools as contracts state them: which ones a known factory has, and their state after a block. */
import type { CallResult, Chain, ContractCall } from "../../chains/chain.ts";
import type { PoolEvents } from "../../domain/valuation/prices/pool_events.ts";
import { isConcentrated } from "../../domain/valuation/prices/pool_family.ts";
import type { PoolCandidate, PricePool } from "../../domain/valuation/prices/pools.ts";
import { POOL_FAMILIES, type PoolFamily } from "../../knowledge/pool_families.gen.ts";
import { type Hex, toHex } from "../../lib/bytes.ts";
import { intAt, uintAt, WORD_BYTES } from "../../lib/words.ts";
import { traitsOf } from "../../protocols/pool_families.ts";
import type { Venue } from "../../protocols/venues.ts";
import { addressOf, findCall, selectorOf } from "../pool_calls.ts";

type PlacedState = Awaited<ReturnType<PoolEvents["poolsAt"]>>["states"][number];

/** Inner calls of one request, where the network has Multicall3. */
const CALLS_PER_REQUEST = 100;

/** Calls to a node that so many contract calls take at least. */
export const requestsOf = ({ network }: Pick<Chain, "network">, calls: number): number =>
  network.multicall === null ? calls : Math.ceil(calls / CALLS_PER_REQUEST);

/** Families whose contracts state their reserves or their price. A pool with another third value than the listed ones is not found. */
const STATED = POOL_FAMILIES.flatMap(({ family, plain, reads }) =>
  reads === null || reads.state.length === 0 ? [] : [{ family, plain, reads }],
);

const stateCallsOf = (family: string): readonly string[] => traitsOf(family)?.reads?.state ?? [];

interface FactoryCall extends ContractCall {
  readonly family: PoolFamily;
}

/** The calls that ask each factory for its pools of two tokens. */
const callsFor = (venues: Iterable<Venue>, tokens: TokenPair): readonly FactoryCall[] =>
  [...venues].flatMap((venue) =>
    STATED.filter(({ plain }) => plain === venue.family).flatMap(({ family, reads: { find } }) =>
      (find.tried.length === 0 ? [0] : find.tried).map((third) => ({
        ...findCall(venue.factory, find, { tokens, third }),
        family,
      })),
    ),
  );

type TokenPair = readonly [Hex, Hex];

/** One text per pair, whatever the order. */
export const pairKey = ([one, other]: TokenPair): string => (one < other ? `${one}:${other}` : `${other}:${one}`);

/** Each pair once, in the order in which pools hold its tokens. */
export const pairsOf = (left: readonly Hex[], right: readonly Hex[]): readonly TokenPair[] => {
  const pairs = new Map<string, TokenPair>();
  for (const one of left)
    for (const other of right) {
      if (one === other) continue;
      const pair: TokenPair = one < other ? [one, other] : [other, one];
      pairs.set(pairKey(pair), pair);
    }
  return [...pairs.values()];
};

type Reads = Pick<Chain, "call" | "network">;

/**
 * The pools of known factories between these tokens after a block. The factory answers, so no other contract can claim to be one of its
 * pools. @throws AssayError UPSTREAM_UNAVAILABLE
 */
export const readFactoryPools = async (
  chain: Reads,
  {
    venues,
    pairs,
    at,
  }: { readonly venues: readonly Venue[]; readonly pairs: readonly TokenPair[]; readonly at: number },
  signal: AbortSignal,
): Promise<{ readonly pools: readonly (readonly PoolCandidate[])[]; readonly requests: number }> => {
  const asked = pairs.map((pair) => callsFor(venues, pair));
  const calls = asked.flat().map(({ to, data }) => ({ to, data }));
  const answers = calls.length === 0 ? [] : await chain.call(calls, signal, at);
  let next = 0;
  const pools = asked.map((own, i) =>
    own.flatMap(({ family }): PoolCandidate[] => {
      const pool = addressOf(answers[next++]);
      const [token0, token1] = pairs[i] ?? [];
      return pool === null || token0 === undefined || token1 === undefined
        ? []
        : [{ pool: toHex(pool), family, token0, token1 }];
    }),
  );
  return { pools, requests: requestsOf(chain, calls.length) };
};

const LIMIT_112 = 1n << 112n;
const LIMIT_128 = 1n << 128n;
const LIMIT_160 = 1n << 160n;
const TICK_MAX = 887_272n;
/** More than any log index. */
const LOG_MAX = 2 ** 32 - 1;

type OwnState = Omit<PlacedState, "pool" | "time" | "state_block" | "state_log">;

/** Null: the pool has no state yet, or one that no such pool can have. */
const reservesIn = (family: string, answer: CallResult | undefined): OwnState | null => {
  if (answer?.ok !== true || answer.data.length !== 3 * WORD_BYTES) return null;
  const [reserve0, reserve1] = [uintAt(answer.data, 0), uintAt(answer.data, 1)];
  const limit = family === "uniswap_v2" ? LIMIT_112 : LIMIT_128;
  if (reserve0 >= limit || reserve1 >= limit || (reserve0 === 0n && reserve1 === 0n)) return null;
  return { reserve0, reserve1, sqrt_price_x96: 0n, liquidity: 0n, tick: 0 };
};

const rangeIn = (slot: CallResult | undefined, depth: CallResult | undefined): OwnState | null => {
  if (slot?.ok !== true || depth?.ok !== true) return null;
  if (slot.data.length < 2 * WORD_BYTES || depth.data.length !== WORD_BYTES) return null;
  const [sqrt_price_x96, tick, liquidity] = [uintAt(slot.data, 0), intAt(slot.data, 1), uintAt(depth.data, 0)];
  const fits = sqrt_price_x96 > 0n && sqrt_price_x96 < LIMIT_160 && liquidity < LIMIT_128;
  if (!fits || tick > TICK_MAX || tick < -TICK_MAX) return null;
  return { reserve0: 0n, reserve1: 0n, sqrt_price_x96, liquidity, tick: Number(tick) };
};

/** States of pools after a block; a pool without one is absent. @throws AssayError UPSTREAM_UNAVAILABLE */
export const readPoolStates = async (
  chain: Reads,
  { pools, at }: { readonly pools: readonly PricePool[]; readonly at: number },
  signal: AbortSignal,
): Promise<{ readonly states: readonly PlacedState[]; readonly requests: number }> => {
  const calls = pools.flatMap(({ pool: to, family }) =>
    stateCallsOf(family).map((call) => ({ to, data: selectorOf(call) })),
  );
  const answers = calls.length === 0 ? [] : await chain.call(calls, signal, at);
  let next = 0;
  const states = pools.flatMap(({ pool, family }): PlacedState[] => {
    if (stateCallsOf(family).length === 0) return [];
    const state = isConcentrated(family)
      ? rangeIn(answers[next++], answers[next++])
      : reservesIn(family, answers[next++]);
    return state === null ? [] : [{ ...state, pool, time: 0, state_block: at, state_log: LOG_MAX }];
  });
  return { states, requests: requestsOf(chain, calls.length) };
};
