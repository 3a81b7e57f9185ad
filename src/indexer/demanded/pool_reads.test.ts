import { expect, test } from "vitest";
import { testAddress } from "../../../test/facts_store.ts";
import { fixedChain } from "../../../test/fixed_chain.ts";
import type { CallResult, ContractCall } from "../../chains/chain.ts";
import type { PricePool } from "../../domain/valuation/prices/pools.ts";
import { EMPTY, fromHex, type Hex, hex, padHex, toHex } from "../../lib/bytes.ts";
import { topicOf } from "../../protocols/protocol.ts";
import type { Venue } from "../../protocols/venues.ts";
import { readFactoryPools, readPoolStates } from "./pool_reads.ts";

/** Calls to factories and pools of families that have functions of their own. */

const [FIRST, SECOND, ALGEBRA, SLIPSTREAM, BOOK, ONE, TWO] = [1, 2, 3, 4, 5, 6, 7].map((number) =>
  toHex(testAddress(number)),
) as [Hex, Hex, Hex, Hex, Hex, Hex, Hex]; // seven numbers, seven addresses

const signal = new AbortController().signal;
const word = (value: bigint | Hex): Hex =>
  typeof value === "string" ? padHex(value, 32) : hex(value.toString(16).padStart(64, "0"));
const selector = (signature: string): Hex => toHex(topicOf(signature).subarray(0, 4));
const NOTHING: CallResult = { ok: true, data: fromHex(word(0n)) ?? EMPTY };

const chainOf = (answers: Readonly<Record<string, readonly (bigint | Hex)[]>>) => {
  const asked: ContractCall[] = [];
  const call = async (calls: readonly ContractCall[]): Promise<readonly CallResult[]> => {
    asked.push(...calls);
    return calls.map(({ to, data }) => {
      const found = answers[`${to} ${data}`];
      return found === undefined ? NOTHING : { ok: true, data: fromHex(hex(found.map(word).join(""))) ?? EMPTY };
    });
  };
  return { chain: { ...fixedChain({}), call }, asked };
};

const venue = (family: Venue["family"], factory: Hex): Venue => ({
  ...{ venue: `demo_${family}`, family, network: "demo", factory, fee_ppm: null },
});
const tokens = word(FIRST) + word(SECOND);

test("queries factories by the function of their family, and none of a family without a price", async () => {
  const { chain, asked } = chainOf({
    [`${ALGEBRA} ${selector("poolByPair(address,address)")}${tokens}`]: [ONE],
    [`${SLIPSTREAM} ${selector("getPool(address,address,int24)")}${tokens}${word(100n)}`]: [TWO],
  });
  const venues = [venue("algebra", ALGEBRA), venue("slipstream", SLIPSTREAM), venue("liquidity_book", BOOK)];
  const { pools } = await readFactoryPools(chain, { venues, pairs: [[FIRST, SECOND]], at: 9 }, signal);
  expect(pools).toEqual([
    [
      { pool: ONE, family: "algebra", token0: FIRST, token1: SECOND },
      { pool: TWO, family: "slipstream", token0: FIRST, token1: SECOND },
    ],
  ]);
  expect(new Set(asked.map(({ to }) => to))).toEqual(new Set([ALGEBRA, SLIPSTREAM]));
});

test("reads a state by the functions of the pool's family", async () => {
  const root = 1n << 96n;
  const liquidity = selector("liquidity()");
  const { chain } = chainOf({
    // Algebra: price, tick, fee, index, two community fees, unlocked.
    [`${ONE} ${selector("globalState()")}`]: [root, 0n, 500n, 1n, 0n, 0n, 1n],
    [`${ONE} ${liquidity}`]: [7n],
    // Slipstream: price, tick, three numbers of observations, unlocked.
    [`${TWO} ${selector("slot0()")}`]: [2n * root, 13_863n, 0n, 1n, 1n, 1n],
    [`${TWO} ${liquidity}`]: [8n],
  });
  const pool = (address: Hex, family: string): PricePool => ({
    ...{ pool: address, family, token0: FIRST, token1: SECOND, decimals0: 18, decimals1: 18 },
  });
  const pools = [pool(ONE, "algebra"), pool(BOOK, "liquidity_book"), pool(TWO, "slipstream")];
  const { states } = await readPoolStates(chain, { pools, at: 9 }, signal);
  expect(states.map(({ pool: of, sqrt_price_x96, liquidity: deep, tick }) => [of, sqrt_price_x96, deep, tick])).toEqual(
    [
      [ONE, root, 7n, 0],
      [TWO, 2n * root, 8n, 13_863],
    ],
  );
});
