import { expect, test } from "vitest";
import { ALICE, BOB, bytes, factsOf, type LogCase, logOf } from "../../test/sample_logs.ts";
import { balancerPairOf } from "./balancer.ts";
import { curvePairOf } from "./curve.ts";
import { PROTOCOLS } from "./index.ts";

const TOKEN0 = "0a".repeat(20);
const TOKEN1 = "0b".repeat(20);
const NATIVE = "00".repeat(20);
const POOL = "cc".repeat(20);
const ID = "dd".repeat(32);
/** Hooks.sol: the lowest bits of a hook's address say what it may do; the third and fourth let it change a payment. */
const HOOK_PLAIN = `${"0e".repeat(19)}c0`;
const HOOK_PAYING = `${"0e".repeat(19)}08`;

const V4_INITIALIZE = "Initialize(bytes32,address,address,uint24,int24,address,uint160,int24)";
const V4_SWAP = "Swap(bytes32,address,int128,int128,uint160,uint128,int24,uint24)";
const V4_MODIFY = "ModifyLiquidity(bytes32,address,int24,int24,int256,bytes32)";
const S_CREATED = "PoolCreated(address,address,bool,address,uint256)";
const S_SWAP = "Swap(address,address,uint256,uint256,uint256,uint256)";
const S_SYNC = "Sync(uint256,uint256)";
const S_BURN = "Burn(address,address,uint256,uint256)";
const B_SWAP = "Swap(bytes32,address,address,uint256,uint256)";
const C_STABLE = "TokenExchange(address,int128,uint256,int128,uint256)";
const C_CRYPTO = "TokenExchange(address,uint256,uint256,uint256,uint256)";
const C_CRYPTO_NG = "TokenExchange(address,uint256,uint256,uint256,uint256,uint256,uint256)";
/** The contract that speaks in the logs of these tests. */
const EMITTER = "ee".repeat(20);

const v4Pool = { fact: "pool", pool: ID, token1: TOKEN1, fee_ppm: 3000, tick_spacing: 60 };
const v4State = { fact: "pool_state", pool: ID, reserve0: 0n, reserve1: 0n };
const curveSwap = { fact: "swap", caller: ALICE, recipient: ALICE };
const v4Liquidity = { fact: "liquidity", pool: ID, owner: "", actor: ALICE, amount0: 0n, amount1: 0n };

const cases: readonly (LogCase & { readonly of?: string })[] = [
  {
    name: "uniswap_v4_initialize", // the native coin against a token, a hook that only watches
    log: logOf(V4_INITIALIZE, [ID, NATIVE, TOKEN1], [3000, 60, HOOK_PLAIN, 2n ** 96n, 0]),
    facts: [
      { ...v4Pool, family: "uniswap_v4", token0: "", hooks: HOOK_PLAIN },
      { ...v4State, sqrt_price_x96: 2n ** 96n, liquidity: 0n, tick: 0 },
    ],
    near_miss: logOf(V4_INITIALIZE, [ID, NATIVE, TOKEN1], [2 ** 24, 60, HOOK_PLAIN, 2n ** 96n, 0]),
  },
  {
    name: "uniswap_v4_initialize with a hook that changes payments",
    of: "uniswap_v4_initialize",
    log: logOf(V4_INITIALIZE, [ID, TOKEN0, TOKEN1], [3000, 60, HOOK_PAYING, 2n ** 96n, -5]),
    facts: [
      { ...v4Pool, family: "uniswap_v4_custom", token0: TOKEN0, hooks: HOOK_PAYING },
      { ...v4State, sqrt_price_x96: 2n ** 96n, liquidity: 0n, tick: -5 },
    ],
    near_miss: logOf(V4_INITIALIZE, [ID, TOKEN0], [TOKEN1, 3000, 60, HOOK_PAYING, 2n ** 96n, -5]),
  },
  {
    name: "uniswap_v4_swap", // alice pays 100 of token0 and gets 50 of token1: the pool's change is the opposite
    log: logOf(V4_SWAP, [ID, ALICE], [-100, 50, 2n ** 95n, 7, -3, 3000]),
    facts: [
      { fact: "swap", pool: ID, caller: ALICE, recipient: ALICE, amount0: 100n, amount1: -50n },
      { ...v4State, sqrt_price_x96: 2n ** 95n, liquidity: 7n, tick: -3 },
    ],
    near_miss: logOf(V4_SWAP, [ID, ALICE], [-100, 50, 2n ** 95n, 7, -3]),
  },
  {
    name: "uniswap_v4_modify_liquidity",
    log: logOf(V4_MODIFY, [ID, ALICE], [-60, 120, 30, 0]),
    facts: [{ ...v4Liquidity, kind: "mint", liquidity: 30n, tick_lower: -60, tick_upper: 120 }],
    near_miss: logOf(V4_MODIFY, [ID, ALICE], [-60, 120, 2n ** 200n, 0]),
  },
  {
    name: "uniswap_v4_modify_liquidity that takes out",
    of: "uniswap_v4_modify_liquidity",
    log: logOf(V4_MODIFY, [ID, ALICE], [-60, 120, -30, 0]),
    facts: [{ ...v4Liquidity, kind: "burn", liquidity: 30n, tick_lower: -60, tick_upper: 120 }],
    near_miss: logOf(V4_MODIFY, [ID], [ALICE, -60, 120, -30]),
  },
  {
    name: "solidly_pool_created",
    log: logOf(S_CREATED, [TOKEN0, TOKEN1, 1], [POOL, 9]),
    facts: [
      {
        fact: "pool",
        family: "solidly_stable",
        pool: POOL,
        token0: TOKEN0,
        token1: TOKEN1,
        fee_ppm: null,
        tick_spacing: 0,
        hooks: "",
      },
    ],
    near_miss: logOf(S_CREATED, [TOKEN0, TOKEN1, 2], [POOL, 9]),
  },
  {
    name: "solidly_swap", // 100 of token0 in, of which 1 back, 50 of token1 out
    log: logOf(S_SWAP, [ALICE, BOB], [100, 0, 1, 50]),
    facts: [{ fact: "swap", caller: ALICE, recipient: BOB, amount0: 99n, amount1: -50n }],
    near_miss: logOf(S_SWAP, [ALICE], [BOB, 100, 0, 1, 50]),
  },
  {
    name: "solidly_sync",
    log: logOf(S_SYNC, [], [1000, 2000]),
    facts: [{ fact: "pool_state", reserve0: 1000n, reserve1: 2000n, sqrt_price_x96: 0n, liquidity: 0n, tick: 0 }],
    near_miss: logOf(S_SYNC, [], [2n ** 128n, 2000]),
  },
  {
    name: "solidly_burn",
    log: logOf(S_BURN, [ALICE, BOB], [10, 20]),
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
    near_miss: logOf(S_BURN, [ALICE], [BOB, 10, 20]),
  },
  {
    name: "balancer_v2_swap", // 100 of the higher token come in, 50 of the lower one go out
    log: logOf(B_SWAP, [ID, TOKEN1, TOKEN0], [100, 50]),
    facts: [{ fact: "swap", pool: ID + TOKEN0 + TOKEN1, caller: "", recipient: "", amount0: -50n, amount1: 100n }],
    near_miss: logOf(B_SWAP, [ID, TOKEN0, TOKEN0], [100, 50]),
  },
  {
    name: "curve_stable_exchange", // alice pays 100 of coin 2 and gets 99 of coin 0
    log: logOf(C_STABLE, [ALICE], [2, 100, 0, 99]),
    facts: [{ ...curveSwap, pool: `${EMITTER}0002`, amount0: -99n, amount1: 100n }],
    near_miss: logOf(C_STABLE, [ALICE], [-1, 100, 0, 99]),
  },
  {
    name: "curve_crypto_exchange", // alice pays 7 of coin 0 and gets 3 of coin 1
    log: logOf(C_CRYPTO, [ALICE], [0, 7, 1, 3]),
    facts: [{ ...curveSwap, pool: `${EMITTER}0001`, amount0: 7n, amount1: -3n }],
    near_miss: logOf(C_CRYPTO, [ALICE], [0, 7, 8, 3]),
  },
  {
    name: "curve_crypto_ng_exchange", // with a fee of 5 and a price scale of 6
    log: logOf(C_CRYPTO_NG, [ALICE], [1, 7, 2, 3, 5, 6]),
    facts: [{ ...curveSwap, pool: `${EMITTER}0102`, amount0: 7n, amount1: -3n }],
    near_miss: logOf(C_CRYPTO_NG, [ALICE], [1, 7, 1, 3, 5, 6]),
  },
];

test.each(cases)("$name: a true log says exactly this", ({ log, facts }) => {
  expect(factsOf(log)).toEqual(facts);
});

test.each(cases)("$name: a near miss says nothing", ({ near_miss }) => {
  expect(factsOf(near_miss)).toEqual([]);
});

test("every event of a newer pool that is decoded has a case here", () => {
  const names = new Set(cases.map(({ name, of }) => of ?? name));
  const here = PROTOCOLS.filter(({ name }) => /^(uniswap_v4|solidly|balancer_v2|curve)/.test(name)).map(
    ({ name }) => name,
  );
  expect(here.filter((name) => !names.has(name))).toEqual([]);
  expect(here).toHaveLength(11);
});

test("parses a pair's id into its coins or tokens and rejects an id of another family", () => {
  expect(curvePairOf(bytes(`${EMITTER}0102`))).toEqual({ pool: bytes(EMITTER), first: 1, second: 2 });
  const tokens = { token0: bytes(TOKEN0), token1: bytes(TOKEN1) };
  expect(balancerPairOf(bytes(ID + TOKEN0 + TOKEN1))).toEqual({ family: "balancer_v2", ...tokens });
  expect(balancerPairOf(bytes(POOL + TOKEN0 + TOKEN1))).toEqual({ family: "balancer_v3", ...tokens });
  for (const other of [EMITTER, ID]) {
    expect(curvePairOf(bytes(other))).toBeNull();
    expect(balancerPairOf(bytes(other))).toBeNull();
  }
});
