import { afterAll, beforeAll, expect, test } from "vitest";
import { formatAddress } from "../../src/chains/tron/address.ts";
import { demoTronNetwork } from "../../src/commands/demo_chains.ts";
import { ADDRESSES } from "../../src/demo/evm/characters.ts";
import { hex } from "../../src/lib/bytes.ts";
import {
  caughtUp,
  openTestService,
  type SharedFamiliesService,
  type SharedWorldService,
  sharedFamilies,
  sharedWorld,
  type TestService,
} from "../e2e/served_world.ts";
import { eachNth, is_long, sized } from "../long.ts";
import type { AnyAnswer } from "./answers.ts";
import { LISTED_TRADES, type TradeAnswers, tradeContradictions } from "./trade_figures.ts";

/** Trades of the wallets of three worlds: the books' purchases and sales match the readings' swaps, one by one. */

let families: SharedFamiliesService;
let tron: TestService;
let evm: SharedWorldService;
const found: Record<string, TradeAnswers[]> = {};

const PER_PAGE = 100;
/** Before the start of every world. */
const FROM = "2025-06-01";
/** Concurrent calls. */
const AT_ONCE = 4;

type TradeService = Pick<TestService, "ask">;

const pages = async (stage: TradeService, tool: string, args: object): Promise<readonly AnyAnswer[]> => {
  const rows: AnyAnswer[] = [];
  for (let page = 1; ; page += 1) {
    const { body } = await stage.ask(tool, { ...args, from_date: FROM, page, records_per_page: PER_PAGE });
    if (body.status !== undefined) return rows;
    rows.push(...body.data);
    if (!body.pagination.has_more_data) return rows;
  }
};

const inParts = async <T, U>(list: readonly T[], ask: (one: T) => Promise<U>): Promise<readonly U[]> => {
  const answers: U[] = [];
  for (let from = 0; from < list.length; from += AT_ONCE)
    answers.push(...(await Promise.all(list.slice(from, from + AT_ONCE).map(ask))));
  return answers;
};

const analyzeAll = async (stage: TradeService, network: string, wallets: Readonly<Record<string, string>>) => {
  const analyses = new Map<string, Promise<AnyAnswer>>();
  const analysisOf = (tx_hash: string): Promise<AnyAnswer> => {
    const known =
      analyses.get(tx_hash) ?? stage.ask("analyze_transaction", { tx_hash, network }).then((one) => one.body);
    analyses.set(tx_hash, known);
    return known;
  };
  const answers: TradeAnswers[] = [];
  for (const [wallet, address] of Object.entries(wallets)) {
    const of = { address, network, include_spam: true };
    const [rows, books] = await Promise.all([
      pages(stage, "get_wallet_transactions", of),
      pages(stage, "get_wallet_pnl", of),
    ]);
    const hashes = [
      ...new Set(rows.flatMap(({ tx_hash, tx_type }) => (LISTED_TRADES.includes(tx_type) ? [tx_hash] : []))),
    ];
    answers.push({ wallet, address, books: [...books], readings: [...(await inParts(hashes, analysisOf))] });
  }
  return answers;
};

/** In a slice: a trader of every kind, except those with dozens of similar trades, and two wallets with other activity. */
const SOME = Object.fromEntries(
  Object.entries(ADDRESSES).filter(([name]) => ["alice", "mallory", "lydia", "erin"].includes(name)),
);

const ON_TRON = Object.fromEntries(
  Object.entries(ADDRESSES).map(([name, address]) => [name, formatAddress(hex(address.slice(2).toLowerCase()))]),
);

beforeAll(async () => {
  families = await sharedFamilies();
  found.solana = await analyzeAll(
    families,
    "demo-solana",
    Object.fromEntries(eachNth(Object.entries(families.solana.characters), 2, 1)),
  );
});
// No answer shows the profits of wallets on Tron: here the network supports them.
beforeAll(async () => {
  if (!is_long) return;
  const { network: own, ...demo } = demoTronNetwork(families.tron);
  const { pnl_note: _, ...network } = own;
  tron = await openTestService({ networks: [{ ...demo, network, poll_ms: 50 }] });
  await caughtUp(tron.service);
  found.tron = await analyzeAll(tron, network.id, ON_TRON);
});
beforeAll(async () => {
  evm = await sharedWorld();
});
beforeAll(async () => {
  found.evm = await analyzeAll(evm, "demo", sized({ slice: SOME, long: ADDRESSES }));
});
afterAll(async () => {
  await tron?.close();
});

/** Minimum counts; lower ones would mean that a world, or the search for its trades, has lost some. */
const FEWEST = { solana: 15, tron: 6, evm: sized({ slice: 20, long: 395 }) } as const;

test.each(sized({ slice: ["solana", "evm"] as const, long: ["solana", "tron", "evm"] as const }))(
  "has the same trades in books and readings on %s",
  (family) => {
    const all = found[family] ?? [];
    expect(all.reduce((count, { readings }) => count + readings.length, 0)).toBeGreaterThanOrEqual(FEWEST[family]);
    expect(all.flatMap(tradeContradictions)).toEqual([]);
  },
);

const traded = (): TradeAnswers => {
  const one = (found.evm ?? []).find(({ books }) => books.some(({ trading }) => trading.sell_count > 0));
  if (one === undefined) throw new Error("nobody traded");
  return structuredClone(one);
};

const sold = (books: readonly AnyAnswer[]): AnyAnswer => books.find(({ trading }) => trading.sell_count > 0);

test.each([
  ["a trade that the books do not have", ({ readings }: TradeAnswers) => readings.push(readings[0])],
  ["a trade without a reading", ({ readings }: TradeAnswers) => readings.pop()],
  ["a trade that is read as a deposit", ({ readings }: TradeAnswers) => (readings[0].headline.type = "deposit")],
  ["an amount that differs", ({ books }: TradeAnswers) => (sold(books).trading.sold_amount_raw += "0")],
  ["one trade that is booked as two", ({ books }: TradeAnswers) => (books[0].trading.buy_count += 1)],
])("finds %s", (_, plant) => {
  const answers = traded();
  expect(tradeContradictions(answers)).toEqual([]);
  plant(answers);
  expect(tradeContradictions(answers).length).toBeGreaterThan(0);
});
