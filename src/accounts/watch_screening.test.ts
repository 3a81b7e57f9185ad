import { afterEach, beforeEach, expect, test } from "vitest";
import { fixedChain } from "../../test/fixed_chain.ts";
import { hex } from "../lib/bytes.ts";
import { silentLog } from "../lib/log.ts";
import { transferSubject } from "../lib/transfer_subject.ts";
import { LevelWatcher } from "../watch/judge.ts";
import { openCustomer } from "./testing/store.ts";
import { openTemporary, type TemporaryStore } from "./testing/temporary.ts";
import { RULE_DEFINITION } from "./testing/watch.ts";

// A screened transfer is judged again when lists or rules change, and a day after the last time.

const HASH = "1d".repeat(32);
const COIN = "0c".repeat(20);
const DAY_MS = 86_400_000;

let store: TemporaryStore;
let by: { account_id: string; key_id: string };
beforeEach(async () => {
  store = await openTemporary({ watch: { rules_per_account: 3, is_priced: false } });
  const { account, key } = await openCustomer(store);
  by = { account_id: account.id, key_id: key.id };
});
afterEach(() => store.remove());

const create = () =>
  store.watch.rules("key:test").create(by, {
    ...RULE_DEFINITION,
    ...{ subject_kind: "screening", events: ["risk"], direction: "in", url: null },
    subject: transferSubject({ tx_hash: hex(HASH), asset: hex(COIN), direction: "in", method: "haircut" }),
  });

/** A watcher with a verdict and lists that a test changes, and how often it judged. */
const watcher = () => {
  const state = { verdict: "clear", lists: "v1", judged: 0 };
  const watching = new LevelWatcher({
    ...{ levels: store.watch.levels, facts_id: "f1", chains: [fixedChain({ network: { id: "demo" } })] },
    ...{ per_minute: 60, newId: store.watch.newId, now_ms: () => store.clock.at, log: silentLog },
    readBasis: async () => state.lists,
    judge: async () => {
      state.judged += 1;
      const block = { block_number: 7, hash: "ab".repeat(32), time: 1 } as never;
      return { level: state.verdict, says: { verdict: state.verdict }, block, final_block: 7 };
    },
  });
  const pass = async (ms: number): Promise<void> => {
    store.clock.at += ms;
    while (await watching.next()) store.clock.at += 1;
  };
  return { state, pass };
};

const told = async () => {
  while ((await store.watch.payments.release(100)) > 0);
  return (await store.watch.events.after(by.account_id, 0, 100)).map(({ body }) => JSON.parse(body));
};

test("a list that names the sender makes one event with both verdicts", async () => {
  const { id } = await create();
  const { state, pass } = watcher();
  await pass(1);
  expect([state.judged, await told()]).toEqual([1, []]);
  // Nothing has changed.
  await pass(20_000);
  expect(state.judged).toBe(1);
  Object.assign(state, { lists: "v2", verdict: "blocked" });
  await pass(20_000);
  expect(state.judged).toBe(2);
  expect(await told()).toMatchObject([
    {
      ...{ type: "risk", rule_id: id, risk: { before: "clear", now: "blocked", verdict: "blocked" } },
      subject: {
        kind: "screening",
        tx_hash: `0x${HASH}`,
        asset: "0x0C0c0C0c0c0c0c0c0c0c0C0C0C0c0c0C0c0c0c0c",
        direction: "in",
        method: "haircut",
      },
    },
  ]);
});

test("without a change it is judged once a day", async () => {
  await create();
  const { state, pass } = watcher();
  await pass(1);
  await pass(DAY_MS - 60_000);
  expect(state.judged).toBe(1);
  await pass(120_000);
  expect(state.judged).toBe(2);
  await pass(60_000);
  expect(state.judged).toBe(2);
});

test("blocks are not compared with it, and without its rule it is forgotten", async () => {
  const { id } = await create();
  expect(await store.watch.follow.rules("demo")).toEqual([]);
  await store.watch.rules("key:test").remove(by.account_id, id);
  const { state, pass } = watcher();
  await pass(1);
  expect(state.judged).toBe(0);
  expect(await store.watch.levels.forget(10)).toBe(0);
});
