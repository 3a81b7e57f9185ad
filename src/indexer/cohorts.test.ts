import { afterAll, beforeAll, expect, test } from "vitest";
import { openTestFacts, type TestFacts, testAddress } from "../../test/facts_store.ts";
import { openTokenScenario } from "../../test/token_scenario.ts";
import { addressOf, bytesOf, dailyBlocks, dayOf, priceRow } from "../../test/value_rows.ts";
import { networkById } from "../chains/networks/index.ts";
import type { TradeRecord } from "../domain/address/cohorts/smart_trader.ts";
import type { Hex } from "../lib/bytes.ts";
import { openCohortPass } from "./cohorts.ts";

const known = networkById("ethereum");
if (known === null) throw new Error("ethereum is not shipped");
const USDC = addressOf(0xcc);
const network = { ...known, id: "demo", stablecoins: [{ symbol: "USDC", address: USDC, peg: "USD" }] };
const signal = new AbortController().signal;

/** Five pools of one token each against USDC. */
const pools = Array.from({ length: 5 }, (_, i) => ({ pool: testAddress(0x900 + i), token: testAddress(0x800 + i) }));
const HEAD = 140;
const [BUSY, IDLE, SERVICE] = [addressOf(0xa1), addressOf(0xa2), addressOf(0xa3)];

/** `count` swaps of a trader, one a block from block 101 on, over all pools in turn. */
const swaps = (trader: Hex, count: number, tx_index: number) =>
  Array.from({ length: count }, (_, i) => ({
    network: "demo",
    pool: pools[i % pools.length]?.pool ?? new Uint8Array(),
    block_number: 101 + i,
    tx_index,
    log_index: tx_index,
    time: dayOf(101 + i),
    tx_hash: testAddress(i),
    caller: bytesOf(trader),
    recipient: bytesOf(trader),
    trader: bytesOf(trader),
    amount0: 1n,
    amount1: -1n,
  }));

const GOOD: TradeRecord = {
  closed_trades: 20,
  tokens: 5,
  win_rate_percent: 60,
  realized_usd: 30_000,
  cost_coverage_percent: 100,
};

let store: TestFacts;
beforeAll(async () => {
  store = await openTestFacts();
  await store.seed(
    { network: "demo", from: 100, to: HEAD },
    {
      blocks: dailyBlocks(HEAD),
      pools: pools.map(({ pool, token }, i) => ({
        network: "demo",
        pool,
        family: "uniswap_v2",
        venue: "uni2",
        factory: testAddress(0xfac),
        token0: bytesOf(USDC),
        token1: token,
        fee_ppm: 3_000,
        tick_spacing: 0,
        hooks: "",
        block_number: 100,
        tx_index: 0,
        log_index: i,
        time: dayOf(100),
        tx_hash: testAddress(1),
        creator: testAddress(1),
      })),
      swaps: [...swaps(BUSY, 25, 0), ...swaps(IDLE, 19, 1), ...swaps(SERVICE, 25, 2)],
    },
  );
  await store.writer.insert("labels", [
    {
      network: "demo",
      address: bytesOf(SERVICE),
      source: "test",
      label: "a bot",
      category: "mev_bot",
      entity: "",
      confidence: 1,
      evidence: "",
      written_at: 1,
      valid_from: 0,
      licence: "",
      published_on: "",
    },
  ]);
});
afterAll(() => store.close());

const lists = () =>
  store.query(
    "SELECT day, lower(hex(address)), rank, realized_usd FROM cohorts_daily FINAL ORDER BY day, rank, address",
  );

test("writes no list before prices reach the end of a day, then the list of the newest whole day once", async () => {
  const judged: string[] = [];
  const pass = openCohortPass({
    network,
    store,
    judge: async (wallet) => {
      judged.push(wallet);
      return GOOD;
    },
  });
  expect(await pass(signal)).toBe(false);
  expect(await lists()).toEqual([]);
  // Prices up to the end of 6 February: that of block 136, 1 January being block 100.
  await store.writer.insert("prices", [priceRow(USDC, dayOf(100), 1), priceRow(USDC, dayOf(137) - 3_600, 1)]);
  expect(await pass(signal)).toBe(false);
  const day = dayOf(136) / 86_400;
  // 19 swaps are too few, and a trading program is left out.
  expect(judged).toEqual([BUSY]);
  expect(await lists()).toEqual([
    [day, "", 1, 0],
    [day, BUSY, 1, 30_000],
  ]);
  expect(await pass(signal)).toBe(false);
  expect(judged).toEqual([BUSY]);
});

test("another process finds the list, and a wallet that fails the rule is not on the next one", async () => {
  await store.writer.insert("prices", [priceRow(USDC, dayOf(138) - 3_600, 1)]);
  const judged: string[] = [];
  const pass = openCohortPass({
    network,
    store,
    judge: async (wallet, { snapshot }) => {
      judged.push(`${wallet}@${snapshot.block.number}`);
      return { ...GOOD, realized_usd: 24_999 };
    },
  });
  await pass(signal);
  expect(judged).toEqual([`${BUSY}@137`]);
  expect((await lists()).slice(2)).toEqual([[dayOf(137) / 86_400, "", 0, 0]]);
  await openCohortPass({ network, store, judge: () => Promise.reject(new Error("judged again")) })(signal);
});

test("a list that fails is begun again", async () => {
  await store.writer.insert("prices", [priceRow(USDC, dayOf(139) - 3_600, 1)]);
  let fails = true;
  const pass = openCohortPass({
    network,
    store,
    judge: async () => {
      if (fails) throw new Error("the node is away");
      return GOOD;
    },
  });
  await expect(pass(signal)).rejects.toThrow("the node is away");
  fails = false;
  await pass(signal);
  expect((await lists()).at(-1)).toEqual([dayOf(138) / 86_400, BUSY, 1, 30_000]);
});

test("without a dollar coin there is no list", async () => {
  const story = await openTokenScenario();
  try {
    const pass = openCohortPass({
      network: { ...network, stablecoins: [] },
      store: story,
      judge: () => Promise.reject(new Error("no trader is judged")),
    });
    expect(await pass(signal)).toBe(false);
  } finally {
    await story.close();
  }
});
