import { type Hex, hex } from "../src/lib/bytes.ts";
import { blockHash, openTestFacts, type TestFacts } from "./facts_store.ts";
import { fixedChain } from "./fixed_chain.ts";
import { addressOf, bytesOf, dailyBlocks, dayOf, priceRow, transactionsOf, transfersOf } from "./value_rows.ts";

/** A token with holders of every kind, trades inside and outside of a window of 30 days, and two lesser tokens. */

export const TOKEN = hex("aa".repeat(20));
const USDC = hex("cc".repeat(20));
export const EMPTY_TOKEN = hex("e0".repeat(20));
export const LONELY_TOKEN = hex("10".repeat(20));
export const DEAD = hex(`${"0".repeat(36)}dead`);
export const POOL = addressOf(0x900);
const FAKE_POOL = addressOf(0x901);
export const ALICE = addressOf(0xa1);
export const BOB = addressOf(0xb0);
export const CAROL = addressOf(0xca);
export const HOT1 = addressOf(0xe1);
export const HOT2 = addressOf(0xe2);
const ISSUER = addressOf(0x15);
export const HEAD = 140;
export const UNIT = 10n ** 18n;

const NETWORK = { stablecoins: [{ symbol: "USDC", address: USDC, peg: "USD" }] };
export const chain = fixedChain({
  network: NETWORK,
  tokens: {
    [TOKEN]: { standard: "erc20", symbol: "JUN", decimals: 18, total_supply: 1_000n * UNIT },
    [LONELY_TOKEN]: { standard: "erc20", symbol: "ONE", decimals: null, total_supply: 5n },
    [EMPTY_TOKEN]: { standard: "erc20", symbol: "NIL", decimals: 18, total_supply: 0n },
  },
  token_balances: { [`${TOKEN}:${DEAD}`]: 200n * UNIT },
  accounts: { [POOL]: { code: new Uint8Array([1]) } },
});

const mint = (token: Hex, destination: Hex, amount: bigint) => ({
  kind: "erc20" as const,
  token,
  source: "" as const,
  destination,
  amount,
});

const swap = (pool: Hex, spot: { block: number; tx_index?: number }, trader: Hex, change: bigint) => ({
  network: "demo",
  pool: bytesOf(pool),
  block_number: spot.block,
  tx_index: spot.tx_index ?? 0,
  log_index: spot.tx_index ?? 0,
  time: dayOf(spot.block),
  tx_hash: blockHash(spot.block * 1_000 + (spot.tx_index ?? 0)),
  caller: bytesOf(trader),
  recipient: bytesOf(trader),
  trader: bytesOf(trader),
  // USDC is token0 in the pool, TOKEN token1; two millionths of a dollar for 1e12 of its base units.
  amount0: (-2n * change) / 10n ** 12n,
  amount1: change,
});

const pool = (address: Hex, venue: string) => ({
  network: "demo",
  pool: bytesOf(address),
  family: "uniswap_v2",
  venue,
  factory: bytesOf(addressOf(0xfac)),
  token0: bytesOf(USDC),
  token1: bytesOf(TOKEN),
  fee_ppm: 3_000,
  tick_spacing: 0,
  hooks: "",
  block_number: 100,
  tx_index: 0,
  log_index: address === POOL ? 1 : 2,
  time: dayOf(100),
  tx_hash: blockHash(100_000),
  creator: bytesOf(ISSUER),
});

const label = (address: Hex, text: string, category: string) => ({
  network: "demo",
  address: bytesOf(address),
  source: "test",
  label: text,
  category,
  entity: category === "exchange" ? "Bourse" : "",
  confidence: 1,
  evidence: "",
  valid_from: 0,
  licence: "",
  published_on: "",
  written_at: 1,
});

/** The story in a store of its own. */
export const openTokenScenario = async (): Promise<TestFacts> => {
  const store = await openTestFacts();
  const transfers = [
    ...transfersOf({ block: 100 }, ISSUER, [
      mint(TOKEN, POOL, 300n * UNIT),
      mint(TOKEN, ALICE, 150n * UNIT),
      mint(TOKEN, HOT1, 140n * UNIT),
      mint(TOKEN, HOT2, 110n * UNIT),
      mint(TOKEN, DEAD, 200n * UNIT),
      mint(TOKEN, BOB, 100n * UNIT),
      mint(LONELY_TOKEN, ALICE, 5n),
    ]),
    // Ten days before the head, and an hour and a half before it.
    ...transfersOf({ block: 130 }, ALICE, [{ ...mint(TOKEN, BOB, 20n * UNIT), source: ALICE }]),
    ...transfersOf({ block: 140 }, BOB, [{ ...mint(TOKEN, ALICE, 5n * UNIT), source: BOB }]),
  ];
  await store.seed(
    { network: "demo", from: 100, to: HEAD },
    {
      blocks: dailyBlocks(HEAD),
      transfers,
      transactions: transactionsOf(transfers),
      pools: [pool(POOL, "uni2"), pool(FAKE_POOL, "")],
      swaps: [
        // The pool gave 20 to Alice, got 5 from her; price 2 USD: 40 bought, 10 sold.
        swap(POOL, { block: 120 }, ALICE, -20n * UNIT),
        swap(POOL, { block: 121 }, ALICE, 5n * UNIT),
        // Carol sold 30 in three transactions of one block: 60.
        ...[1, 2, 3].map((tx_index) => swap(POOL, { block: 122, tx_index }, CAROL, 10n * UNIT)),
        // Without a price in its hour.
        swap(POOL, { block: 123 }, BOB, -1n * UNIT),
        // Before the window, and in a pool of no known factory.
        swap(POOL, { block: 101 }, BOB, -500n * UNIT),
        swap(FAKE_POOL, { block: 120, tx_index: 5 }, BOB, -500n * UNIT),
      ],
    },
  );
  await store.writer.insert("prices", [
    priceRow(USDC, dayOf(100), 1),
    priceRow(USDC, dayOf(141), 1),
    ...[101, 120, 121, 122].map((block) => priceRow(TOKEN, dayOf(block), 2)),
  ]);
  await store.writer.insert("labels", [label(HOT1, "Bourse 1", "exchange"), label(HOT2, "Bourse 2", "exchange")]);
  return store;
};
