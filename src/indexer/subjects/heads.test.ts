/** Looks near the head at addresses without new blocks, with a clock and a node of the test. */
import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import type { AccountHistory } from "../../chains/account_history.ts";
import type { BlockRef } from "../../chains/chain.ts";
import { hex } from "../../lib/bytes.ts";
import { silentLog } from "../../lib/log.ts";
import { Heads } from "./heads.ts";
import { newRecord } from "./new_record.ts";
import { SubjectHistory, type SubjectOptions } from "./subject_history.ts";

const FOLLOW_MS = 60_000;
const FINAL = 10;
const SUBJECT = hex("aa".padStart(40, "0"));
const { signal } = new AbortController();

/** A block of a branch. */
const blockOf = (number: number, branch = 0): BlockRef => {
  const hashOf = (at: number) => hex(`${branch}${at.toString(16).padStart(7, "0")}`);
  return { number, hash: hashOf(number), parent_hash: hashOf(number - 1), time: 1_700_000_000 + number };
};

let clock = 0;
beforeAll(() => {
  vi.spyOn(performance, "now").mockImplementation(() => clock);
});
afterAll(() => vi.restoreAllMocks());

let calls: string[] = [];
let branch = 0;
let failure: Error | null = null;
beforeEach(() => {
  [calls, branch, failure, clock] = [[], 0, null, 0];
});

const unchanged: AccountHistory["unchanged"] = async ({ accounts, to }) => {
  if (failure !== null) throw failure;
  for (const { after, mark } of accounts) calls.push(`look ${after}..${to} from ${mark}`);
  return new Map(accounts.map(({ address }) => [address, { mark: `at ${to}`, is_proven: true, requests: 7 }]));
};

const opened = () => {
  const parts = {
    chain: {
      network: { id: "demo" },
      past: {
        ...{ reaches_head: true, unchanged },
        find: async () => {
          calls.push("search");
          throw new Error("no node answers");
        },
      },
      ref: async (number: number) => {
        calls.push(`block ${number}`);
        return blockOf(number, branch);
      },
    },
    store: { dropHead: async () => 0, dropPromoted: async () => {} },
    writer: { insert: async () => {} },
    ...{ log: silentLog, follow_ms: FOLLOW_MS, from_block: 0, now_ms: () => 0 },
    // Only these parts are used.
  } as unknown as SubjectOptions & { readonly follow_ms: number };
  const record = { ...newRecord(SUBJECT, 0, 0), state: "read" as const, to_block: FINAL, is_plain: true };
  const history = new SubjectHistory(parts, { ...record, is_balanced: true });
  const heads = new Heads(parts);
  const step = async (head: BlockRef): Promise<void> => {
    await heads.step([history], head, signal);
    await Promise.all(heads.running);
  };
  return { history, step };
};

test("a look without a change moves the end, and the next one reads no state twice", async () => {
  const { history, step } = opened();
  await step(blockOf(20));
  await step(blockOf(20));
  expect(history.record.head).toMatchObject({ after: FINAL, number: 20, hash: blockOf(20).hash, blocks: [] });
  expect(history.record.head).toMatchObject({ is_plain: true, is_balanced: true });
  clock = FOLLOW_MS / 2;
  await step(blockOf(21));
  clock = FOLLOW_MS;
  await step(blockOf(22));
  await step(blockOf(22));
  expect(history.record).toMatchObject({ to_block: FINAL, requests: 14, head: { number: 22 } });
  // Each end once after its look, and the old end once for a head that is not its child.
  expect(calls).toEqual([...["look 10..20 from null", "block 20", "block 20", "look 20..22 from at 20", "block 22"]]);
});

test("an end that the node has replaced is given up, and looked for at once", async () => {
  const { history, step } = opened();
  await step(blockOf(20));
  await step(blockOf(20));
  branch = 1;
  await step(blockOf(20, 1));
  expect(history.record.head).toBeNull();
  await step(blockOf(20, 1));
  expect(history.record.head).toMatchObject({ number: 20, hash: blockOf(20, 1).hash });
});

test("a result whose end was replaced meanwhile is not used", async () => {
  const { history, step } = opened();
  await step(blockOf(20));
  branch = 1;
  await step(blockOf(20));
  expect(history.record.head).toBeNull();
});

test("a node that fails near the head is tried once within the time, and the address ends at the final block", async () => {
  const { history, step } = opened();
  failure = new Error("header not found");
  for (clock = 0; clock < FOLLOW_MS; clock += 500) await step(blockOf(20 + clock / 500));
  expect(calls).toEqual(["search"]);
  expect(history.record).toMatchObject({ head: null, problem: "" });
});
