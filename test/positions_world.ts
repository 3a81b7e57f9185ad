import type { ContractCall } from "../src/chains/chain.ts";
import { type Hex, hex, intToHex, padHex } from "../src/lib/bytes.ts";
import type { FixedState } from "./fixed_chain.ts";
import { bytesOf, dailyBlocks, dayOf, transfersOf } from "./value_rows.ts";

/** A wallet of shares, receipts and debts, and the contracts that say what these stand for. */

const addr = (byte: string): Hex => hex(byte.repeat(20));
export const WALLET = addr("10");
export const [USDC, WETH, DEBT] = [addr("50"), addr("60"), addr("a4")];
export const [NFT, PICTURE] = [addr("b4"), addr("b5")];
const JUN = addr("90");
const [PAIR, VAULT, SIMPLE_VAULT, LENT] = [addr("a0"), addr("a1"), addr("a2"), addr("a3")];
const [LIAR, MADE_UP_DEBT, COPY] = [addr("b1"), addr("b2"), addr("b3")];
const [MARKET, SHAM_MARKET] = [addr("c0"), addr("c1")];
const FRIEND = addr("30");
/** Borrows against a receipt that has a market of its own. */
export const [BORROWER, TRADED] = [addr("11"), addr("a5")];
export const HEAD = 104;
export const ETH = 10n ** 18n;
const DOLLAR = 10n ** 6n;

const word = (value: bigint | Hex): Hex => (typeof value === "bigint" ? intToHex(value, 32) : padHex(value, 32));

/** Aave v2 returns twelve words, with the receipt in the eighth and debts in the ninth and tenth. */
const reserve = (receipt: Hex, debt: Hex): Hex =>
  hex(Array.from({ length: 12 }, (_, i) => word(i === 7 ? receipt : i === 9 ? debt : 1n)).join(""));

/** First four bytes of keccak-256 of the signatures, as any public list of selectors has them. */
const SELECTORS = {
  "18160ddd": "totalSupply()",
  "38d52e0f": "asset()",
  "07a2d13a": "convertToAssets(uint256)",
  "01e1d114": "totalAssets()",
  b16a19de: "UNDERLYING_ASSET_ADDRESS()",
  b9a7b622: "DEBT_TOKEN_REVISION()",
  "7535d246": "POOL()",
  "35ea6a75": "getReserveData(address)",
} as const;

export const ANSWERS: Readonly<Record<string, Readonly<Record<string, Hex>>>> = {
  [PAIR]: { "totalSupply()": word(1_000n) },
  [VAULT]: { "asset()": word(USDC), "convertToAssets(uint256)": word(440n * DOLLAR) },
  // 50 of 200 shares of 1,000 dollars.
  [SIMPLE_VAULT]: {
    "asset()": word(USDC),
    "totalAssets()": word(1_000n * DOLLAR),
    "totalSupply()": word(200n * DOLLAR),
  },
  [LENT]: { "UNDERLYING_ASSET_ADDRESS()": word(USDC), "POOL()": word(MARKET) },
  [DEBT]: { "UNDERLYING_ASSET_ADDRESS()": word(WETH), "DEBT_TOKEN_REVISION()": word(1n), "POOL()": word(MARKET) },
  [TRADED]: { "UNDERLYING_ASSET_ADDRESS()": word(USDC), "POOL()": word(MARKET) },
  [LIAR]: { "asset()": word(USDC), "convertToAssets(uint256)": word(1_000_000n * DOLLAR) },
  [MADE_UP_DEBT]: {
    "UNDERLYING_ASSET_ADDRESS()": word(USDC),
    "DEBT_TOKEN_REVISION()": word(1n),
    "POOL()": word(SHAM_MARKET),
  },
  [COPY]: { "asset()": word(USDC), "convertToAssets(uint256)": word(DOLLAR) },
  [MARKET]: { [`getReserveData(address)${word(USDC)}`]: reserve(LENT, TRADED) },
  [SHAM_MARKET]: { [`getReserveData(address)${word(USDC)}`]: reserve(addr("d2"), MADE_UP_DEBT) },
};
const WETH_RESERVE = `getReserveData(address)${word(WETH)}`;

export const answering =
  (answers: Readonly<Record<string, Readonly<Record<string, Hex>>>>) =>
  ({ to, data }: ContractCall): { readonly ok: boolean; readonly data: Hex } => {
    // Texts that are no key find nothing.
    const name = SELECTORS[data.slice(0, 8) as keyof typeof SELECTORS] ?? "";
    const found = answers[to]?.[name] ?? answers[to]?.[name + data.slice(8)];
    return found === undefined ? { ok: false, data: "" } : { ok: true, data: found };
  };

export const state: FixedState = {
  network: { wrapped_native: WETH, stablecoins: [{ symbol: "USDC", address: USDC, peg: "USD" }] },
  token_balances: {
    [`${USDC}:${PAIR}`]: 1_000_000n * DOLLAR,
    [`${WETH}:${PAIR}`]: 500n * ETH,
    [`${USDC}:${VAULT}`]: 5_000n * DOLLAR,
    [`${USDC}:${SIMPLE_VAULT}`]: 1_000n * DOLLAR,
    [`${USDC}:${LENT}`]: 9_000n * DOLLAR,
    [`${USDC}:${TRADED}`]: 9_000n * DOLLAR,
    [`${USDC}:${LIAR}`]: 3n * DOLLAR,
    [`${USDC}:${COPY}`]: 3n * DOLLAR,
  },
  answer: answering({ ...ANSWERS, [MARKET]: { ...ANSWERS[MARKET], [WETH_RESERVE]: reserve(addr("d3"), DEBT) } }),
};

export const HELD: readonly (readonly [Hex, string, number, bigint])[] = [
  [USDC, "USDC", 6, 300n * DOLLAR],
  [PAIR, "UNI-V2", 18, 10n],
  [VAULT, "vUSDC", 6, 400n * DOLLAR],
  [SIMPLE_VAULT, "sUSDC", 6, 50n * DOLLAR],
  [LENT, "aUSDC", 6, 2_000n * DOLLAR],
  [DEBT, "dWETH", 18, ETH / 2n],
  [LIAR, "RICH", 18, ETH],
  [MADE_UP_DEBT, "OWED", 6, 77n * DOLLAR],
  [COPY, "U\u0405DC", 6, DOLLAR], // the S is Cyrillic
  [JUN, "JUN", 18, 7n * ETH],
];

const got = (kind: "erc20" | "erc721", token: Hex, amount: bigint, destination = WALLET) => ({
  kind,
  token,
  source: FRIEND,
  destination,
  amount,
});

/** 500 WETH against a million USDC: 2,000 USD each; a million of the traded receipt against 1,100,000 USDC. */
export const facts = () => {
  const at = { network: "demo", pool: bytesOf(PAIR), block_number: 100, log_index: 0, time: dayOf(100) };
  const made = { factory: "", creator: "", tx_hash: "", tx_index: 0, fee_ppm: 3_000, tick_spacing: 0, hooks: "" };
  const sides = { token0: bytesOf(USDC), token1: bytesOf(WETH) };
  const reserves = { reserve0: 1_000_000n * DOLLAR, reserve1: 500n * ETH };
  const second = { ...at, pool: bytesOf(addr("a6")) };
  const second_sides = { token0: bytesOf(USDC), token1: bytesOf(TRADED) };
  const second_reserves = { reserve0: 1_100_000n * DOLLAR, reserve1: 1_000_000n * DOLLAR };
  const venue = { ...made, family: "uniswap_v2", venue: "uniswap_v2" };
  const rest = { sqrt_price_x96: 0n, liquidity: 0n, tick: 0 };
  const increase = {
    ...{ network: "demo", block_number: 102, tx_index: 0, log_index: 1, time: dayOf(102), tx_hash: "" },
    ...{ kind: "increase" as const, contract: bytesOf(NFT), pool: bytesOf(PAIR), asset: "" },
    ...{ amount0: 1n, amount1: 1n, liquidity: 1n, subject: Buffer.concat([bytesOf(NFT), Buffer.from("0")]) },
  };
  return {
    blocks: dailyBlocks(HEAD),
    transfers: [
      ...transfersOf(
        { block: 101 },
        FRIEND,
        HELD.map(([token, , , amount]) => got("erc20", token, amount)),
      ),
      ...transfersOf({ block: 101, tx_index: 1 }, FRIEND, [
        got("erc20", TRADED, 1_000n * DOLLAR, BORROWER),
        got("erc20", DEBT, ETH / 4n, BORROWER),
      ]),
      ...transfersOf({ block: 102 }, FRIEND, [got("erc721", NFT, 1n), got("erc721", PICTURE, 1n)]),
    ],
    pools: [
      { ...at, ...venue, ...sides },
      { ...second, ...venue, ...second_sides },
    ],
    pool_states: [
      { ...at, ...reserves, ...rest },
      { ...second, ...second_reserves, ...rest },
    ],
    position_events: [increase],
  };
};
