import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { openTestFacts, type TestFacts, testAddress } from "../../../test/facts_store.ts";
import { fixedChain } from "../../../test/fixed_chain.ts";
import type { PastLog, PastLogsQuery } from "../../chains/account_history.ts";
import type { CallResult, Chain, ContractCall } from "../../chains/chain.ts";
import { readDemanded } from "../../domain/valuation/prices/demanded_prices.ts";
import { EMPTY, fromHex, type Hex, hex, intToHex, padHex, toHex } from "../../lib/bytes.ts";
import { AssayError } from "../../lib/errors.ts";
import { silentLog } from "../../lib/log.ts";
import { topicOf } from "../../protocols/protocol.ts";
import { readDemandedPrices, writePriceWishes } from "../../store/subjects/price_records.ts";
import { PriceDesk } from "./price_desk.ts";

/** Prices on demand, from a node that tells the worked example of docs/design/pricing.md, and from hostile contracts. */

const address = (number: number): Hex => toHex(testAddress(number));
const [USDC, TOKEN, FACTORY] = [address(1), address(2), address(3)];
const [POOL_A, POOL_B, FAKE, BEYOND, LATE] = [address(0xa), address(0xb), address(0xc), address(0xd), address(0xe)];
/** Tokens whose pools are hostile. */
const [FAKED, HUGE, SILENT] = [address(0x11), address(0x12), address(0x13)];
/** A token that gets its first pool at block 1,083. */
const NEW = address(0x14);
const UNIT = 10n ** 6n;
const COIN = 10n ** 18n;

/** 10:00; a block a minute, block 1,000 at 10:00. */
const HOUR = 1_700_006_400;
const timeOf = (block: number): number => HOUR + 60 * (block - 1_000);
const FINAL = 1_090;

interface Sync {
  readonly pool: Hex;
  readonly block: number;
  readonly index: number;
  readonly dollars: bigint;
  readonly coins: bigint;
}

/** Pool A: 1.90 until 10:20, then 2.00. Pool B: 2.10; at 10:30 one transaction moves it to 40 and back. */
const SYNCS: readonly Sync[] = [
  { pool: POOL_A, block: 500, index: 1, dollars: 95_000n, coins: 50_000n },
  { pool: POOL_B, block: 500, index: 2, dollars: 20_000n, coins: 9_524n },
  { pool: POOL_A, block: 1_020, index: 1, dollars: 100_000n, coins: 50_000n },
  { pool: POOL_B, block: 1_030, index: 1, dollars: 87_280n, coins: 2_182n },
  { pool: POOL_B, block: 1_030, index: 2, dollars: 20_000n, coins: 9_524n },
  // No factory knows it, and its coin would be worth a million.
  // Announced at block 1,083.
  { pool: LATE, block: 1_084, index: 1, dollars: 60_000n, coins: 20_000n },
  { pool: FAKE, block: 500, index: 3, dollars: 1_000_000n, coins: 1n },
];

const word = (value: bigint): Hex => intToHex(value, 32);
const ok = (data: Hex): CallResult => ({ ok: true, data: fromHex(data) ?? EMPTY });
const NOTHING: CallResult = { ok: true, data: EMPTY };

/** The factory knows A; a second factory of the same kind knows B. */
const SECOND = address(4);
const POOL_OF = new Map<Hex, Hex>([
  [TOKEN, POOL_A],
  [HUGE, BEYOND],
]);

const pairAnswer = ({ to, data }: ContractCall, at: number): CallResult => {
  const token = hex(data.slice(-40));
  if (token === NEW) return ok(padHex(at >= 1_083 ? LATE : hex("00"), 32));
  if (token === SILENT) return NOTHING;
  const known = to === FACTORY ? POOL_OF.get(token) : token === TOKEN ? POOL_B : undefined;
  return ok(padHex(known ?? hex("00"), 32));
};

const reservesAnswer = (pool: Hex, at: number): CallResult => {
  if (pool === BEYOND) return ok(hex(word(1n << 112n) + word(COIN) + word(0n)));
  const last = SYNCS.findLast((sync) => sync.pool === pool && sync.block <= at);
  return last === undefined ? NOTHING : ok(hex(word(last.dollars * UNIT) + word(last.coins * COIN) + word(0n)));
};

let store: TestFacts;
let is_down = false;
let is_odd = false;
let factory_calls = 0;
const asked: PastLogsQuery[] = [];

const logsIn = ({ addresses, from, to }: PastLogsQuery): readonly PastLog[] =>
  SYNCS.filter(({ pool, block }) => addresses.includes(pool) && block >= from && block <= to)
    .sort((a, b) => a.block - b.block || a.index - b.index)
    .map(({ pool, block, index, dollars, coins }) => ({
      ...{
        address: fromHex(pool) ?? EMPTY,
        topics: [topicOf("Sync(uint112,uint112)")],
        index,
        block,
        tx_index: 0,
        tx_hash: hex(""),
        time: null,
      },
      data: fromHex(hex(word(dollars * UNIT) + word(coins * COIN))) ?? EMPTY,
    }));

/** The factory announces the late pool. */
const announcedIn = ({ addresses, from, to }: PastLogsQuery): readonly PastLog[] =>
  addresses.includes(FACTORY) && from <= 1_083 && to >= 1_083
    ? [
        {
          ...{ address: fromHex(FACTORY) ?? EMPTY, index: 1, block: 1_083, tx_index: 0, tx_hash: hex(""), time: null },
          topics: [
            topicOf("PairCreated(address,address,address,uint256)"),
            ...[USDC, NEW].map((token) => fromHex(padHex(token, 32)) ?? EMPTY),
          ],
          data: fromHex(hex(padHex(LATE, 32) + word(1n))) ?? EMPTY,
        },
      ]
    : [];

const openChain = (): Chain => {
  const coin = { symbol: "USDC", address: USDC, peg: "USD" as const };
  const chain = fixedChain({ network: { id: "desk", stablecoins: [coin] } });
  return {
    ...chain,
    finalized: async () => FINAL,
    ref: async (number) => ({ number, hash: hex(""), parent_hash: hex(""), time: timeOf(number) }),
    async call(calls, _, at = FINAL) {
      factory_calls += calls.filter(({ to }) => to === FACTORY || to === SECOND).length;
      if (is_odd) throw new RangeError("an answer that the code does not expect");
      if (is_down) throw new AssayError({ code: "UPSTREAM_UNAVAILABLE", message: "down", retryable: true });
      return calls.map((call) =>
        call.to === FACTORY || call.to === SECOND ? pairAnswer(call, at) : reservesAnswer(call.to, at),
      );
    },
    tokenMetadata: async (tokens) =>
      tokens.map((token) => ({
        ...{ token, standard: "erc20", name: null, symbol: null, total_supply: null, has_hidden: false },
        decimals: token === USDC ? 6 : 18,
      })),
    past: {
      doubt: { code: "", message: () => "" },
      find: () => Promise.reject(new Error("not asked")),
      logs: async (query) => {
        asked.push(query);
        return { logs: [...logsIn(query), ...announcedIn(query)], requests: 1 };
      },
    },
  };
};

beforeAll(async () => {
  store = await openTestFacts();
});
afterAll(() => store?.close());
beforeEach(() => {
  is_down = false;
  is_odd = false;
});

const openDesk = (): PriceDesk => {
  const venue = { venue: "v2", family: "uniswap_v2", network: "desk", fee_ppm: 3_000 } as const;
  return new PriceDesk({
    ...{ chain: openChain(), engine: store.engine, writer: store.writer, from_block: 0, log: silentLog },
    venues: [FACTORY, SECOND].map((factory) => ({ ...venue, factory })),
    now_ms: Date.now,
  });
};

const answersTo = async (tokens: readonly Hex[], { at_block = 0, desk = openDesk(), hour = HOUR } = {}) => {
  const questions = tokens.map((token) => ({ token, hour, at_block }));
  await writePriceWishes(
    store.writer,
    "desk",
    questions.map((one) => ({ ...one, asked_by: "acc_1" })),
  );
  const { signal } = new AbortController();
  do {
    desk.look(signal);
    await desk.ended;
  } while (!desk.is_idle);
  return readDemandedPrices(store.engine, "desk", questions);
};

test("the worked example: the price that held for most of the hour, and the cost to move it", async () => {
  const [answer] = await answersTo([TOKEN]);
  expect(answer).toMatchObject({
    state: "priced",
    method: "market",
    confidence: "medium",
    depth_usd: 100_000,
    since: 0,
  });
  expect(answer?.price_usd).toBeCloseTo(2, 9);
  // 100,000 × (1 − 1 / √1.1).
  expect(answer?.cost_to_move_usd).toBeCloseTo(4_653.74, 2);
  // Both pools pay: 50,000 + 9,524 coins, 120,000 USD.
  expect(answer).toMatchObject({ sell_reserve: 59_524, sell_payout_usd: 120_000 });
});

test("up to 10:15 the sixty minutes before count, in which the pool had its old price", async () => {
  // 10:15 is block 1,015. Pool A: 1.90 all the time.
  const [answer] = await answersTo([TOKEN], { at_block: 1_015 });
  expect(answer?.price_usd).toBeCloseTo(1.9, 9);
});

describe("hostile contracts", () => {
  test("give no price, and unknown is not zero", async () => {
    asked.length = 0;
    const answers = await answersTo([FAKED, HUGE, SILENT]);
    expect(answers.map(({ state }) => state)).toEqual(["none", "none", "none"]);
    expect(asked.flatMap(({ addresses }) => addresses)).not.toContain(FAKE);
    const block = { number: FINAL, hash: hex(""), time: timeOf(FINAL) };
    const snapshot = { network: "desk", block, followed: { is_plain: true } };
    const facts = { own: store.facts.own.bind(store.facts), demandedPrices: async () => answers };
    const context = { facts, network: openChain().network, snapshot };
    // Only these parts are used.
    const prices = await readDemanded(
      context as unknown as Parameters<typeof readDemanded>[0],
      [FAKED, HUGE, SILENT].map((token) => ({ token, hour: HOUR })),
    );
    expect(prices.size).toBe(0);
  });
});

test("an hour whose answers the code does not expect has failed, and others are answered", async () => {
  is_odd = true;
  expect(await answersTo([TOKEN], { at_block: 1_021 })).toMatchObject([{ state: "failed", price_usd: 0 }]);
  is_odd = false;
  expect(await answersTo([TOKEN], { at_block: 1_020 })).toMatchObject([{ state: "priced" }]);
});

test("factories answer again only about pairs whose pool was announced since, and its price begins with it", async () => {
  const desk = openDesk();
  const at = (block: number) => answersTo([TOKEN, NEW], { at_block: block, desk, hour: HOUR + 3_600 });
  factory_calls = 0;
  expect((await at(1_080)).map(({ state }) => state)).toEqual(["priced", "none"]);
  // Two factories, two pairs.
  expect(factory_calls).toBe(4);
  expect((await at(1_082)).map(({ state }) => state)).toEqual(["priced", "none"]);
  expect(factory_calls).toBe(4);
  const [, late] = await at(1_085);
  expect(factory_calls).toBe(6);
  // 60,000 / 20,000 since 11:24 (block 1,084); the pool was announced a minute before.
  expect(late).toMatchObject({ state: "priced", since: timeOf(1_083) });
  expect(late?.price_usd).toBeCloseTo(3, 9);
});

test("a node that fails leaves the price unread until it is wished again", async () => {
  const desk = openDesk();
  const other = address(0x77);
  is_down = true;
  expect((await answersTo([other], { desk })).map(({ state }) => state)).toEqual(["failed"]);
  is_down = false;
  expect((await answersTo([other], { desk })).map(({ state }) => state)).toEqual(["none"]);
});

test("a second look changes no answer", async () => {
  const first = await answersTo([TOKEN]);
  expect(await answersTo([TOKEN])).toEqual(first);
});
