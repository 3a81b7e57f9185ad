import { afterAll, beforeAll, expect, test } from "vitest";
import { type CallTarget, callTool } from "../../bench/calls.ts";
import { SILENT_OPERATOR } from "../../src/domain/operator.ts";
import type { Hex } from "../../src/lib/bytes.ts";
import { contexts } from "../../src/wiring/contexts.ts";
import { openTestFacts, type TestFacts } from "../facts_store.ts";
import { eachNth, sized } from "../long.ts";
import { type CallTool, readEach, readToken, readWallet, type TokenAnswers, type WalletAnswers } from "./answers.ts";
import { holdingContradictions, priceContradictions } from "./holding_figures.ts";
import { type ExpectedLedger, ledgerContradictions } from "./ledger_figures.ts";
import { noiseIn } from "./number_figures.ts";
import { drawChain, type RandomChain } from "./random_chain.ts";
import { FORMS, timeOf } from "./random_draw.ts";
import { contradictions, poolContradictions } from "./token_figures.ts";
import { walletContradictions } from "./wallet_figures.ts";

/**
 * Wallets and tokens of small random chains of three families: every equation between the tools, and the chain's own
 * books. `ASSAY_TEST_SEED` draws other chains, `TEST_LONG=1` more of them.
 */

const FIRST_SEED = Number(process.env.ASSAY_TEST_SEED ?? 1);
const SEEDS = Array.from({ length: sized({ slice: 1, long: 6 }) }, (_, i) => FIRST_SEED + i);
const CALL_MS_MAX = 120_000;

let store: TestFacts;
let chains: readonly RandomChain[];

interface RandomAnswers {
  readonly chain: RandomChain;
  readonly wallets: readonly (readonly [WalletAnswers, ExpectedLedger])[];
  readonly tokens: readonly TokenAnswers[];
}
const found: RandomAnswers[] = [];

/** In process; an answer without data has a status, as over HTTP. */
const toolCaller =
  (place: CallTarget): CallTool =>
  async (tool, args) => {
    const outcome = await callTool(place, tool, args);
    return outcome.kind === "data" ? outcome.data : { status: outcome.kind };
  };

const expectedLedger = ({ books, tokens, chain }: RandomChain, wallet: Hex): ExpectedLedger => ({
  book: books.of(wallet),
  balances: new Map(
    Object.values(tokens)
      .filter((token) => token !== tokens.art)
      .map(({ token }) => [token === "" ? "native" : chain.formatAddress(token), books.balance(wallet, token)]),
  ),
});

const readChain = async (random: RandomChain, place: CallTarget): Promise<RandomAnswers> => {
  const { id, chain, wallets, producer, tokens } = random;
  const ask = toolCaller(place);
  const wrapped = chain.formatAddress(tokens.wrapped.token);
  const asked = await readEach(eachNth([...[...wallets, producer].entries()], 2), 4, async ([i, wallet]) => {
    const address = chain.formatAddress(wallet);
    const who = { name: `${address} of ${id}`, address, network: id, wrapped, with_profile: i === 0 };
    return [await readWallet(ask, who), expectedLedger(random, wallet)] as const;
  });
  const of_tokens = await readEach(
    ["native", chain.formatAddress(tokens.dollar.token), chain.formatAddress(tokens.alpha.token)],
    3,
    (address) => readToken(ask, id, address),
  );
  return { chain: random, wallets: asked, tokens: of_tokens.filter((answers) => answers !== null) };
};

beforeAll(async () => {
  store = await openTestFacts();
  chains = SEEDS.flatMap((seed) =>
    Object.values(FORMS).map((form) => drawChain(`random-${form.family}-${seed}`, form, seed)),
  );
  for (const { id, head, seed, prices, metadata } of chains) {
    await store.seed({ network: id, from: 0, to: head }, seed);
    await store.writer.insert("prices", prices);
    await store.writer.insert("tokens", metadata);
  }
  const all = chains.map(({ chain }) => chain);
  const { facts } = store;
  const contextFor = contexts({ facts: { served: facts }, chains: all, operator: SILENT_OPERATOR });
  for (const chain of chains) {
    const place = { chains: all, contextFor, now_ms: timeOf(chain.head) * 1000, ms_max: CALL_MS_MAX };
    found.push(await readChain(chain, place));
  }
});
afterAll(() => store?.close());

test("matches a wallet's answers with its chain's books", () => {
  expect(
    found.flatMap(({ wallets }) => wallets.flatMap(([answers, kept]) => ledgerContradictions(answers, kept))),
  ).toEqual([]);
});

test("agrees between all tools on the wallets of random chains", () => {
  const wallets = found.flatMap((one) => one.wallets.map(([answers]) => answers));
  expect(wallets.flatMap(walletContradictions)).toEqual([]);
  expect(wallets.flatMap(({ held, profile }) => holdingContradictions(held, profile))).toEqual([]);
});

test("agrees between all tools on the tokens of random chains", () => {
  for (const { wallets, tokens } of found) {
    expect(tokens).toHaveLength(3);
    expect(tokens.flatMap(contradictions)).toEqual([]);
    expect(poolContradictions(tokens)).toEqual([]);
    expect(
      priceContradictions(
        wallets.map(([answers]) => answers),
        tokens,
      ),
    ).toEqual([]);
  }
});

test("has no excess digits in answers about random chains", () => {
  const all = found.flatMap(({ wallets, tokens }) => [...wallets.map(([answers]) => answers), ...tokens]);
  expect(all.flatMap((answers) => noiseIn(answers.name, answers))).toEqual([]);
  expect(
    noiseIn("wallet", { rows: [{ usd_value: 0.1 + 0.2 }, { amount: 10000000.000000002 }, { usd: 12.5 }] }),
  ).toEqual(["wallet: usd_value is 0.30000000000000004", "wallet: amount is 10000000.000000002"]);
});

test("draws chains with every kind that the tools must distinguish", () => {
  for (const family of Object.keys(FORMS)) {
    const books = found
      .filter(({ chain }) => chain.form.family === family)
      .flatMap(({ wallets }) => wallets.map(([, { book }]) => book));
    for (const sum of ["in", "out", "voided_in", "voided_out", "wraps_in", "wraps_out", "rewards_in"] as const)
      expect(
        books.some(({ sums }) => sums[sum] > 0n),
        `${sum} of ${family}`,
      ).toBe(true);
    expect(books.some(({ spam }) => spam > 0)).toBe(true);
    expect(books.some(({ unpriced }) => unpriced > 0)).toBe(true);
  }
});

/** Books with one wrong figure, which the comparison with correct answers must find. */
const PLANTED: readonly (readonly [what: string, plant: (kept: ExpectedLedger) => ExpectedLedger])[] = [
  [
    "a made-up inflow",
    ({ book, ...kept }) => ({ ...kept, book: { ...book, sums: { ...book.sums, in: book.sums.in + 1_000_000n } } }),
  ],
  [
    "a mint that was a payment",
    ({ book, ...kept }) => ({
      ...kept,
      book: { ...book, sums: { ...book.sums, voided_in: book.sums.voided_in + 1_000_000n } },
    }),
  ],
  [
    "half of a wrap",
    ({ book, ...kept }) => ({
      ...kept,
      book: { ...book, sums: { ...book.sums, wraps_out: book.sums.wraps_out + 1_000_000n } },
    }),
  ],
  [
    "a transaction more",
    ({ book, ...kept }) => ({ ...kept, book: { ...book, seen: new Set([...book.seen, "another"]) } }),
  ],
  ["a made-up spam transfer", ({ book, ...kept }) => ({ ...kept, book: { ...book, spam: book.spam + 1 } })],
  ["an earlier day", ({ book, ...kept }) => ({ ...kept, book: { ...book, times: [0, ...book.times] } })],
  [
    "one unit more",
    ({ book, balances }) => ({ book, balances: new Map([...balances].map(([token, amount]) => [token, amount + 1n])) }),
  ],
];

test.each(PLANTED)("finds %s", (_, plant) => {
  for (const { wallets } of found) {
    const [first] = wallets;
    if (first === undefined) throw new Error("a chain without wallets");
    const [answers, kept] = first;
    expect(ledgerContradictions(answers, plant(kept)).length).toBeGreaterThan(0);
  }
});
