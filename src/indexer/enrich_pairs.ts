import type { CallResult, ContractCall } from "../chains/chain.ts";
import type { PoolFamily } from "../knowledge/pool_families.gen.ts";
import { type Bytes, concatHex, EMPTY, equalBytes, fromHex, type Hex, intToHex, padHex, toHex } from "../lib/bytes.ts";
import { uintAt, WORD_BYTES } from "../lib/words.ts";
import { balancerPairOf } from "../protocols/balancer.ts";
import { CURVE_ID_BYTES, curvePairOf } from "../protocols/curve.ts";
import type { Venue } from "../protocols/venues.ts";
import type { PoolsReadRow } from "../store/tables.gen.ts";
import { addressOf, type CallContracts, callAll, selectorOf, wordOf } from "./pool_calls.ts";

/** Pools of several tokens: each traded pair of tokens is a pool here, known from its first swap. */

const COINS = selectorOf("coins(uint256)");
/** Of the first pools (curvefi/curve-contract, pools of 2020). */
const OLD_COINS = selectorOf("coins(int128)");
const IS_REGISTERED = selectorOf("is_registered(address)");
/** The native coin in Curve's pools. */
const NATIVE = fromHex("ee".repeat(20)) ?? EMPTY;

export const isPairPool = (pool: Bytes): boolean => pool.length === CURVE_ID_BYTES || balancerPairOf(pool) !== null;

/** Dependencies of reading pairs. */
export interface PairReaderOptions {
  readonly network: string;
  readonly wrapped_native: Hex | null;
  readonly venues: ReadonlyMap<Hex, Venue>;
  readonly call: CallContracts;
}

/** The one listed contract of a family; null if the list has none or several. */
const soleVenue = ({ venues }: PairReaderOptions, family: PoolFamily): Venue | null => {
  const listed = [...venues.values()].filter((venue) => venue.family === family);
  return listed.length === 1 ? (listed[0] ?? null) : null;
};

const rowOf = (
  parts: PairReaderOptions,
  pool: Bytes,
  known: { readonly family: PoolFamily; readonly venue: Venue | null; readonly token0: Bytes; readonly token1: Bytes },
): PoolsReadRow => ({
  network: parts.network,
  pool,
  family: known.family,
  venue: known.venue?.venue ?? "",
  factory: known.venue === null ? EMPTY : (fromHex(known.venue.factory) ?? EMPTY),
  token0: known.token0,
  token1: known.token1,
  fee_ppm: 0,
  tick_spacing: 0,
});

/** The id contains the tokens, and only events of a listed vault are accepted. */
const balancerRows = (parts: PairReaderOptions, pools: readonly Bytes[]): readonly PoolsReadRow[] =>
  pools.flatMap((pool) => {
    const pair = balancerPairOf(pool);
    return pair === null ? [] : [rowOf(parts, pool, { venue: soleVenue(parts, pair.family), ...pair })];
  });

const CALLS_PER_PAIR = 5;

const callsOf = (pool: Bytes, registry: Hex): readonly ContractCall[] => {
  const pair = curvePairOf(pool);
  const to = toHex(pool.subarray(0, 20));
  const places = [pair?.first ?? 0, pair?.second ?? 0].map((place) => intToHex(BigInt(place), WORD_BYTES));
  return [
    ...places.flatMap((place) => [COINS, OLD_COINS].map((selector) => ({ to, data: concatHex(selector, place) }))),
    { to: registry, data: concatHex(IS_REGISTERED, wordOf(pool.subarray(0, 20))) },
  ];
};

const isTrue = (answer: CallResult | undefined): boolean =>
  answer?.ok === true && answer.data.length === WORD_BYTES && uintAt(answer.data, 0) === 1n;

/** The pool, which any account can deploy, states its coins; the registry confirms that it is one of Curve's. */
const curveRows = async (
  parts: PairReaderOptions,
  pools: readonly Bytes[],
  signal: AbortSignal,
): Promise<readonly PoolsReadRow[]> => {
  const registry = soleVenue(parts, "curve");
  // Without a registry the last call goes to the zero address and confirms nothing.
  const calls = pools.flatMap((pool) => callsOf(pool, registry?.factory ?? padHex("", 20)));
  const answers = await callAll(parts.call, calls, signal);
  const coin = (address: Bytes | null): Bytes | null =>
    address !== null && equalBytes(address, NATIVE) ? fromHex(parts.wrapped_native ?? "") : address;
  return pools.flatMap((pool, at) => {
    const said = answers.slice(at * CALLS_PER_PAIR, (at + 1) * CALLS_PER_PAIR);
    const token0 = coin(addressOf(said[0]) ?? addressOf(said[1]));
    const token1 = coin(addressOf(said[2]) ?? addressOf(said[3]));
    if (token0 === null || token1 === null || equalBytes(token0, token1)) return [];
    const venue = isTrue(said[4]) ? registry : null;
    return [rowOf(parts, pool, { family: "curve", venue, token0, token1 })];
  });
};

/** Rows of the pairs whose tokens are known. `pools`: ids of pairs, as hex. */
export const readPairs = async (
  parts: PairReaderOptions,
  pools: readonly Hex[],
  signal: AbortSignal,
): Promise<readonly PoolsReadRow[]> => {
  const ids = pools.flatMap((pool) => fromHex(pool) ?? []);
  const curve = await curveRows(
    parts,
    ids.filter((id) => id.length === CURVE_ID_BYTES),
    signal,
  );
  return [...balancerRows(parts, ids), ...curve];
};
