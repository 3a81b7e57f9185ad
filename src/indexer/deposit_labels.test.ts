import { afterAll, beforeAll, expect, test } from "vitest";
import { blockHash, openTestFacts, type TestFacts, testAddress } from "../../test/facts_store.ts";
import { fixedChain } from "../../test/fixed_chain.ts";
import { toHex } from "../lib/bytes.ts";
import { DAY_S, HOUR_S } from "../lib/time.ts";
import { replaceList } from "../store/lists.ts";
import type { TransfersRow } from "../store/tables.gen.ts";
import { DepositLabels } from "./deposit_labels.ts";

const HOT = testAddress(0xaa);
const USER = testAddress(0x11);
const PAYER = testAddress(0x22);
/** A midnight. */
const T0 = 1_785_542_400;
const HEAD = {
  list: "own",
  kind: "labels" as const,
  version: "1",
  format: "labels-json",
  origin: "",
  licence: "",
  published_on: "",
};
const signal = new AbortController().signal;

let store: TestFacts;
beforeAll(async () => {
  store = await openTestFacts();
});
afterAll(() => store.close());

const row = (said: Partial<TransfersRow>): TransfersRow => ({
  network: "demo",
  block_number: 0,
  tx_index: 0,
  position: 0,
  time: T0,
  tx_hash: "",
  kind: "native",
  token: "",
  token_id: 0n,
  source: PAYER,
  destination: USER,
  amount: 5n,
  sender: PAYER,
  ...said,
});

/** In at ten, out to the hot wallet at eleven: and the fee. Block 2·day is the payment, the next the sweep. */
const sweep = (day: number): TransfersRow[] => {
  const [paid, swept] = [10, 11].map((hour) => T0 + day * DAY_S + hour * HOUR_S);
  const first = { block_number: 2 * day, time: paid ?? 0, tx_hash: blockHash(2 * day) };
  const second = { block_number: 2 * day + 1, time: swept ?? 0, tx_hash: blockHash(2 * day + 1), sender: USER };
  return [
    row(first),
    row({ ...second, source: USER, destination: HOT }),
    row({ ...second, source: USER, destination: "", kind: "fee", position: 4_294_967_295 }),
  ];
};

/** Two blocks a day. */
const days = async (from: number, to: number): Promise<void> => {
  const blocks = Array.from({ length: 2 * (to - from + 1) }, (_, n) => 2 * from + n).map((number) => ({
    network: "demo",
    block_number: number,
    hash: blockHash(number),
    parent_hash: blockHash(Math.max(0, number - 1)),
    time: T0 + Math.floor(number / 2) * DAY_S + (10 + (number % 2)) * HOUR_S,
    producer: PAYER,
    transaction_count: 0,
    has_traces: 1,
    verified: "full" as const,
  }));
  const transfers = Array.from({ length: to - from + 1 }, (_, n) => sweep(from + n)).flat();
  const segment = { network: "demo", from: 2 * from, to: 2 * to + 1, first: 0 };
  await store.seed(segment, { blocks: blocks, transfers: transfers });
};

const labelExchange = (category: string, now_ms: number) =>
  replaceList(store, HEAD, {
    kind: "labels",
    now_ms,
    entries: [
      {
        network: "demo",
        address: toHex(HOT),
        label: "Hot",
        category,
        entity: "Bourse",
        confidence: 1,
        evidence: "",
      },
    ],
  });

const labels = async (at: number): Promise<readonly (readonly [string, string, number])[]> => {
  const snapshot = await store.facts.snapshot("demo", at);
  const rows = await store.facts.ask(snapshot, "labels_among", { addresses: [toHex(USER)] });
  return rows.map(({ label, category, confidence }) => [label, category, confidence]);
};

test("three sweeps label their sender from the second midnight on, and no earlier block knows it", async () => {
  const pass = new DepositLabels({ network: fixedChain().network, store, now_ms: () => 1_000 });
  await pass.update(signal); // nothing is indexed yet
  await labelExchange("exchange", 1);
  await days(0, 1);
  await pass.update(signal);
  await days(2, 2);
  // Day 2 is not over: its last block is the newest one.
  await pass.update(signal);
  expect(await labels(5)).toEqual([]);
  await days(3, 5);
  await pass.update(signal);
  // The third sweep was on day 2: valid from the midnight of day 4, which begins before block 8.
  expect(await labels(7)).toEqual([]);
  expect(await labels(8)).toEqual([["Deposit address of Bourse", "exchange_deposit", 0.75]]);
  const [stored] = await store.query(
    "SELECT evidence, toUnixTimestamp(valid_from) FROM labels FINAL WHERE source = 'deposits'",
  );
  expect(stored).toEqual([`0x${toHex(blockHash(5))}`, T0 + 4 * DAY_S]);
});

test("a new start finds the same and writes nothing; an exchange that is none any more takes its addresses along", async () => {
  const pass = new DepositLabels({ network: fixedChain().network, store, now_ms: () => 2_000 });
  await pass.update(signal);
  const stamps = () =>
    store.query("SELECT toUnixTimestamp64Milli(written_at) FROM labels FINAL WHERE source = 'deposits'");
  expect(await stamps()).toEqual([["1000"]]);
  await labelExchange("payment", 2);
  await pass.update(signal);
  expect(await labels(11)).toEqual([]);
  await labelExchange("exchange", 3);
  await new DepositLabels({ network: fixedChain().network, store, now_ms: () => 3_000 }).update(signal);
  expect(await labels(8)).toHaveLength(1);
});
