import { type Hex, hex } from "../src/lib/bytes.ts";
import type { Facts } from "../src/store/facts.ts";
import type { TableRows } from "../src/store/tables.gen.ts";
import type { TestFacts } from "./facts_store.ts";
import { type FixedState, fixedChain } from "./fixed_chain.ts";
import { callContext } from "./fixtures/call_context.ts";
import { addressOf, bytesOf, dailyBlocks, dayOf, priceRow, tokenRow, transfersOf } from "./value_rows.ts";

export const WALLET = hex("10".repeat(20));
export const STRANGER = "20".repeat(20);
const FRIEND = hex("30".repeat(20));
const SPAMMER = hex("40".repeat(20));
export const USDC = hex("50".repeat(20));
export const WETH = hex("60".repeat(20));
const SCAM = hex("70".repeat(20));
const NFT = hex("80".repeat(20));
const JUN = hex("90".repeat(20));
const COPY = hex("91".repeat(20));
const SITE = hex("92".repeat(20));

const ETH = 10n ** 18n;
export const DOLLAR = 10n ** 6n;
export const HEAD = 104;
const NOW_HOUR = dayOf(HEAD) + 3_600;

const network = { wrapped_native: WETH, stablecoins: [{ symbol: "USDC", address: USDC, peg: "USD" }] };

/** Balances at the head by the node: the ledger's sums. */
export const state: FixedState = {
  network,
  accounts: { [WALLET]: { balance: ETH / 2n } },
  token_balances: { [`${USDC}:${WALLET}`]: 300n * DOLLAR, [`${WETH}:${WALLET}`]: ETH / 4n },
};

const got = (kind: "native" | "erc20" | "erc721", token: Hex, amount: bigint, destination: Hex = WALLET) => ({
  kind,
  token,
  source: FRIEND,
  destination,
  amount,
});

const airdrop = Array.from({ length: 101 }, (_, i) => ({
  ...got("erc20", SCAM, 9n * ETH, i === 0 ? WALLET : addressOf(0x9000 + i)),
  source: SPAMMER,
}));

export const holdingsRows = () => [
  ...transfersOf({ block: 100 }, FRIEND, [got("native", "", ETH / 2n), got("erc20", USDC, 300n * DOLLAR)]),
  ...transfersOf({ block: 101 }, FRIEND, [got("erc20", WETH, ETH / 4n), got("erc20", JUN, 7n * ETH)]),
  ...transfersOf({ block: 102 }, FRIEND, [got("erc721", NFT, 1n), got("erc20", COPY, ETH), got("erc20", SITE, ETH)]),
  ...transfersOf({ block: 103 }, SPAMMER, airdrop),
];

export const tokens = (): TableRows["tokens"][] => [
  tokenRow(USDC, "USDC", 6),
  tokenRow(WETH, "WETH", 18),
  tokenRow(JUN, "JUN", 18),
  tokenRow(SCAM, "FREE", 18),
  tokenRow(COPY, "U\u0405DC", 18), // the S is Cyrillic
  { ...tokenRow(SITE, "WIN", 18), name: "visit win-prize.xyz" },
  { ...tokenRow(NFT, "ART", null), standard: "erc721" },
];

/** 500 WETH against a million USDC: 2,000 USD each, in a pool with enough depth for high confidence. */
const pool = () => {
  const at = {
    network: "demo",
    pool: bytesOf(hex("a0".repeat(20))),
    block_number: 100,
    log_index: 0,
    time: dayOf(100),
  };
  const made = { factory: "", creator: "", tx_hash: "", tx_index: 0, fee_ppm: 3_000, tick_spacing: 0, hooks: "" };
  const pools = [
    { ...at, ...made, family: "uniswap_v2", venue: "uniswap_v2", token0: bytesOf(USDC), token1: bytesOf(WETH) },
  ];
  const reserves = { reserve0: 1_000_000n * DOLLAR, reserve1: 500n * ETH };
  const pool_states = [{ ...at, ...reserves, sqrt_price_x96: 0n, liquidity: 0n, tick: 0 }];
  return { pools, pool_states };
};

const on = <T extends { readonly network: Uint8Array | string }>(id: string, rows: readonly T[]): T[] =>
  rows.map((row) => ({ ...row, network: id }));

/** The same wallet on a network `id`: native and wrapped coin, USDC, a token without price, a collectible, three kinds of spam. */
export const seedHoldings = async (store: TestFacts, id: string): Promise<void> => {
  const { pools, pool_states } = pool();
  const facts = {
    blocks: on(id, dailyBlocks(HEAD)),
    transfers: on(id, holdingsRows()),
    pools: on(id, pools),
    pool_states: on(id, pool_states),
  };
  await store.seed({ network: id, from: 100, to: HEAD }, facts);
  await store.writer.insert("tokens", on(id, tokens()));
  const hours = [NOW_HOUR - 3_600, NOW_HOUR - 86_400];
  await store.writer.insert(
    "prices",
    on(id, [
      ...hours.map((hour) => priceRow(USDC, hour, 1)),
      priceRow(WETH, NOW_HOUR - 3_600, 2_000),
      priceRow(WETH, NOW_HOUR - 86_400, 1_600),
    ]),
  );
};

/** Inputs of a tool over unchanging networks in these states. */
export const contextOf = (facts: Facts, states: Readonly<Record<string, FixedState>>) =>
  callContext({
    facts,
    chain: (id: string) => fixedChain({ ...states[id], network: { ...states[id]?.network, id } }),
    networks: Object.keys(states),
  });
