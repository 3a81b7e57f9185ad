import { EMPTY, type Hex, hex } from "../src/lib/bytes.ts";
import { blockHash } from "./facts_store.ts";
import { addressOf, bytesOf, dayOf } from "./value_rows.ts";

/** Rows of a token's life on the network of `value_rows.ts`: its creation, its pool against USDC, trades, owners. */

/** The tokens' counterpart in trades. */
export const USDC = hex("cc".repeat(20));
const UNIT = 10n ** 18n;
const USD = 10n ** 6n;

export const created = (address: Hex, block: number, creator: Hex) => ({
  network: "demo",
  address: bytesOf(address),
  block_number: block,
  tx_index: 0,
  position: 0,
  time: dayOf(block),
  tx_hash: blockHash(block * 1_000),
  event: "created" as const,
  method: "create" as const,
  creator: bytesOf(creator),
  factory: EMPTY,
  init_hash: EMPTY,
  code_hash: EMPTY,
});

/** token0 is the token, token1 USDC. */
export const pool = (address: Hex, token: Hex, block: number) => ({
  network: "demo",
  pool: bytesOf(address),
  family: "uniswap_v2",
  venue: "uni2",
  factory: bytesOf(addressOf(0xfac)),
  token0: bytesOf(token),
  token1: bytesOf(USDC),
  fee_ppm: 3_000,
  tick_spacing: 0,
  hooks: "",
  block_number: block,
  tx_index: 0,
  log_index: 0,
  time: dayOf(block),
  tx_hash: blockHash(block * 1_000),
  creator: bytesOf(addressOf(0xdef)),
});

export const state = (address: Hex, block: number, [own, usd]: readonly [bigint, bigint]) => ({
  network: "demo",
  pool: bytesOf(address),
  block_number: block,
  log_index: 1,
  time: dayOf(block),
  reserve0: own * UNIT,
  reserve1: usd * USD,
  sqrt_price_x96: 0n,
  liquidity: 0n,
  tick: 0,
});

export const swap = (address: Hex, block: number, trader: Hex, [own, usd]: readonly [bigint, bigint]) => ({
  network: "demo",
  pool: bytesOf(address),
  block_number: block,
  tx_index: 0,
  log_index: 2,
  time: dayOf(block),
  tx_hash: blockHash(block * 1_000),
  caller: bytesOf(trader),
  recipient: bytesOf(trader),
  trader: bytesOf(trader),
  amount0: own * UNIT,
  amount1: usd * USD,
});

export const moved = (token: Hex, source: Hex, destination: Hex, amount: bigint) => ({
  kind: token === "" ? ("native" as const) : ("erc20" as const),
  token,
  source,
  destination,
  amount: amount * UNIT,
});
export const fee = (sender: Hex) => ({
  kind: "fee" as const,
  token: "" as const,
  source: sender,
  destination: "" as const,
  amount: 1n,
});
export const owned = (contract: Hex, block: number, current: Hex) => ({
  network: "demo",
  contract: bytesOf(contract),
  block_number: block,
  tx_index: 0,
  log_index: 0,
  time: dayOf(block),
  tx_hash: blockHash(block * 1_000),
  kind: "ownership" as const,
  previous: EMPTY,
  current: bytesOf(current),
});
