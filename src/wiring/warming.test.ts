import { afterAll, beforeAll, expect, test } from "vitest";
import { callForData } from "../../bench/calls.ts";
import { openTestFacts, type TestFacts } from "../../test/facts_store.ts";
import { fixedChain } from "../../test/fixed_chain.ts";
import {
  addressOf,
  dailyBlocks,
  dayOf,
  priceRow,
  tokenRow,
  transactionsOf,
  transfersOf,
} from "../../test/value_rows.ts";
import type { Chain } from "../chains/chain.ts";
import { SILENT_OPERATOR } from "../domain/operator.ts";
import { type Log, silentLog } from "../lib/log.ts";
import { type FactsStore, openFacts } from "../store/open.ts";
import { contexts } from "./contexts.ts";
import { warm } from "./warming.ts";

const [WALLET, OTHER, DOLLAR, COIN] = [addressOf(0xa1), addressOf(0xa2), addressOf(0xd0), addressOf(0xc0)];
const HEAD = 110;
const NOW_MS = dayOf(HEAD + 1) * 1_000;
const network = { wrapped_native: COIN, stablecoins: [{ symbol: "USDC", address: DOLLAR, peg: "USD" }] };
const chain = fixedChain({ network });

/** Each buys coins for dollars and sells them, the wallet last. */
const moved = Array.from({ length: HEAD - 100 }, (_, i) => {
  const wallet = i % 2 === 0 ? OTHER : WALLET;
  const [pays, gets] = i % 4 < 2 ? [DOLLAR, COIN] : [COIN, DOLLAR];
  return transfersOf({ block: 101 + i }, wallet, [
    { kind: "erc20", token: pays, source: wallet, destination: addressOf(0x900), amount: 5n },
    { kind: "erc20", token: gets, source: addressOf(0x900), destination: wallet, amount: 5n },
  ]);
}).flat();

let store: TestFacts;
beforeAll(async () => {
  store = await openTestFacts();
  await store.seed(
    { network: "demo", from: 100, to: HEAD },
    {
      blocks: dailyBlocks(HEAD),
      transfers: moved,
      transactions: transactionsOf(moved),
      tokens: [tokenRow(DOLLAR, "USDC", 6), tokenRow(COIN, "WETH", 18)],
      prices: Array.from({ length: HEAD - 100 }, (_, i) => priceRow(COIN, dayOf(101 + i), 2_000)),
    },
  );
});
afterAll(() => store.close());

/** A new process with empty caches. */
const begun = (): Promise<FactsStore> => openFacts({ engine: "embedded", data_dir: store.data_dir });

const contextOf = ({ served }: FactsStore, chains: readonly Chain[] = [chain]) =>
  contexts({ facts: { served }, chains, operator: SILENT_OPERATOR });

const warming = (facts: FactsStore, { chains = [chain], log = silentLog, stop = new AbortController().signal } = {}) =>
  warm({
    ...{ facts: facts.served, chains, contextFor: contextOf(facts, chains), log, stop },
    ...{ call_timeout_ms: 30_000, now_ms: () => NOW_MS },
  });

/** Cache misses of a call about a wallet other than the newest transaction's sender. */
const missedBy = async (facts: FactsStore): Promise<number> => {
  const before = facts.book.misses;
  const place = { chains: [chain], contextFor: contextOf(facts), now_ms: NOW_MS };
  await callForData(place, "get_wallet_pnl", { address: chain.formatAddress(OTHER), network: "demo" });
  return facts.book.misses - before;
};

const listening = (): { readonly log: Log; readonly heard: object[]; readonly made: object[] } => {
  const [heard, made]: [object[], object[]] = [[], []];
  const warn: Log["warn"] = (facts, message) => heard.push({ ...facts, message });
  const debug: Log["debug"] = (facts) => made.push(facts);
  return { log: { ...silentLog, warn, debug }, heard, made };
};

test("a process has the data of the next call about another wallet after its warm-up calls", async () => {
  const [ready, cold] = await Promise.all([begun(), begun()]);
  const { log, heard, made } = listening();
  await warming(ready, { log });
  expect(heard).toEqual([]);
  // This chain has no pools; the wallet's calls succeed.
  const silent = [expect.stringMatching(/^get_token_market_analysis: No pool was found/)];
  expect(made).toEqual([{ network: "demo", ms: expect.any(Number), silent }]);
  const [after, without] = [await missedBy(ready), await missedBy(cold)];
  expect(without).toBeGreaterThan(3);
  expect(after).toBeLessThan(without / 2);
  await Promise.all([ready.close(), cold.close()]);
});

test("a network without indexed blocks is skipped, and the next one is warmed up", async () => {
  const facts = await begun();
  const { log, heard } = listening();
  await warming(facts, { log, chains: [fixedChain({ network: { ...network, id: "nowhere" } }), chain] });
  expect(heard).toEqual([]);
  expect(facts.recent.misses).toBeGreaterThan(0);
  await facts.close();
});

test("a store that does not answer is logged, and the process goes on", async () => {
  const facts = await begun();
  await facts.close();
  const { log, heard } = listening();
  await expect(warming(facts, { log })).resolves.toBeUndefined();
  expect(heard).toMatchObject([{ network: "demo", message: expect.stringContaining("the warm-up calls failed") }]);
});

test("no call is logged after a stop during the warm-up", async () => {
  const facts = await begun();
  const { log, heard } = listening();
  const stop = new AbortController();
  const running = warming(facts, { log, stop: stop.signal });
  stop.abort();
  await expect(running).resolves.toBeUndefined();
  expect(heard).toEqual([]);
  await facts.close();
});
