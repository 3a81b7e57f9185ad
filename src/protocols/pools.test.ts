import { expect, test } from "vitest";
import { ALICE, BOB, factsOf, type LogCase, logOf } from "../../test/sample_logs.ts";
import { PROTOCOLS } from "./index.ts";

const TOKEN0 = "0a".repeat(20);
const TOKEN1 = "0b".repeat(20);
const POOL = "cc".repeat(20);
const V2_SWAP = "Swap(address,uint256,uint256,uint256,uint256,address)";
const V3_SWAP = "Swap(address,address,int256,int256,uint160,uint128,int24)";
const PANCAKE_SWAP = "Swap(address,address,int256,int256,uint160,uint128,int24,uint128,uint128)";
const V3_MINT = "Mint(address,address,int24,int24,uint128,uint256,uint256)";
const V3_BURN = "Burn(address,int24,int24,uint128,uint256,uint256)";
const V3_COLLECT = "Collect(address,address,int24,int24,uint128,uint128)";
const concentrated = { fact: "pool_state", reserve0: 0n, reserve1: 0n };

const cases: readonly LogCase[] = [
  {
    name: "uniswap_v2_pair_created",
    log: logOf("PairCreated(address,address,address,uint256)", [TOKEN0, TOKEN1], [POOL, 1]),
    facts: [
      {
        fact: "pool",
        family: "uniswap_v2",
        pool: POOL,
        token0: TOKEN0,
        token1: TOKEN1,
        fee_ppm: null,
        tick_spacing: 0,
        hooks: "",
      },
    ],
    near_miss: logOf("PairCreated(address,address,address,uint256)", [TOKEN0, TOKEN1], [POOL]),
  },
  {
    name: "uniswap_v2_swap", // 100 of token0 in, of which 1 back, 50 of token1 out
    log: logOf(V2_SWAP, [ALICE, BOB], [100, 0, 1, 50]),
    facts: [{ fact: "swap", caller: ALICE, recipient: BOB, amount0: 99n, amount1: -50n }],
    near_miss: logOf(V2_SWAP, [ALICE], [100, 0, 0, 50, BOB]),
  },
  {
    name: "uniswap_v2_sync",
    log: logOf("Sync(uint112,uint112)", [], [1000, 2000]),
    facts: [{ fact: "pool_state", reserve0: 1000n, reserve1: 2000n, sqrt_price_x96: 0n, liquidity: 0n, tick: 0 }],
    near_miss: logOf("Sync(uint112,uint112)", [], [1n << 112n, 2000]), // no uint112
  },
  {
    name: "uniswap_v2_mint",
    log: logOf("Mint(address,uint256,uint256)", [ALICE], [10, 20]),
    facts: [
      {
        fact: "liquidity",
        kind: "mint",
        owner: "",
        actor: ALICE,
        amount0: 10n,
        amount1: 20n,
        liquidity: null,
        tick_lower: 0,
        tick_upper: 0,
      },
    ],
    near_miss: logOf("Mint(address,uint256,uint256)", [], [ALICE, 10, 20]), // seen on mainnet: a lending token's Mint
  },
  {
    name: "uniswap_v2_burn",
    log: logOf("Burn(address,uint256,uint256,address)", [ALICE, BOB], [10, 20]),
    facts: [
      {
        fact: "liquidity",
        kind: "burn",
        owner: BOB,
        actor: ALICE,
        amount0: 10n,
        amount1: 20n,
        liquidity: null,
        tick_lower: 0,
        tick_upper: 0,
      },
    ],
    near_miss: logOf("Burn(address,uint256,uint256,address)", [ALICE], [10, 20, BOB]),
  },
  {
    name: "uniswap_v3_pool_created",
    log: logOf("PoolCreated(address,address,uint24,int24,address)", [TOKEN0, TOKEN1, 500], [10, POOL]),
    facts: [
      {
        fact: "pool",
        family: "uniswap_v3",
        pool: POOL,
        token0: TOKEN0,
        token1: TOKEN1,
        fee_ppm: 500,
        tick_spacing: 10,
        hooks: "",
      },
    ],
    near_miss: logOf("PoolCreated(address,address,uint24,int24,address)", [TOKEN0, TOKEN1, 1 << 24], [10, POOL]),
  },
  {
    name: "uniswap_v3_initialize",
    log: logOf("Initialize(uint160,int24)", [], [1n << 96n, -3]),
    facts: [{ ...concentrated, sqrt_price_x96: 1n << 96n, liquidity: 0n, tick: -3 }],
    near_miss: logOf("Initialize(uint160,int24)", [], [1n << 96n, 1 << 23]), // no int24
  },
  {
    name: "uniswap_v3_swap",
    log: logOf(V3_SWAP, [ALICE, BOB], [100, -50, 1n << 95n, 777, -13864]),
    facts: [
      { fact: "swap", caller: ALICE, recipient: BOB, amount0: 100n, amount1: -50n },
      { ...concentrated, sqrt_price_x96: 1n << 95n, liquidity: 777n, tick: -13864 },
    ],
    near_miss: logOf(V3_SWAP, [ALICE, BOB], [100, -50, 1n << 95n, 777, -13864, 0, 0]),
  },
  {
    name: "pancake_v3_swap",
    log: logOf(PANCAKE_SWAP, [ALICE, BOB], [-100, 50, 1n << 95n, 777, -13864, 1, 2]),
    facts: [
      { fact: "swap", caller: ALICE, recipient: BOB, amount0: -100n, amount1: 50n },
      { ...concentrated, sqrt_price_x96: 1n << 95n, liquidity: 777n, tick: -13864 },
    ],
    near_miss: logOf(PANCAKE_SWAP, [ALICE, BOB], [-100, 50, 1n << 95n, 777, -13864]),
  },
  {
    name: "uniswap_v3_mint",
    log: logOf(V3_MINT, [BOB, -60, 120], [ALICE, 9, 10, 20]),
    facts: [
      {
        fact: "liquidity",
        kind: "mint",
        owner: BOB,
        actor: ALICE,
        amount0: 10n,
        amount1: 20n,
        liquidity: 9n,
        tick_lower: -60,
        tick_upper: 120,
      },
    ],
    near_miss: logOf(V3_MINT, [BOB, -60], [120, ALICE, 9, 10, 20]),
  },
  {
    name: "uniswap_v3_burn",
    log: logOf(V3_BURN, [BOB, -60, 120], [9, 10, 20]),
    facts: [
      {
        fact: "liquidity",
        kind: "burn",
        owner: BOB,
        actor: BOB,
        amount0: 10n,
        amount1: 20n,
        liquidity: 9n,
        tick_lower: -60,
        tick_upper: 120,
      },
    ],
    near_miss: logOf(V3_BURN, [BOB, -60, 1 << 23], [9, 10, 20]),
  },
  {
    name: "uniswap_v3_collect",
    log: logOf(V3_COLLECT, [BOB, -60, 120], [ALICE, 10, 20]),
    facts: [
      {
        fact: "liquidity",
        kind: "collect",
        owner: BOB,
        actor: ALICE,
        amount0: 10n,
        amount1: 20n,
        liquidity: 0n,
        tick_lower: -60,
        tick_upper: 120,
      },
    ],
    near_miss: logOf(V3_COLLECT, [BOB, ALICE, -60, 120], [10, 20]),
  },
];

test.each(cases)("$name: a true log says exactly this", ({ log, facts }) => {
  expect(factsOf(log)).toEqual(facts);
});

test.each(cases)("$name: a near miss says nothing", ({ near_miss }) => {
  expect(factsOf(near_miss)).toEqual([]);
});

test("every pool event that is decoded has a case here", () => {
  const names = new Set(cases.map(({ name }) => name));
  const here = PROTOCOLS.filter(({ name }) => /^(uniswap_v[23]|pancake)/.test(name)).map(({ name }) => name);
  expect(here.filter((name) => !names.has(name))).toEqual([]);
});
