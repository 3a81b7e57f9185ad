import type { Network } from "../src/chains/chain.ts";
import { toHex } from "../src/lib/bytes.ts";
import { blockHash, testAddress } from "./facts_store.ts";

/** Rows of a small priced chain: a dollar coin, wrapped ether, another token and two pools. */
const [USDC, WETH, TOK, POOL2, POOL3] = [0x1, 0x2, 0x3, 0xa2, 0xa3].map(testAddress) as [
  Uint8Array,
  Uint8Array,
  Uint8Array,
  Uint8Array,
  Uint8Array,
]; // five numbers, five addresses
export const hex = { USDC: toHex(USDC), WETH: toHex(WETH), TOK: toHex(TOK) };

export const networkOf = (id: string): Network => ({
  id,
  name: id,
  family: "evm",
  chain_id: 1,
  caip2: "eip155:1",
  native: { symbol: "ETH", decimals: 18 },
  wrapped_native: hex.WETH,
  stablecoins: [{ symbol: "USDC", address: hex.USDC, peg: "USD" }],
  finality_blocks: 64,
  block_seconds: 12,
  multicall: null,
  ens: null,
});

export const ETHER = 10n ** 18n;
export const DOLLAR = 10n ** 6n;
/** First second of an hour. */
export const T0 = 1_700_006_400;

/** Block n is at T0 + (n - 10) half hours: 10 and 11 in the first hour, 12 and 13 in the second … */
const timeOf = (block: number): number => T0 + (block - 10) * 1800;
export const at = (network: string, block_number: number) => ({ network, block_number, time: timeOf(block_number) });
const inLog = (network: string, block_number: number, log_index = 0) => ({
  ...at(network, block_number),
  tx_index: 0,
  tx_hash: blockHash(block_number),
  log_index,
});

export const blocks = (network: string, from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => ({
    ...at(network, from + index),
    hash: blockHash(from + index),
    parent_hash: blockHash(from + index - 1),
    producer: testAddress(0xbeef),
    transaction_count: 1,
    has_traces: 1,
    verified: "full" as const,
  }));

export const pool = (
  network: string,
  where: { pool: Uint8Array; token0: Uint8Array; token1: Uint8Array; venue?: string },
) => ({
  ...inLog(network, 10),
  family: "uniswap_v2",
  venue: "uniswap_v2",
  factory: testAddress(0xf2),
  fee_ppm: 3000,
  tick_spacing: 0,
  hooks: "",
  creator: testAddress(0xc),
  ...where,
});

export const sync = (network: string, block: number, [reserve0, reserve1]: readonly [bigint, bigint]) => ({
  ...at(network, block),
  log_index: 1,
  pool: POOL2,
  reserve0,
  reserve1,
  sqrt_price_x96: 0n,
  liquidity: 0n,
  tick: 0,
});

export const swap = (network: string, block: number, [amount0, amount1]: readonly [bigint, bigint]) => ({
  ...inLog(network, block, 2),
  pool: POOL2,
  caller: testAddress(0xd),
  recipient: testAddress(0xd),
  trader: testAddress(0xd),
  amount0,
  amount1,
});

const token = (network: string, address: Uint8Array, decimals: number) => ({
  network,
  token: address,
  standard: "erc20",
  name: null,
  symbol: null,
  decimals,
  total_supply: null,
  read_at_block: 10,
  has_hidden: 0,
});

export const transferRow = (network: string, block: number, to: { token: Uint8Array; amount: bigint }) => ({
  ...at(network, block),
  tx_index: 0,
  tx_hash: blockHash(block),
  position: 1_048_576 + (to.token === USDC ? 0 : 1),
  kind: "erc20" as const,
  token: to.token,
  token_id: 0n,
  source: testAddress(0xc),
  destination: POOL3,
  amount: to.amount,
  sender: testAddress(0xc),
});

export const tokens = (network: string) => [token(network, USDC, 6), token(network, WETH, 18), token(network, TOK, 18)];

/** token0 USDC, token1 WETH: 100,000 USD against 50 WETH = 2,000. */
export const usdcWeth = (network: string) => pool(network, { pool: POOL2, token0: USDC, token1: WETH });
export { POOL3, TOK, USDC };
