/** A node that drops blocks between their search and their reading, and another search that knows more. */
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { blockHash, openTestFacts, type TestFacts, testAddress } from "../../../test/facts_store.ts";
import { fixedChain } from "../../../test/fixed_chain.ts";
import { type FoundHistory, type HistorySearch, TooManyBlocks } from "../../chains/account_history.ts";
import { toHex } from "../../lib/bytes.ts";
import { silentLog } from "../../lib/log.ts";
import { readSubjects, type SubjectRecord } from "../../store/subjects/records.ts";
import type { TableRows } from "../../store/tables.gen.ts";
import { openIndexStore } from "../index_store.ts";
import { newRecord } from "./new_record.ts";
import { SubjectHistory, type SubjectOptions } from "./subject_history.ts";

const NETWORK = "demo";
const [WALLET, PAYER] = [testAddress(1), testAddress(2)];
const signal = new AbortController().signal;
const NEWEST = { number: 20, hash: toHex(blockHash(20)), parent_hash: toHex(blockHash(19)), time: 1_700_000_020 };

let facts: TestFacts;
let clock = 1_000;
/** The next search finds this. */
let next: Partial<FoundHistory> = {};
beforeAll(async () => {
  facts = await openTestFacts();
  vi.spyOn(performance, "now").mockImplementation(() => clock);
});
afterAll(async () => {
  vi.restoreAllMocks();
  await facts.close();
});

/** The next search fails so. */
let failure: Error | null = null;
/** The process ends before openings are written. */
let is_killed = false;
/** The last search. */
let asked: HistorySearch | null = null;

/** `from_block`: first block of the network; `record`: as a process before this one left it. */
const openHistory = (from_block = 0, record?: SubjectRecord): SubjectHistory => {
  const chain = {
    ...fixedChain({ network: { id: NETWORK } }),
    ref: async (number: number) => ({ ...NEWEST, number, hash: toHex(blockHash(number)) }),
    past: {
      doubt: { code: "DOUBT", message: () => "" },
      find: async (search: HistorySearch): Promise<FoundHistory> => {
        asked = search;
        if (failure !== null) throw failure;
        return { ...{ blocks: [], lost_before: null, openings: [], ends: [], is_proven: true, requests: 1, ...next } };
      },
    },
  };
  const store = openIndexStore(facts, chain.network, Date.now);
  const writer: typeof facts.writer = {
    ...facts.writer,
    insert: (table, rows, options) =>
      is_killed && table === "openings"
        ? Promise.reject(new Error("killed"))
        : facts.writer.insert(table, rows, options),
  };
  const parts = { chain, store, engine: facts.engine, writer, facts: facts.facts, log: silentLog };
  // The history itself reads and decodes no blocks.
  const options = { ...parts, from_block, now_ms: Date.now } as unknown as SubjectOptions;
  return new SubjectHistory(options, record ?? newRecord(toHex(WALLET), 1, from_block));
};

const search = async (
  history: SubjectHistory,
  found: Partial<FoundHistory>,
  refused: Error | null = null,
): Promise<void> => {
  next = found;
  failure = refused;
  history.begin(NEWEST, signal);
  await history.search;
};

/** In block `number` the wallet is paid `amount`. */
const store = async (number: number, amount: bigint): Promise<void> => {
  const at = { network: NETWORK, block_number: number, tx_index: 0, time: 1_700_000_000 + number };
  const block: TableRows["blocks"] = {
    ...{ network: NETWORK, block_number: number, hash: blockHash(number), parent_hash: blockHash(number - 1) },
    ...{ time: at.time, producer: PAYER, transaction_count: 1, has_traces: 1, verified: "full" },
  };
  const transfer: TableRows["transfers"] = {
    ...{ ...at, position: 0, kind: "native", token: new Uint8Array(0), token_id: 0n, amount },
    ...{ sender: PAYER, source: PAYER, destination: WALLET },
  };
  await facts.writer.insert("blocks", [block]);
  await facts.writer.insert("transfers", [transfer]);
  const range = { network: NETWORK, from: number, to: number, blocks: [number] };
  await facts.writer.finals.writeLayouts(range, { is_fresh: true });
  await facts.writer.finals.writeBalances(range, { is_fresh: true });
};

const held = (amount: bigint) => [{ token: "" as const, amount }];

const openings = () =>
  facts.query(`SELECT toString(amount) FROM openings FINAL WHERE network = '${NETWORK}' ORDER BY amount`);

test("blocks that nodes dropped after the search are searched again, and the history begins later", async () => {
  const history = openHistory();
  await search(history, { blocks: [5, 9] });
  expect(history.missing).toEqual([5, 9]);
  for (let failure = 1; failure <= 5; failure += 1) {
    expect(history.is_searched).toBe(true);
    await history.failed(new Error("block 5 was cleaned up"), signal);
  }
  expect([history.is_searched, history.missing]).toEqual([false, []]);
  clock += 60_000;
  // It had 7 before block 8, and is paid 3 in block 9.
  await search(history, { blocks: [9], lost_before: 8, openings: held(7n), ends: held(10n) });
  expect(history.missing).toEqual([9]);
  await store(9, 3n);
  await history.wrote(new Set([9]));
  await history.complete(signal);
  expect(history.record).toMatchObject({
    ...{ state: "read", from_block: 8, to_block: 20, found: 1, fetched: 1 },
    ...{ is_plain: true, is_balanced: true, requests: 1, problem: "" },
  });
  expect(await openings()).toEqual([["7"]]);
});

test("a later search with the whole history has other openings", async () => {
  const history = openHistory();
  // 4 and 3, in blocks 5 and 9.
  await search(history, { blocks: [5, 9], ends: [{ token: "", amount: 7n }] });
  expect(await openings()).toEqual([]);
  await store(5, 4n);
  await history.wrote(new Set([5]));
  await history.complete(signal);
  expect(history.record).toMatchObject({ state: "read", from_block: 0, found: 2, is_plain: true, is_balanced: true });
});

test("movements that do not add up, and a search without a proof, are recorded, and the doubt stays", async () => {
  const history = openHistory();
  await search(history, { blocks: [5, 9], is_proven: false, ends: [{ token: "", amount: 8n }] });
  await history.complete(signal);
  expect(history.record).toMatchObject({ state: "read", is_plain: false, is_balanced: false });
  next = { is_proven: true };
  history.begin({ ...NEWEST, number: 30 }, signal);
  await history.search;
  await history.complete(signal);
  expect(history.record).toMatchObject({ to_block: 30, is_plain: false });
});

test("blocks that nodes lost between two searches are a doubt", async () => {
  const history = openHistory();
  await search(history, { blocks: [5, 9], ends: [{ token: "", amount: 7n }] });
  await history.complete(signal);
  expect(history.record).toMatchObject({ is_plain: true, is_balanced: true, from_block: 0 });
  next = { lost_before: 25 };
  history.begin({ ...NEWEST, number: 30 }, signal);
  await history.search;
  await history.complete(signal);
  expect(history.record).toMatchObject({ to_block: 30, is_plain: false, from_block: 0 });
});

/** Read from block 8 on, where it had 7 (4 of block 5 and 3 that it ever had); 3 of block 9 make 10. */
const fromEight = async (): Promise<SubjectRecord> => {
  const late = openHistory(8);
  await search(late, { blocks: [9], openings: held(7n), ends: held(10n) });
  await late.complete(signal);
  expect(late.record).toMatchObject({ state: "read", from_block: 8, to_block: 20, is_balanced: true });
  expect(await openings()).toEqual([["7"]]);
  return late.record;
};

test("a lowered first block grows the history backwards, with the openings of its new beginning", async () => {
  const history = openHistory(3, await fromEight());
  expect(history.grows).toBe(true);
  // In block 3 it had 3, and 4 came in block 5: 7 after block 7.
  await search(history, { blocks: [5], openings: held(3n), ends: held(7n) });
  expect(asked).toMatchObject({ after: 2, to: 7, is_followed: false });
  // The later part answers until the older one is there.
  expect(history.record).toMatchObject({ state: "read", from_block: 8 });
  expect(await openings()).toEqual([["7"]]);
  await history.complete(signal);
  expect(history.record).toMatchObject({
    ...{ state: "read", from_block: 3, to_block: 20, found: 2, fetched: 2, is_plain: true, is_balanced: true },
  });
  expect(await openings()).toEqual([["3"]]);
  expect(history.grows).toBe(false);
  expect((await readSubjects(facts.engine, NETWORK, [toHex(WALLET)]))[0]).toMatchObject({
    state: "read",
    from_block: 3,
  });
});

test("older blocks that do not add up are a doubt about the whole history", async () => {
  const history = openHistory(3, await fromEight());
  await search(history, { blocks: [5], openings: held(3n), ends: held(8n), is_proven: false });
  await history.complete(signal);
  expect(history.record).toMatchObject({ state: "read", from_block: 3, is_plain: false, is_balanced: false });
});

test("where nodes have nothing older, the history stays as it is", async () => {
  const history = openHistory(3, await fromEight());
  await search(history, { lost_before: 8 });
  expect([history.is_searched, history.grows]).toEqual([false, false]);
  expect(history.record).toMatchObject({ state: "read", from_block: 8, problem: "" });
  expect(await openings()).toEqual([["7"]]);
});

test("a process that ends while the beginning moves leaves no history with two of them", async () => {
  const history = openHistory(3, await fromEight());
  await search(history, { blocks: [5], openings: held(3n), ends: held(7n) });
  is_killed = true;
  await expect(history.complete(signal)).rejects.toThrow("killed");
  is_killed = false;
  const [left] = await readSubjects(facts.engine, NETWORK, [toHex(WALLET)]);
  expect(left).toMatchObject({ state: "searching", from_block: 3 });
  const after = openHistory(3, left);
  await search(after, { blocks: [5, 9], openings: held(3n), ends: held(10n) });
  expect(asked).toMatchObject({ after: 2, to: 20 });
  await after.complete(signal);
  expect(after.record).toMatchObject({ state: "read", from_block: 3, found: 2, is_balanced: true });
  expect(await openings()).toEqual([["3"]]);
});

test("a counterparty with more blocks than its limit is not read, and its requests count", async () => {
  const history = openHistory();
  history.blocks_max = 100;
  await search(history, {}, new TooManyBlocks(100, 77));
  expect(asked?.blocks_max).toBe(100);
  expect(history.record).toMatchObject({ state: "too_large", requests: 77, problem: "it has more than 100 blocks" });
  asked = null;
  clock += 60_000;
  await search(history, {});
  expect(asked).toBeNull();
});

test("where sums alone prove a history, a block that nodes list late ends the doubt", async () => {
  const history = openHistory();
  // 4, 3 and 2, in blocks 5, 9 and 15, which is not listed yet.
  await search(history, { blocks: [5, 9], ends: held(9n), needs_sums: true });
  await history.complete(signal);
  expect(history.record).toMatchObject({ to_block: 20, found: 2, is_plain: false, is_balanced: false });
  next = {
    ...{ blocks: [9, 15], again_after: 5, ends: held(9n), needs_sums: true },
    reached: { ...NEWEST, number: 31 },
  };
  history.begin({ ...NEWEST, number: 30 }, signal);
  await history.search;
  expect(history.missing).toEqual([15]);
  await store(15, 2n);
  await history.wrote(new Set([15]));
  await history.complete(signal);
  expect(history.record).toMatchObject({ to_block: 31, found: 3, is_plain: true, is_balanced: true });
});
