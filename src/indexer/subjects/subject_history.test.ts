/** A node that drops blocks between their search and their reading, and another search that knows more. */
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { blockHash, openTestFacts, type TestFacts, testAddress } from "../../../test/facts_store.ts";
import { fixedChain } from "../../../test/fixed_chain.ts";
import type { FoundHistory } from "../../chains/account_history.ts";
import { toHex } from "../../lib/bytes.ts";
import { silentLog } from "../../lib/log.ts";
import type { TableRows } from "../../store/tables.gen.ts";
import { openIndexStore } from "../index_store.ts";
import { newRecord, SubjectHistory, type SubjectOptions } from "./subject_history.ts";

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

const openHistory = (): SubjectHistory => {
  const chain = {
    ...fixedChain({ network: { id: NETWORK } }),
    past: {
      doubt: { code: "DOUBT", message: () => "" },
      find: async (): Promise<FoundHistory> => ({
        ...{ blocks: [], lost_before: null, openings: [], ends: [], is_proven: true, requests: 1, ...next },
      }),
    },
  };
  const store = openIndexStore(facts, chain.network, Date.now);
  const parts = { chain, store, engine: facts.engine, writer: facts.writer, facts: facts.facts, log: silentLog };
  // The history itself reads and decodes no blocks.
  const options = { ...parts, from_block: 0, now_ms: Date.now } as unknown as SubjectOptions;
  return new SubjectHistory(options, newRecord(toHex(WALLET), 1, 0));
};

const search = async (history: SubjectHistory, found: Partial<FoundHistory>): Promise<void> => {
  next = found;
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
  const held = (amount: bigint) => [{ token: "" as const, amount }];
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
