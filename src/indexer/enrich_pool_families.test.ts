import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { openTestFacts, type TestFacts, testAddress } from "../../test/facts_store.ts";
import { type FixedState, fixedChain } from "../../test/fixed_chain.ts";
import { type Hex, hex, padHex, toHex } from "../lib/bytes.ts";
import { silentLog } from "../lib/log.ts";
import { topicOf } from "../protocols/protocol.ts";
import { type Venue, venuesOf } from "../protocols/venues.ts";
import { openEnricher } from "./enrich.ts";
import { type BlockRows, emptyRows } from "./rows.ts";

/** Pools whose creation is not indexed, read from contracts with the functions of their families. */

const [FIRST, SECOND, POOL, FAKE, FACTORY, UNLISTED] = [2, 3, 4, 5, 6, 7].map((number) =>
  toHex(testAddress(number)),
) as [Hex, Hex, Hex, Hex, Hex, Hex]; // six numbers, six addresses

let store: TestFacts;
beforeAll(async () => {
  store = await openTestFacts();
});
afterAll(() => store.close());
beforeEach(() => store.query("TRUNCATE TABLE pools_read"));

const word = (value: Hex | bigint): Hex =>
  typeof value === "bigint" ? hex(value.toString(16).padStart(64, "0")) : padHex(value, 32);
const selector = (signature: string): Hex => toHex(topicOf(signature).subarray(0, 4));
const bytes = (text: Hex) => Buffer.from(text, "hex");

type Answers = Readonly<Record<string, readonly (Hex | bigint)[]>>;
const network = "pool_families";

/** Both contracts answer the same; only POOL is known to the factory. */
const poolsRead = async (family: Venue["family"], { pool, factory }: { pool: Answers; factory: Answers }, at: Hex) => {
  const said = (answers: Answers, data: Hex) => {
    const found = Object.entries(answers).find(([call]) => {
      const [name = "", ...given] = call.split(" ");
      return data === selector(name) + given.map((one) => (one.length === 40 ? padHex(hex(one), 32) : one)).join("");
    });
    return found === undefined ? null : { ok: true, data: hex(found[1].map(word).join("")) };
  };
  const answer: NonNullable<FixedState["answer"]> = ({ to, data }) => {
    if (to === at) return said(factory, data);
    return to === POOL || to === FAKE ? said(pool, data) : null;
  };
  const own = [{ venue: "demo", family, network, factory: FACTORY, fee_ppm: null }];
  const blocks = [9, 10].map((number) => ({
    ...{ number, hash: hex("aa"), parent_hash: hex("bb"), time: 1_700_000_000 + number },
  }));
  const chain = fixedChain({ blocks, answer, network: { id: network } });
  return async (rows: Partial<BlockRows>) => {
    const venues = venuesOf(network, own);
    const enrich = openEnricher({ chain, store, venues, from_block: 10, openings: "read", log: silentLog });
    await enrich({ from: 10, to: 10 }, { ...emptyRows(), ...rows }, new AbortController().signal);
    return store.query(
      "SELECT lower(hex(pool)), family, venue, lower(hex(token0)), lower(hex(token1)), fee_ppm, tick_spacing FROM pools_read",
    );
  };
};

const place = { network, block_number: 10, time: 1_700_000_010, log_index: 0 };
const states = [POOL, FAKE].map((pool) => ({
  ...place,
  ...{ reserve0: 0n, reserve1: 0n, sqrt_price_x96: 1n << 96n, liquidity: 1n, tick: 0, pool: bytes(pool) },
}));
const swaps = [POOL, FAKE].map((pool) => ({
  ...{ ...place, tx_index: 0, tx_hash: bytes(hex("cc".repeat(32))), pool: bytes(pool), trader: bytes(FIRST) },
  ...{ caller: bytes(FIRST), recipient: bytes(FIRST), amount0: 1n, amount1: -1n },
}));

const v3Like = (factory: Hex): Answers => ({
  "factory()": [factory],
  "token0()": [FIRST],
  "token1()": [SECOND],
  "liquidity()": [1n],
});
const tokens = `${FIRST} ${SECOND}`;
const number = (value: bigint): string => value.toString(16).padStart(64, "0");

test("a Slipstream factory knows its pool by the tick spacing, and its fee is unknown", async () => {
  const pool = { ...v3Like(FACTORY), "fee()": [500n], "tickSpacing()": [100n] };
  const factory = { [`getPool(address,address,int24) ${tokens} ${number(100n)}`]: [POOL] };
  const read = await poolsRead("slipstream", { pool, factory }, FACTORY);
  expect(await read({ pool_states: states })).toEqual([[POOL, "slipstream", "demo", FIRST, SECOND, 0, 100]]);
});

test("an Algebra factory knows its pool by its tokens", async () => {
  const factory = { [`poolByPair(address,address) ${tokens}`]: [POOL] };
  const read = await poolsRead("algebra", { pool: v3Like(FACTORY), factory }, FACTORY);
  expect(await read({ pool_states: states })).toEqual([[POOL, "algebra", "demo", FIRST, SECOND, 0, 0]]);
});

test("a listed factory of another family does not make the pool one of its own", async () => {
  const factory = { [`poolByPair(address,address) ${tokens}`]: [POOL] };
  const read = await poolsRead("slipstream", { pool: v3Like(FACTORY), factory }, FACTORY);
  expect(await read({ pool_states: states })).toEqual([]);
});

test("an unlisted factory makes a pool of the family whose function it answers, without a venue", async () => {
  const pool = { ...v3Like(UNLISTED), "fee()": [500n], "tickSpacing()": [10n] };
  const factory = { [`getPool(address,address,int24) ${tokens} ${number(10n)}`]: [POOL] };
  const read = await poolsRead("uniswap_v3", { pool, factory }, UNLISTED);
  expect(await read({ pool_states: states })).toEqual([[POOL, "slipstream", "", FIRST, SECOND, 0, 10]]);
});

test("a pool of bins is known by its swaps, its tokens in its own order, and by its bin step", async () => {
  const pool = { "getFactory()": [FACTORY], "getTokenX()": [SECOND], "getTokenY()": [FIRST], "getBinStep()": [25n] };
  const found = `getLBPairInformation(address,address,uint256) ${SECOND} ${FIRST} ${number(25n)}`;
  // (uint16 binStep, address LBPair, bool createdByOwner, bool ignoredForRouting)
  const factory = { [found]: [25n, POOL, 0n, 0n] };
  const read = await poolsRead("liquidity_book", { pool, factory }, FACTORY);
  expect(await read({ swaps })).toEqual([[POOL, "liquidity_book", "demo", SECOND, FIRST, 0, 25]]);
});
