import { type Hex, hex } from "../src/lib/bytes.ts";
import { blockHash, openTestFacts, type SeedRows, type TestFacts } from "./facts_store.ts";
import { fixedChain } from "./fixed_chain.ts";
import { addressOf, bytesOf, dailyBlocks, dayOf, priceRow, tokenRow, transfersOf } from "./value_rows.ts";

/** A token in one pool against dollars over 40 days, with a busy last day, and tokens without such a pool. */

export const TOKEN = hex("aa".repeat(20));
const USDC = hex("cc".repeat(20));
export const POOLLESS = hex("e0".repeat(20));
export const OLD = hex("e1".repeat(20));
export const FORGED = hex("e2".repeat(20));
/** Traded only in a pool that does not report its reserves. */
export const UNTOLD = hex("e3".repeat(20));
export const POOL = addressOf(0x900);
const FORGED_POOL = addressOf(0x901);
const DEAD = hex(`${"0".repeat(36)}dead`);
export const ALICE = addressOf(0xa1);
const [BOB, CAROL, DAVE] = [addressOf(0xb0), addressOf(0xca), addressOf(0xda)];
export const HEAD = 140;
export const UNIT = 10n ** 18n;
const DOLLAR = 10n ** 6n;
/** Block 140 is an hour and a half after its midnight. */
const NOW = dayOf(HEAD) + 5_400;

const erc20 = { standard: "erc20", decimals: 18 };
export const chain = fixedChain({
  network: { stablecoins: [{ symbol: "USDC", address: USDC, peg: "USD" }] },
  tokens: {
    [TOKEN]: { ...erc20, symbol: "JUN", name: "Juniper", total_supply: 1_000_000n * UNIT },
    [POOLLESS]: { ...erc20, symbol: "NIL", total_supply: 5n },
    [OLD]: { ...erc20, symbol: "OLD", total_supply: 5n },
    [FORGED]: { ...erc20, symbol: "FOR", total_supply: 5n },
    [UNTOLD]: { ...erc20, symbol: "UNT", total_supply: 5n },
  },
  token_balances: { [`${TOKEN}:${DEAD}`]: 200_000n * UNIT },
});

const timeOf = (block: number): number => (block === HEAD ? NOW : dayOf(block));
const scope = (block: number) => ({ network: "demo", block_number: block, time: timeOf(block) });

const poolRow = (pool: Hex, tokens: readonly [Hex, Hex], venue: string) => ({
  ...scope(101),
  pool: bytesOf(pool),
  family: "uniswap_v2",
  venue,
  factory: bytesOf(addressOf(0xfac)),
  token0: bytesOf(tokens[0]),
  token1: bytesOf(tokens[1]),
  fee_ppm: 3_000,
  tick_spacing: 0,
  hooks: "",
  tx_index: 0,
  log_index: pool === POOL ? 1 : 2,
  tx_hash: blockHash(101_000),
  creator: bytesOf(ALICE),
});

const CURVE_PAIR = {
  network: "demo",
  pool: bytesOf(hex(`${addressOf(0x902)}0001`)),
  family: "curve",
  venue: "curve",
  factory: bytesOf(addressOf(0xfac)),
  token0: bytesOf(UNTOLD),
  token1: bytesOf(USDC),
  fee_ppm: 0,
  tick_spacing: 0,
};

const stateRow = (block: number, juniper: bigint, dollars: bigint) => ({
  ...scope(block),
  pool: bytesOf(POOL),
  log_index: 50,
  reserve0: juniper * UNIT,
  reserve1: dollars * DOLLAR,
  sqrt_price_x96: 0n,
  liquidity: 0n,
  tick: 0,
});

/** At 2 USD each: the pool's change in Juniper, the other way round in dollars. */
const swapRow = (spot: readonly [block: number, tx_index: number], trader: Hex, juniper: bigint) => ({
  ...scope(spot[0]),
  pool: bytesOf(POOL),
  tx_index: spot[1],
  log_index: spot[1],
  tx_hash: blockHash(spot[0] * 1_000 + spot[1]),
  caller: bytesOf(trader),
  recipient: bytesOf(trader),
  trader: bytesOf(trader),
  amount0: juniper * UNIT,
  amount1: -juniper * 2n * DOLLAR,
});

const created = (address: Hex) => ({
  ...scope(100),
  address: bytesOf(address),
  tx_index: 0,
  position: 0,
  tx_hash: blockHash(100_000),
  event: "created" as const,
  method: "create" as const,
  creator: bytesOf(ALICE),
  factory: bytesOf(""),
  init_hash: bytesOf(""),
  code_hash: bytesOf(""),
});

const transferRow = (token: Hex, [source, destination]: readonly [Hex, Hex], amount: bigint) => ({
  kind: "erc20" as const,
  token,
  source,
  destination,
  amount,
});

export const MARKET_ROWS: SeedRows = {
  blocks: dailyBlocks(HEAD),
  contracts: [created(TOKEN), created(POOLLESS), created(UNTOLD)],
  pools: [poolRow(POOL, [TOKEN, USDC], "uni2"), poolRow(FORGED_POOL, [FORGED, USDC], "")],
  pool_states: [
    stateRow(101, 200_000n, 320_000n),
    stateRow(139, 200_000n, 320_000n),
    stateRow(HEAD, 100_000n, 200_000n),
  ],
  swaps: [
    swapRow([139, 0], BOB, -500n),
    swapRow([HEAD, 0], ALICE, -1_000n),
    { ...swapRow([HEAD, 40], DAVE, -7n), pool: CURVE_PAIR.pool },
    swapRow([HEAD, 1], BOB, 400n),
    // Carol trades in circles: three times 100 out, three times 100 back.
    ...[2, 4, 6].flatMap((tx) => [swapRow([HEAD, tx], CAROL, -100n), swapRow([HEAD, tx + 1], CAROL, 100n)]),
  ],
  transfers: [
    ...transfersOf({ block: 100 }, ALICE, [
      transferRow(TOKEN, ["", ALICE], 90n),
      transferRow(TOKEN, ["", CAROL], 5n),
      // Shares of the pool: 2,000 stay with Alice, 1,000 are at the burn address, 1,000 at the zero address since the first mint.
      transferRow(POOL, ["", ALICE], 2_000n),
      transferRow(POOL, ["", DEAD], 1_000n),
    ]),
    // Carol gives all away, Bob and Dave are new: one holder more.
    ...transfersOf({ block: HEAD }, CAROL, [
      transferRow(TOKEN, [CAROL, BOB], 5n),
      transferRow(TOKEN, [ALICE, DAVE], 1n),
    ]),
  ],
};

const DAY_S = 86_400;

/** The story in a separate store. */
export const openMarketScenario = async (): Promise<TestFacts> => {
  const store = await openTestFacts();
  await store.seed({ network: "demo", from: 100, to: HEAD }, MARKET_ROWS);
  await store.writer.insert("tokens", [
    tokenRow(TOKEN, "JUN", 18),
    tokenRow(UNTOLD, "UNT", 18),
    tokenRow(USDC, "USDC", 6),
  ]);
  await store.writer.insert("pools_read", [CURVE_PAIR]);
  await store.writer.insert("prices", [
    priceRow(USDC, dayOf(100), 1),
    priceRow(USDC, dayOf(HEAD), 1),
    priceRow(USDC, NOW - DAY_S, 1),
    priceRow(TOKEN, dayOf(120), 9),
    priceRow(TOKEN, NOW - 7 * DAY_S, 2.5),
    priceRow(TOKEN, dayOf(139), 1.6),
    priceRow(TOKEN, NOW - DAY_S, 1.6),
    priceRow(TOKEN, dayOf(HEAD), 1.9),
  ]);
  return store;
};
