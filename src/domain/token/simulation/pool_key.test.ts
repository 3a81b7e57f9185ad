import { expect, test } from "vitest";
import { hex } from "../../../lib/bytes.ts";
import { type KnownPool, keyOf, NO_ADDRESS } from "./pool_key.ts";

const WETH = hex("c02aaa39b223fe8d0a0e5c4f27ead9083c756cc2");
const USDC = hex("a0b86991c6218b36c1d19d4a2e9eb0ce3606eb48");

/** Ethereum's pool of ether against USDC at 0.05 %, whose first coin is the native one. */
const ETHER_USDC: KnownPool = {
  pool: hex("21c67e77068de97969ba93d4aab21826d33ca12bb9f565d8496e8fda8a82ca27"),
  token0: WETH,
  token1: USDC,
  fee_ppm: 500,
  tick_spacing: 10,
  hooks: "",
};

test("the key of a real pool is the one whose hash is its id, with the native coin in it", () => {
  expect(keyOf(ETHER_USDC, WETH)).toEqual({ is_native: true, tick_spacing: 10, hooks: NO_ADDRESS });
});

test("a pool with a missing or a wrong detail has no key", () => {
  // The wrapped coin is another one; if it is unknown which coin it represents, the key is unknown too.
  expect(keyOf(ETHER_USDC, null)).toBeNull();
  expect(keyOf({ ...ETHER_USDC, fee_ppm: 3_000 }, WETH)).toBeNull();
  expect(keyOf({ ...ETHER_USDC, tick_spacing: -10 }, WETH)).toBeNull();
  expect(keyOf({ ...ETHER_USDC, hooks: hex("11".repeat(20)) }, WETH)).toBeNull();
  // v4-core PoolId.sol: another id is another pool.
  expect(keyOf({ ...ETHER_USDC, pool: hex("21".repeat(32)) }, WETH)).toBeNull();
});
