import { afterAll, beforeAll, expect, test } from "vitest";
import { blockHash, openTestFacts, type TestFacts, testAddress } from "../../test/facts_store.ts";
import { fixedChain } from "../../test/fixed_chain.ts";
import { toHex } from "../lib/bytes.ts";
import { DAY_S, HOUR_S } from "../lib/time.ts";
import { replaceList } from "../store/lists.ts";
import type { TransfersRow } from "../store/tables.gen.ts";
import { DepositLabels } from "./deposit_labels.ts";
import { scoreDerived } from "./score_derived.ts";

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
  kind: "native",
  token: "",
  token_id: 0n,
  source: PAYER,
  destination: USER,
  amount: 5n,
  sender: PAYER,
  ...said,
});

/** In at ten, out to the hot wallet at eleven, with the fee. Block 2·day is the payment, the next the sweep. */
const sweep = (day: number): TransfersRow[] => {
  const [paid, swept] = [10, 11].map((hour) => T0 + day * DAY_S + hour * HOUR_S);
  const first = { block_number: 2 * day, time: paid ?? 0 };
  const second = { block_number: 2 * day + 1, time: swept ?? 0, sender: USER };
  return [
    row(first),
    row({ ...second, source: USER, destination: HOT }),
    row({ ...second, source: USER, destination: "", kind: "fee", position: 4_294_967_295 }),
  ];
};

/** Two blocks a day, with the sweeps of each. */
const days = async (from: number, to: number, of = { network: "demo", sweeps: sweep }): Promise<void> => {
  const { network } = of;
  const blocks = Array.from({ length: 2 * (to - from + 1) }, (_, n) => 2 * from + n).map((number) => ({
    network,
    block_number: number,
    hash: blockHash(number),
    parent_hash: blockHash(Math.max(0, number - 1)),
    time: T0 + Math.floor(number / 2) * DAY_S + (10 + (number % 2)) * HOUR_S,
    producer: PAYER,
    transaction_count: 0,
    has_traces: 1,
    verified: "full" as const,
  }));
  const transfers = Array.from({ length: to - from + 1 }, (_, n) => of.sweeps(from + n)).flat();
  const segment = { network, from: 2 * from, to: 2 * to + 1, first: 0 };
  const transactions = transfers
    .filter(({ position }) => position === 0)
    .map(({ block_number, tx_index, time, sender, destination }) => ({
      ...{
        network,
        block_number,
        tx_index,
        hash: blockHash(Number(block_number) + 1_000 * tx_index),
        time,
        sender,
        recipient: destination,
      },
      ...{ value: 5n, fee: 0n, gas_used: 0n, nonce: 0, succeeded: 1, selector: "", created: "" },
    }));
  await store.seed(segment, { blocks, transactions, transfers });
};

const labelExchange = (category: string, now_ms: number, where = { network: "demo", label: "Hot" }) =>
  replaceList(
    store,
    { ...HEAD, list: where.network },
    {
      kind: "labels",
      now_ms,
      entries: [
        {
          ...where,
          address: toHex(HOT),
          category,
          entity: "Bourse",
          confidence: 1,
          evidence: "",
          licence: "",
          published_on: "",
        },
      ],
    },
  );

const labels = async (at: number): Promise<readonly (readonly [string, string, number])[]> => {
  const snapshot = await store.facts.snapshot("demo", at);
  const rows = await store.facts.ask(snapshot, "labels_among", { addresses: [toHex(USER)] });
  return rows.map(({ label, category, confidence }) => [label, category, confidence]);
};

test("three sweeps label their sender from the second midnight on, and no earlier block has the label", async () => {
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

test("a new start finds the same and writes nothing; a wallet that is no longer an exchange's loses its deposit addresses", async () => {
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

test("a wallet that its list does not call hot is one from the day on which ten accounts have paid it", async () => {
  const network = "plain";
  const userOf = (n: number) => testAddress(0x1000 + n);
  // Nine users sweep on days 0 to 3, a tenth on day 4 for the first time.
  const usersOn = (day: number) => (day < 4 ? 9 : day === 4 ? 10 : 0);
  const sweeps = (day: number) =>
    Array.from({ length: usersOn(day) }, (_, n) =>
      sweep(day).map((one) => ({
        ...one,
        ...{ network, tx_index: n },
        source: one.source === USER ? userOf(n) : one.source,
        destination: one.destination === USER ? userOf(n) : one.destination,
        sender: one.sender === USER ? userOf(n) : one.sender,
      })),
    ).flat();
  const held = () =>
    store.query(
      `SELECT lower(hex(address)), toUnixTimestamp(valid_from) FROM labels FINAL
       WHERE network = '${network}' AND source = 'deposits' AND category != '' ORDER BY address`,
    );
  const own = { network: { ...fixedChain().network, id: network }, store, now_ms: () => 1_000 };
  await labelExchange("exchange", 1, { network, label: "Bourse" });
  const pass = new DepositLabels(own);
  await days(0, 4, { network, sweeps });
  await pass.update(signal);
  expect(await held()).toEqual([]);
  await days(5, 6, { network, sweeps });
  await pass.update(signal);
  // The tenth has not sent three times. The others met the rule on day 2, of a wallet that was not known to be hot
  // before day 4.
  const wanted = Array.from({ length: 9 }, (_, n) => [toHex(userOf(n)), T0 + 6 * DAY_S]);
  expect(await held()).toEqual(wanted);
  await new DepositLabels({ ...own, now_ms: () => 2_000 }).update(signal);
  expect(await held()).toEqual(wanted);
  // A list of true labels: the exchange's ten deposit addresses, one that never moved, and a shop among the derived.
  const isShop = (n: number) => n === 8;
  const truth = Array.from({ length: 11 }, (_, n) => ({
    ...{ network, address: toHex(userOf(n)), entity: isShop(n) ? "Shop" : "BOURSE" },
    category: isShop(n) ? "payment" : "exchange_deposit",
  }));
  expect((await scoreDerived(store.engine, truth)).find(({ category }) => category === "exchange_deposit")).toEqual({
    ...{ network, category: "exchange_deposit", rule: null, true_count: 10, active_count: 9, derived_count: 9 },
    ...{ matched_count: 8, named_count: 8, contradicted_count: 1 },
    ...{
      precision_percent: 88.89,
      precision_of_all_percent: 88.89,
      recall_percent: 88.89,
      named_recall_percent: 88.89,
    },
  });
});

test("a deposit address that pays various others loses certainty, then its label, and a new start says the same", async () => {
  const network = "turned";
  const own = { network: { ...fixedChain().network, id: network }, store, now_ms: () => 1_000 };
  const held = () =>
    store.query(`SELECT round(confidence, 2), toUnixTimestamp(valid_from) FROM labels FINAL
      WHERE network = '${network}' AND source = 'deposits' AND category != ''`);
  /** From day 3 on the account pays another address each day instead of the exchange. */
  const sweeps = (day: number): TransfersRow[] =>
    sweep(day).map((one) => ({
      ...one,
      network,
      destination: day >= 3 && one.destination === HOT ? testAddress(0x500 + day) : one.destination,
    }));
  await labelExchange("exchange", 1, { network, label: "Hot" });
  await days(0, 3, { network, sweeps });
  let time = 1_000;
  const pass = new DepositLabels({ ...own, now_ms: () => (time += 1_000) });
  await pass.update(signal);
  // Day 3 is not over.
  expect(await held()).toEqual([[0.75, T0 + 4 * DAY_S]]);
  await days(4, 4, { network, sweeps });
  await pass.update(signal);
  // Three of four payments: three quarters of 0.75.
  expect(await held()).toEqual([[0.56, T0 + 4 * DAY_S]]);
  await days(5, 8, { network, sweeps });
  await pass.update(signal);
  // Days 3 to 7 are five other payments: three of eight.
  expect(await held()).toEqual([]);
  expect(pass.judged_anew).toBe(1);
  await new DepositLabels({ ...own, now_ms: () => 90_000 }).update(signal);
  expect(await held()).toEqual([]);
});
