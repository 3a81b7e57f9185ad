import { expect, test } from "vitest";
import { ALICE, BOB, bytes, factsOf, type LogCase, logOf } from "../../test/sample_logs.ts";
import { toHex } from "../lib/bytes.ts";
import { PROTOCOLS } from "./index.ts";
import { topicOf } from "./protocol.ts";

const TOKEN0 = "0a".repeat(20);
const TOKEN1 = "0b".repeat(20);
const NATIVE = "00".repeat(20);
const POOL = "cc".repeat(20);
const ID = "dd".repeat(32);
const HOOK = "0e".repeat(20);

const SLIPSTREAM = "PoolCreated(address,address,int24,address)";
const ALGEBRA = "Pool(address,address,address)";
const ALGEBRA_CUSTOM = "CustomPool(address,address,address,address)";
const ALGEBRA_SWAP = "Swap(address,address,int256,int256,uint160,uint128,int24,uint24,uint24)";
const ALGEBRA_BURN = "Burn(address,int24,int24,uint128,uint256,uint256,uint24)";
const CL_INITIALIZE = "Initialize(bytes32,address,address,address,uint24,bytes32,uint160,int24)";
const CL_SWAP = "Swap(bytes32,address,int128,int128,uint160,uint128,int24,uint24,uint16)";
const BIN_INITIALIZE = "Initialize(bytes32,address,address,address,uint24,bytes32,uint24)";
const BIN_SWAP = "Swap(bytes32,address,int128,int128,uint24,uint24,uint16)";
const BOOK_CREATED = "LBPairCreated(address,address,uint256,address,uint256)";
const BOOK_SWAP = "Swap(address,address,uint24,bytes32,bytes32,uint24,bytes32,bytes32)";
const BOOK_SWAP_OLD = "Swap(address,address,uint256,bool,uint256,uint256,uint256,uint256)";
const B3_SWAP = "Swap(address,address,address,uint256,uint256,uint256,uint256)";

const created = { fact: "pool", pool: POOL, token0: TOKEN0, token1: TOKEN1, fee_ppm: null, tick_spacing: 0, hooks: "" };
const state = { fact: "pool_state", reserve0: 0n, reserve1: 0n };
/** Bits 0 to 15: the hook's permissions. From bit 16 on: the tick spacing. Bit 6 is beforeSwap, bit 10 lets it change the payment. */
const parameters = (permissions: bigint, spacing: bigint): bigint => permissions | (spacing << 16n);

const cases: readonly (LogCase & { readonly of?: string })[] = [
  {
    name: "slipstream_pool_created",
    log: logOf(SLIPSTREAM, [TOKEN0, TOKEN1, 100], [POOL]),
    facts: [{ ...created, family: "slipstream", tick_spacing: 100 }],
    near_miss: logOf(SLIPSTREAM, [TOKEN0, TOKEN1, 1 << 23], [POOL]),
  },
  {
    name: "algebra_pool",
    log: logOf(ALGEBRA, [TOKEN0, TOKEN1], [POOL]),
    facts: [{ ...created, family: "algebra" }],
    near_miss: logOf(ALGEBRA, [TOKEN0], [TOKEN1, POOL]),
  },
  {
    name: "algebra_custom_pool",
    log: logOf(ALGEBRA_CUSTOM, [ALICE, TOKEN0, TOKEN1], [POOL]),
    facts: [{ ...created, family: "algebra" }],
    near_miss: logOf(ALGEBRA_CUSTOM, [ALICE, TOKEN0], [TOKEN1, POOL]),
  },
  {
    name: "algebra_swap", // with fees of 500 and 20 millionths behind the state
    log: logOf(ALGEBRA_SWAP, [ALICE, BOB], [-100, 50, 1n << 95n, 777, -13864, 500, 20]),
    facts: [
      { fact: "swap", caller: ALICE, recipient: BOB, amount0: -100n, amount1: 50n },
      { ...state, sqrt_price_x96: 1n << 95n, liquidity: 777n, tick: -13864 },
    ],
    near_miss: logOf(ALGEBRA_SWAP, [ALICE, BOB], [-100, 50, 1n << 160n, 777, -13864, 500, 20]),
  },
  {
    name: "algebra_burn",
    log: logOf(ALGEBRA_BURN, [BOB, -60, 120], [9, 10, 20, 500]),
    facts: [
      {
        ...{ fact: "liquidity", kind: "burn", owner: BOB, actor: BOB, amount0: 10n, amount1: 20n, liquidity: 9n },
        ...{ tick_lower: -60, tick_upper: 120 },
      },
    ],
    near_miss: logOf(ALGEBRA_BURN, [BOB, -60, 120], [9, 10, 20]),
  },
  {
    name: "infinity_cl_initialize", // the native coin against a token, a hook that only watches
    log: logOf(CL_INITIALIZE, [ID, NATIVE, TOKEN1], [HOOK, 67, parameters(0x40n, 10n), 2n ** 96n, 0]),
    facts: [
      { ...created, pool: ID, family: "infinity_cl", token0: "", fee_ppm: 67, tick_spacing: 10, hooks: HOOK },
      { ...state, pool: ID, sqrt_price_x96: 2n ** 96n, liquidity: 0n, tick: 0 },
    ],
    near_miss: logOf(CL_INITIALIZE, [ID, NATIVE, TOKEN1], [HOOK, 1n << 24n, parameters(0n, 10n), 2n ** 96n, 0]),
  },
  {
    name: "infinity_cl_initialize with a hook that changes payments",
    of: "infinity_cl_initialize",
    log: logOf(CL_INITIALIZE, [ID, TOKEN0, TOKEN1], [HOOK, 67, parameters(0x440n, 60n), 2n ** 96n, -5]),
    facts: [
      { ...created, pool: ID, family: "infinity_cl_custom", fee_ppm: 67, tick_spacing: 60, hooks: HOOK },
      { ...state, pool: ID, sqrt_price_x96: 2n ** 96n, liquidity: 0n, tick: -5 },
    ],
    near_miss: logOf(CL_INITIALIZE, [ID, TOKEN0], [TOKEN1, HOOK, 67, parameters(0x440n, 60n), 2n ** 96n, -5]),
  },
  {
    name: "infinity_cl_swap", // alice pays 100 of token0 and gets 50 of token1
    log: logOf(CL_SWAP, [ID, ALICE], [-100, 50, 2n ** 95n, 7, -3, 99, 32]),
    facts: [
      { fact: "swap", pool: ID, caller: ALICE, recipient: ALICE, amount0: 100n, amount1: -50n },
      { ...state, pool: ID, sqrt_price_x96: 2n ** 95n, liquidity: 7n, tick: -3 },
    ],
    near_miss: logOf(CL_SWAP, [ID, ALICE], [1n << 127n, 50, 2n ** 95n, 7, -3, 99, 32]),
  },
  {
    name: "infinity_bin_initialize",
    log: logOf(BIN_INITIALIZE, [ID, TOKEN0, TOKEN1], [NATIVE, 3000, parameters(0n, 25n), 8_388_608]),
    facts: [{ ...created, pool: ID, family: "infinity_bin", fee_ppm: 3000, tick_spacing: 25 }],
    near_miss: logOf(BIN_INITIALIZE, [ID, TOKEN0, TOKEN1], [NATIVE, 3000, parameters(0n, 25n)]),
  },
  {
    name: "infinity_bin_swap",
    log: logOf(BIN_SWAP, [ID, ALICE], [50, -100, 8_388_608, 3000, 0]),
    facts: [{ fact: "swap", pool: ID, caller: ALICE, recipient: ALICE, amount0: -50n, amount1: 100n }],
    near_miss: logOf(BIN_SWAP, [ID], [ALICE, 50, -100, 8_388_608, 3000]),
  },
  {
    name: "liquidity_book_pair_created",
    log: logOf(BOOK_CREATED, [TOKEN1, TOKEN0, 20], [POOL, 3]),
    facts: [{ ...created, family: "liquidity_book", token0: TOKEN1, token1: TOKEN0, tick_spacing: 20 }],
    near_miss: logOf(BOOK_CREATED, [TOKEN1, TOKEN0], [20, POOL, 3]),
  },
  {
    name: "liquidity_book_swap", // the lower half of a word is token X, the upper half token Y: 100 X in, 50 Y out
    log: logOf(BOOK_SWAP, [ALICE, BOB], [8_388_608, 100, 50n << 128n, 0, 1, 0]),
    facts: [{ fact: "swap", caller: ALICE, recipient: BOB, amount0: 100n, amount1: -50n }],
    near_miss: logOf(BOOK_SWAP, [ALICE], [BOB, 8_388_608, 100, 50n << 128n, 0, 1, 0]),
  },
  {
    name: "liquidity_book_swap_v2_0",
    log: logOf(BOOK_SWAP_OLD, [ALICE, BOB, 8_388_608], [1, 100, 50, 0, 1]),
    facts: [{ fact: "swap", caller: ALICE, recipient: BOB, amount0: 100n, amount1: -50n }],
    near_miss: logOf(BOOK_SWAP_OLD, [ALICE, BOB, 8_388_608], [2, 100, 50, 0, 1]),
  },
  {
    name: "liquidity_book_swap_v2_0 of the second token",
    of: "liquidity_book_swap_v2_0",
    log: logOf(BOOK_SWAP_OLD, [ALICE, BOB, 8_388_608], [0, 100, 50, 0, 1]),
    facts: [{ fact: "swap", caller: ALICE, recipient: BOB, amount0: -50n, amount1: 100n }],
    near_miss: logOf(BOOK_SWAP_OLD, [ALICE, BOB], [0, 8_388_608, 100, 50, 0, 1]),
  },
  {
    name: "balancer_v3_swap", // 100 of the higher token come in, 50 of the lower one go out
    log: logOf(B3_SWAP, [POOL, TOKEN1, TOKEN0], [100, 50, 10n ** 15n, 1]),
    facts: [{ fact: "swap", pool: POOL + TOKEN0 + TOKEN1, caller: "", recipient: "", amount0: -50n, amount1: 100n }],
    near_miss: logOf(B3_SWAP, [POOL, TOKEN0, TOKEN0], [100, 50, 10n ** 15n, 1]),
  },
];

test.each(cases)("$name: a true log says exactly this", ({ log, facts }) => {
  expect(factsOf(log)).toEqual(facts);
});

test.each(cases)("$name: a near miss says nothing", ({ near_miss }) => {
  expect(factsOf(near_miss)).toEqual([]);
});

test("every event of these families has a case here", () => {
  const names = new Set(cases.map(({ name, of }) => of ?? name));
  const here = PROTOCOLS.filter(({ name }) => /^(slipstream|algebra|infinity|liquidity_book|balancer_v3)/.test(name));
  expect(here.map(({ name }) => name).filter((name) => !names.has(name))).toEqual([]);
  expect(here).toHaveLength(13);
});

test("first topics are those that indexers of these exchanges publish", () => {
  const published: readonly (readonly [string, string])[] = [
    ["slipstream_pool_created", "ab0d57f0df537bb25e80245ef7748fa62353808c54d6e528a9dd20887aed9ac2"],
    ["algebra_pool", "91ccaa7a278130b65168c3a0c8d3bcae84cf5e43704342bd3ec0b59e59c036db"],
    ["algebra_custom_pool", "8a5f030f5fc13b04a1e4ef7c47177e3d76b0e80e1d9be9843db37caa5b7b9b8f"],
    ["infinity_cl_initialize", "426cc62fe6a33a40ba2788c2c87a9c34ee4582b95bc9fa5a7bb7ae70b750b99c"],
    ["infinity_cl_swap", "04206ad2b7c0f463bff3dd4f33c5735b0f2957a351e4f79763a4fa9e775dd237"],
    ["infinity_bin_swap", "3e8aae37f890eb1f9d63dd4d2062f3f0be757848a0f0760e4f3e53dad556e861"],
    ["liquidity_book_pair_created", "2c8d104b27c6b7f4492017a6f5cf3803043688934ebcaa6a03540beeaf976aff"],
  ];
  const topics = new Map(PROTOCOLS.map(({ name, event }) => [name, toHex(topicOf(event))]));
  expect(published.map(([name]) => [name, topics.get(name)])).toEqual(published);
});

/** Two swaps of one pool of PancakeSwap Infinity on BNB Smart Chain (pool 9a5d9822…), with a third one between them. */
const RECORDED: readonly string[] = [
  "fffffffffffffffffffffffffffffffffffffffffffffff4cc8e67ac48193c2900000000000000000000000000000000000000000000015cddb347054b809f3b00000000000000000000000000000000000000058bd524e66275ce25175b6c74000000000000000000000000000000000000000000001372e02bfd18e3d45a3200000000000000000000000000000000000000000000000000000000000085d800000000000000000000000000000000000000000000000000000000000000630000000000000000000000000000000000000000000000000000000000000020",
  "00000000000000000000000000000000000000000000000b9de0e60d11af2732fffffffffffffffffffffffffffffffffffffffffffffea3224cb8fab47f60c6000000000000000000000000000000000000000583d48d17745ab37c7ce460ee000000000000000000000000000000000000000000001372e02bfd18e3d45a32000000000000000000000000000000000000000000000000000000000000856700000000000000000000000000000000000000000000000000000000000000630000000000000000000000000000000000000000000000000000000000000020",
];

/** A token that a pool takes in gets cheaper: the mean price of a trade is on the side from which the price came. */
test("recorded swaps move the price as their amounts do", () => {
  const read = RECORDED.map((data) => {
    const log = { ...logOf(CL_SWAP, [ID, ALICE], []), data: bytes(data) };
    const [swap, after] = PROTOCOLS.find(({ name }) => name === "infinity_cl_swap")?.decode(log) ?? [];
    if (swap?.fact !== "swap" || after?.fact !== "pool_state") throw new Error("not decoded");
    const price = (Number(after.sqrt_price_x96) / 2 ** 96) ** 2;
    return {
      takes_first: swap.amount0 > 0n,
      mean: Number(swap.amount1) / -Number(swap.amount0),
      price,
      tick: after.tick,
    };
  });
  const [sold, bought] = read;
  expect(read.map(({ takes_first }) => takes_first)).toEqual([true, false]);
  expect(sold?.mean).toBeGreaterThan(sold?.price ?? 0);
  expect(bought?.mean).toBeLessThan(bought?.price ?? 0);
  for (const { price, tick } of read) {
    expect(price).toBeGreaterThanOrEqual(1.0001 ** tick * (1 - 1e-9));
    expect(price).toBeLessThan(1.0001 ** (tick + 1));
  }
});
