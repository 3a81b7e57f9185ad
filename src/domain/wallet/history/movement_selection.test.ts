import { afterAll, beforeAll, expect, test } from "vitest";
import { blockHash, openTestFacts, type TestFacts } from "../../../../test/facts_store.ts";
import { fixedChain } from "../../../../test/fixed_chain.ts";
import { addressOf, bytesOf, dailyBlocks, priceRow, tokenRow, transfersOf } from "../../../../test/value_rows.ts";
import { hex } from "../../../lib/bytes.ts";
import { hourOf } from "../../../lib/time.ts";
import { atOnce } from "../../../lib/turns.ts";
import { readActs } from "./acts/act.ts";
import { readHistory, type ValuedHistory } from "./history.ts";
import { NAMED_MAX } from "./movement_selection.ts";
import { transactionsOf } from "./transactions.ts";

// One wallet with more of everything than queries name. Its year is read in one call, which makes the store find
// prices, receipts, calls and trades in the ledger, and in eighths, which names each of them. Both must give the same
// results.
const WALLET = addressOf(0xa11ce);
const [POOL, CROWD, FRIEND] = [addressOf(0x900), addressOf(0xc0), addressOf(0xf)];
const [A, B, USD] = [hex("aa".repeat(20)), hex("bb".repeat(20)), hex("cc".repeat(20))];
const HOUR_S = 3_600;
const START = hourOf(1_700_000_000);
const COUNT = 3 * NAMED_MAX + 200;
const FIRST = 100;
const LAST = FIRST + COUNT;
const UNIT = 10n ** 18n;

const timeOf = (block: number): number => START + (block - FIRST) * HOUR_S;
const numbers = Array.from({ length: COUNT }, (_, n) => FIRST + 1 + n);
const erc20 = (token: typeof A, source: typeof A, destination: typeof A, amount: bigint) => ({
  ...{ kind: "erc20" as const, token, source, destination, amount },
});

/** In turn a trade, a mass receipt, and a payment. */
const movesOf = (block: number) => {
  if (block % 3 === 0) return [erc20(A, WALLET, POOL, UNIT), erc20(B, POOL, WALLET, 2n * UNIT)];
  return block % 3 === 1 ? [erc20(B, CROWD, WALLET, UNIT)] : [erc20(A, WALLET, FRIEND, UNIT)];
};

let store: TestFacts;
beforeAll(async () => {
  store = await openTestFacts();
  const sender = (block: number) => (block % 3 === 1 ? CROWD : WALLET);
  const transaction = (block: number) => ({
    ...{ network: "demo", block_number: block, tx_index: 0, hash: blockHash(block * 1_000), time: timeOf(block) },
    ...{ sender: bytesOf(sender(block)), recipient: bytesOf(POOL), value: 0n, fee: 0n, gas_used: 1, nonce: 0 },
    ...{ succeeded: 1, selector: bytesOf(hex(block % 2 === 0 ? "01020304" : "05060708")), created: "" },
  });
  const swap = (block: number) => ({
    ...{ network: "demo", pool: bytesOf(POOL), block_number: block, tx_index: 0, log_index: 9, time: timeOf(block) },
    ...{ tx_hash: blockHash(block * 1_000), caller: bytesOf(WALLET), recipient: bytesOf(WALLET) },
    ...{ trader: bytesOf(WALLET), amount0: UNIT, amount1: -2n * UNIT },
  });
  const blocks = dailyBlocks(LAST).map((row) => ({ ...row, time: timeOf(Number(row.block_number)) }));
  await store.seed(
    { network: "demo", from: FIRST, to: LAST },
    {
      blocks,
      transfers: numbers.flatMap((block) =>
        transfersOf({ block }, sender(block), movesOf(block)).map((row) => ({ ...row, time: timeOf(block) })),
      ),
      transactions: numbers.map(transaction),
      swaps: numbers.filter((block) => block % 3 === 0 && block % 2 === 0).map(swap),
      mass_transfers: numbers
        .filter((block) => block % 6 === 1)
        .map((block) => ({
          ...{ network: "demo", token: bytesOf(B), block_number: block, tx_index: 0 },
          receivers: 150,
        })),
    },
  );
  await store.writer.insert("tokens", [
    { ...tokenRow(A, "A", 18), network: "demo" },
    { ...tokenRow(B, "B", 18), network: "demo" },
  ]);
  const hours = numbers.map(timeOf);
  await store.writer.insert(
    "prices",
    hours.flatMap((hour, n) => [
      { ...priceRow(A, hour, 1 + (n % 7)), network: "demo" },
      { ...priceRow(USD, hour, 1), network: "demo" },
      ...(n % 5 === 0 ? [] : [{ ...priceRow(B, hour, 2 + (n % 3)), network: "demo" }]),
    ]),
  );
});
afterAll(() => store.close());

const chain = fixedChain({ network: { stablecoins: [{ symbol: "USDC", address: USD, peg: "USD" }] } });

const read = async (from: number, until: number): Promise<ValuedHistory> => {
  const snapshot = await store.facts.snapshot("demo", null);
  const scope = { facts: store.facts, snapshot, chain, signal: AbortSignal.timeout(60_000) };
  return readHistory(scope, WALLET, { from, until });
};

const rowsOf = async (history: ValuedHistory) => {
  const { movements, values, spam, first, end } = history;
  const acts = await readActs(history);
  const { list } = atOnce(transactionsOf(history, { acts, include_spam: true }));
  return {
    rows: Array.from({ length: end - first }, (_, n) => first + n).map((row) => [
      movements.block_number[row],
      movements.tokenAt(row),
      values.nano_usd[row],
      spam[row],
    ]),
    types: list.map(({ type }) => type),
  };
};

test("named transactions and those that the store finds in the ledger give the same facts", async () => {
  const until = timeOf(LAST) + HOUR_S;
  const whole = await rowsOf(await read(START, until));
  const parts: Awaited<ReturnType<typeof rowsOf>>[] = [];
  const step = Math.ceil(COUNT / 8) * HOUR_S;
  for (let from = START; from < until; from += step)
    parts.push(await rowsOf(await read(from, Math.min(until, from + step))));
  expect(parts.flatMap(({ rows }) => rows)).toEqual(whole.rows);
  expect(parts.flatMap(({ types }) => types)).toEqual(whole.types);
  // The facts are not trivial: trades and other transactions, rows with and without a price, airdrops.
  expect(new Set(whole.types).size).toBeGreaterThan(1);
  expect(new Set(whole.rows.map(([, , nano_usd]) => nano_usd)).size).toBeGreaterThan(3);
  expect(new Set(whole.rows.map(([, , , flags]) => flags)).size).toBeGreaterThan(1);
});
