/** Looks at many followed addresses, with a clock of the test. */
import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import type { AccountHistory, KnownAccount } from "../../chains/account_history.ts";
import { hex } from "../../lib/bytes.ts";
import { silentLog } from "../../lib/log.ts";
import { FollowedLooks } from "./followed_looks.ts";
import { newRecord } from "./new_record.ts";
import { SubjectHistory, type SubjectOptions } from "./subject_history.ts";

const addressOf = (n: number) => hex(n.toString(16).padStart(40, "0"));
const FOLLOW_MS = 60_000;
const at = (number: number) => ({ number, hash: hex("aa"), parent_hash: hex("bb"), time: 1_700_000_000 + number });
const how = { is_hurried: false, signal: new AbortController().signal };

let clock = 0;
beforeAll(() => {
  vi.spyOn(performance, "now").mockImplementation(() => clock);
});
afterAll(() => vi.restoreAllMocks());

/** The accounts of each look, and rows that were written. */
let looks: (readonly KnownAccount[])[] = [];
let rows: number[] = [];
let news: ReadonlySet<string> = new Set();
let failure: Error | null = null;
beforeEach(() => {
  [looks, rows, news, failure, clock] = [[], [], new Set(), null, 0];
});

const unchanged: AccountHistory["unchanged"] = async ({ accounts, to }) => {
  looks.push(accounts);
  if (failure !== null) throw failure;
  const same = accounts.filter(({ address }) => !news.has(address));
  return new Map(same.map(({ address }) => [address, { mark: `state at ${to}`, is_proven: true, requests: 3 }]));
};

const following = (count: number) => {
  const parts = {
    chain: { network: { id: "demo" }, past: { unchanged } },
    writer: { insert: async (_table: string, written: readonly unknown[]) => void rows.push(written.length) },
    ...{ log: silentLog, follow_ms: FOLLOW_MS, from_block: 0, now_ms: () => 0 },
    // Only these parts are used.
  } as unknown as SubjectOptions & { readonly follow_ms: number };
  const histories = Array.from({ length: count }, (_, i) => {
    const record = { ...newRecord(addressOf(i + 1), 0, 0), state: "read" as const, to_block: 10, is_plain: true };
    return new SubjectHistory(parts, record);
  });
  return { histories, followed: new FollowedLooks(parts) };
};

test("250 addresses take three looks, evenly within the time, and each one row", async () => {
  const { histories, followed } = following(250);
  const begun: number[] = [];
  for (clock = 0; clock < FOLLOW_MS; clock += 500) {
    const before = looks.length;
    followed.look(histories, at(20), how);
    await followed.running;
    if (looks.length > before) begun.push(clock);
  }
  expect(begun).toEqual([0, 20_000, 40_000]);
  expect(looks.map(({ length }) => length)).toEqual([84, 84, 82]);
  expect(rows).toEqual([84, 84, 82]);
  expect(new Set(looks.flat().map(({ address }) => address)).size).toBe(250);
  expect(histories.every(({ record }) => record.to_block === 20 && record.requests === 3)).toBe(true);
});

test("the last ones have their look although new blocks come all the time", async () => {
  const { histories, followed } = following(250);
  for (clock = 0; clock < FOLLOW_MS; clock += 500) {
    followed.look(histories, at(20 + clock / 500), how);
    await followed.running;
  }
  expect(Math.min(...histories.map(({ record }) => record.to_block))).toBeGreaterThanOrEqual(20);
  expect(looks).toHaveLength(3);
});

test("an address with news is to be searched, the others stay", async () => {
  const { histories, followed } = following(3);
  news = new Set([addressOf(2)]);
  followed.look(histories, at(20), how);
  await followed.running;
  expect(histories.map(({ has_news }) => has_news)).toEqual([false, true, false]);
  expect(histories.map(({ record }) => record.to_block)).toEqual([20, 10, 20]);
  // Until it is searched, it is in no look.
  clock = FOLLOW_MS;
  followed.look(histories, at(30), how);
  await followed.running;
  expect(looks[1]?.map(({ address, after, mark }) => [address, after, mark])).toEqual([
    [addressOf(1), 20, "state at 20"],
    [addressOf(3), 20, "state at 20"],
  ]);
});

test("after a look that failed each address is searched by itself", async () => {
  const { histories, followed } = following(2);
  failure = new Error("exceed max topics");
  followed.look(histories, at(20), how);
  await followed.running;
  expect(histories.map(({ has_news, record }) => [has_news, record.to_block])).toEqual([
    [true, 10],
    [true, 10],
  ]);
  expect(rows).toEqual([]);
});

test("without new final blocks there is no look; a hurried run looks at once", async () => {
  const { histories, followed } = following(1);
  followed.look(histories, at(10), how);
  expect(followed.running).toBeNull();
  followed.look(histories, at(20), how);
  await followed.running;
  followed.look(histories, at(30), how);
  expect(followed.running).toBeNull();
  followed.look(histories, at(30), { ...how, is_hurried: true });
  await followed.running;
  expect(histories[0]?.record.to_block).toBe(30);
});
