import { afterEach, beforeEach, expect, test } from "vitest";
import { openTestFacts, type TestFacts, testAddress } from "../../test/facts_store.ts";
import { settings } from "../config/settings.ts";
import { type Hex, toHex } from "../lib/bytes.ts";
import { readUse, readWishes, type SubjectRecord, writeSubject, writeWishes } from "../store/subjects/records.ts";
import { findCounterparties } from "./counterparty_calls.ts";

/** Counterparties on a real store: two are read for each wallet, and an account may have half of its ten addresses for them. */

const NETWORK = "demo";
const [A, B, C, D, E, F, G] = [1, 2, 3, 4, 5, 6, 7].map((n) => toHex(testAddress(n))) as [
  ...[Hex, Hex, Hex, Hex, Hex, Hex, Hex],
];
const own = settings.parse({
  on_demand: { counterparties: 2, counterparty_blocks: 300, addresses_per_account: 10 },
});

let facts: TestFacts;
beforeEach(async () => {
  facts = await openTestFacts();
});
afterEach(() => facts.close());

const find = async (addresses: readonly Hex[], { is_wished = true, account = "one" } = {}) => {
  const found = await findCounterparties(
    { facts, settings: own, mayAsk: (by) => readUse(facts.engine, by, 0) },
    { network: NETWORK, addresses, is_wished, account },
  );
  return addresses.map((address) => found.get(address)?.state);
};

const wished = async () =>
  (await readWishes(facts.engine, NETWORK)).map(({ subject, asked_by, blocks_max }) => [subject, asked_by, blocks_max]);

let clock = 1;
const record = (subject: Hex, more: Partial<SubjectRecord>): Promise<void> => {
  const whole: SubjectRecord = {
    ...{ subject, state: "read", from_block: 0, to_block: 9, to_hash: "", to_time: 9, wished_ms: 1, is_plain: true },
    ...{
      is_balanced: true,
      verified: "full",
      untraced: [],
      found: 1,
      fetched: 1,
      requests: 1,
      problem: "",
      rewrites: 0,
      is_rewriting: false,
      head: null,
      ...more,
    },
  };
  clock += 1;
  return writeSubject(facts.writer, whole, { network: NETWORK, now_ms: clock });
};

test("the nearest are wished once, with their limit, and the others are not", async () => {
  expect(await find([A, B, C], { is_wished: false })).toEqual(["unread", "unread", "unread"]);
  expect(await wished()).toEqual([]);
  expect(await find([A, B, C])).toEqual(["reading", "reading", "unread"]);
  expect(await find([A, B, C])).toEqual(["reading", "reading", "unread"]);
  expect(await wished()).toEqual([
    [A, "one", 300],
    [B, "one", 300],
  ]);
});

test("a state follows from the record", async () => {
  await find([A, B]);
  await record(A, {});
  await record(B, { state: "searching" });
  await record(C, { is_plain: false });
  await record(D, { state: "left" });
  await record(E, { is_balanced: false });
  expect(await find([A, B, C, D, E], { is_wished: false })).toEqual([
    "read",
    "reading",
    "partial",
    "unread",
    "partial",
  ]);
});

test("one that is too large takes no other one's place, and is not wished again", async () => {
  await find([A, B, C]);
  await record(A, { state: "too_large" });
  expect(await find([A, B, C])).toEqual(["too_large", "reading", "reading"]);
  expect((await wished()).map(([subject]) => subject)).toEqual([A, B, C]);
  // Of six that are considered, all are too large.
  for (const one of [B, C, D, E, F]) await record(one, { state: "too_large" });
  expect((await find([A, B, C, D, E, F, G])).at(-1)).toBe("unread");
});

test("counterparties take half of an account's addresses, and other accounts have their own", async () => {
  await writeWishes(facts.writer, NETWORK, { subjects: [A, B, C, D], wish: "track", asked_by: "one" });
  // Four of ten are used: one more is the half.
  expect(await find([E, F])).toEqual(["reading", "refused"]);
  expect(await find([F, G])).toEqual(["refused", "refused"]);
  expect(await find([F, G], { account: "two" })).toEqual(["reading", "reading"]);
  // They are read now, for any account that wished them.
  expect(await find([F, G])).toEqual(["reading", "reading"]);
});
