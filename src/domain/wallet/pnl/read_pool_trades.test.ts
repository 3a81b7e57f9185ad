import { afterAll, beforeAll, expect, test } from "vitest";
import { blockHash, openTestFacts, type TestFacts } from "../../../../test/facts_store.ts";
import { fixedChain } from "../../../../test/fixed_chain.ts";
import {
  addressOf,
  bytesOf,
  dailyBlocks,
  dayOf,
  priceRow,
  tokenRow,
  transfersOf,
} from "../../../../test/value_rows.ts";
import { type Hex, hex } from "../../../lib/bytes.ts";
import type { SnapshotContext } from "../../context.ts";
import { computeWallet } from "./compute.ts";

/** A wallet that trades unpriced tokens in transactions with known pools. */

const WALLET = addressOf(0xa11ce);
const [AA, BB, USDC] = [hex("aa".repeat(20)), hex("bb".repeat(20)), hex("cc".repeat(20))] as const;
const [POOL_A, POOL_B, ROUTER] = [addressOf(0x90a), addressOf(0x90b), addressOf(0x77)];
const DOLLAR = 10n ** 6n;
const UNIT = 10n ** 18n;

const chain = fixedChain({ network: { stablecoins: [{ symbol: "USDC", address: USDC, peg: "USD" }] } });

let store: TestFacts;

const at = (block: number) => ({ network: "demo", block_number: block, time: dayOf(block), tx_hash: blockHash(block) });
const pool = (address: Hex, token: Hex, log_index: number) => ({
  ...at(100),
  pool: bytesOf(address),
  family: "uniswap_v2",
  venue: "demoswap",
  factory: bytesOf(addressOf(0xfac)),
  token0: bytesOf(token),
  token1: bytesOf(USDC),
  fee_ppm: 3_000,
  tick_spacing: 0,
  hooks: "",
  tx_index: 0,
  log_index,
  creator: bytesOf(ROUTER),
});
const swap = (block: number, address: Hex, [amount0, amount1]: readonly [bigint, bigint]) => ({
  ...at(block),
  pool: bytesOf(address),
  tx_index: 0,
  log_index: address === POOL_A ? 1 : 2,
  caller: bytesOf(ROUTER),
  recipient: bytesOf(WALLET),
  trader: bytesOf(WALLET),
  amount0,
  amount1,
});
const erc20 = (token: Hex, source: Hex, destination: Hex, amount: bigint) =>
  ({ kind: "erc20", token, source, destination, amount }) as const;

beforeAll(async () => {
  store = await openTestFacts();
  await store.seed(
    { network: "demo", from: 100, to: 104 },
    {
      blocks: dailyBlocks(104),
      pools: [pool(POOL_A, AA, 1), pool(POOL_B, BB, 2)],
      swaps: [
        swap(101, POOL_A, [-6n * UNIT, 90n * DOLLAR]),
        swap(101, POOL_B, [-2n * UNIT, 10n * DOLLAR]),
        swap(102, POOL_A, [3n * UNIT, -60n * DOLLAR]),
        swap(102, POOL_B, [-8n * UNIT, 60n * DOLLAR]),
      ],
      transfers: [
        ...transfersOf({ block: 100 }, ROUTER, [erc20(USDC, ROUTER, WALLET, 1_000n * DOLLAR)]),
        // 100 dollars buy 6 AA for 90 and 2 BB for 10.
        ...transfersOf({ block: 101 }, WALLET, [
          erc20(USDC, WALLET, ROUTER, 100n * DOLLAR),
          erc20(AA, ROUTER, WALLET, 6n * UNIT),
          erc20(BB, ROUTER, WALLET, 2n * UNIT),
        ]),
        // 3 AA, taken by the pool at 20, become 8 BB.
        ...transfersOf({ block: 102 }, WALLET, [
          erc20(AA, WALLET, ROUTER, 3n * UNIT),
          erc20(BB, ROUTER, WALLET, 8n * UNIT),
        ]),
      ],
    },
  );
  await store.writer.insert(
    "prices",
    [100, 101, 102, 103].map((block) => priceRow(USDC, dayOf(block), 1)),
  );
  await store.writer.insert("tokens", [tokenRow(USDC, "USDC", 6), tokenRow(AA, "AA", 18), tokenRow(BB, "BB", 18)]);
});
afterAll(() => store.close());

test("unpriced tokens take the price of the pools in the same transaction", async () => {
  const snapshot = await store.facts.snapshot("demo", null);
  const scope: SnapshotContext = { facts: store.facts, chain, snapshot, signal: AbortSignal.timeout(60_000) };
  const window = { from: 0, until: snapshot.block.time + 1 };
  const { book, warnings } = await computeWallet(scope, WALLET, { window, basis: "average" });
  const [aa, bb] = [book.entries.get(AA), book.entries.get(BB)];
  // Bought for 90 and 10, not for 50 and 50. Half of the AA, cost 45, go for 3 * 20 = 60: 15 are realized.
  expect(aa?.trading).toMatchObject({ buy_count: 1, bought_usd: 90, sell_count: 1 });
  expect(aa?.trading.sold_usd).toBeCloseTo(60, 9);
  expect(aa?.trading.realized_usd).toBeCloseTo(15, 9);
  expect(bb?.trading).toMatchObject({ buy_count: 2, bought_usd: 70 });
  expect(aa?.position.cost_usd).toBeCloseTo(45, 9);
  expect(warnings.map(({ code }) => code)).not.toContain("UNPRICED_TRADE");
});
