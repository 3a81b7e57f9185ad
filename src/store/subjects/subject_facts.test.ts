import { expect, test } from "vitest";
import { hex } from "../../lib/bytes.ts";
import type { Facts, QueryName } from "../facts.ts";
import { QUERIES } from "../queries.gen.ts";
import { QUERY_RULES } from "./query_rules.ts";
import type { SubjectRecord } from "./records.ts";
import type { SubjectCall } from "./subject_call.ts";
import { openSubjectFacts } from "./subject_facts.ts";

const ALICE = hex("00000000000000000000000000000000000000a1");
const BOB = hex("00000000000000000000000000000000000000b0");
const signal = new AbortController().signal;
/** A block every 12 seconds. */
const timeOf = (number: number): number => 1_000 + 12 * number;
const hashOf = (number: number) => hex(number.toString(16).padStart(64, "0"));

const record = (subject: typeof ALICE, to_block: number, more: Partial<SubjectRecord> = {}): SubjectRecord => ({
  ...{ subject, state: "read", from_block: 0, to_block, to_hash: hashOf(to_block), to_time: timeOf(to_block) },
  ...{ wished_ms: 5, is_plain: true, is_balanced: true, verified: "full", untraced: [], found: 1, fetched: 1 },
  ...{ requests: 9, problem: "", rewrites: 0, is_rewriting: false, head: null, ...more },
});

/** Facts that answer each query with one row of its name. */
const stored = (): { readonly facts: Facts; readonly asked: string[] } => {
  const asked: string[] = [];
  const facts = {
    withSignal: () => facts,
    snapshot: async (network: string) => ({ network, is_whole: true }),
    isCurrent: async () => true,
    ask: async (_: unknown, query: string) => {
      asked.push(query);
      return [{ query }];
    },
    balanceOf: async (_: unknown, pairs: readonly unknown[]) => pairs.map(() => 7n),
    walletBalances: async () => [],
    tokenHolders: async () => [],
    holderCounts: async () => [],
  };
  // Only these members are used.
  return { facts: facts as unknown as Facts, asked };
};

const callOf = (records: readonly SubjectRecord[], more: Partial<SubjectCall> = {}): SubjectCall => ({
  tool: "get_wallet_stats",
  isOnDemand: (network) => network === "demand",
  subjectsOn: () => records.map(({ subject }) => subject),
  whenRead: async () => records,
  whenPriced: async () => [],
  has_counterparties: false,
  are_tokens: false,
  counterparties: async () => new Map(),
  poolsOf: async () => [],
  recordsOf: async () => records,
  whenHeld: async () => 1,
  heldSince: async () => 1,
  ends: async () => ({ newest: { number: 900, hash: hashOf(900), time: timeOf(900) }, from_block: 3 }),
  tailOf: async () => [],
  ref: async (_, number) => (number > 1_000 ? null : { number, hash: hashOf(number), time: timeOf(number) }),
  ...more,
});

const open = (records: readonly SubjectRecord[], more: Partial<SubjectCall> = {}) => {
  const { facts, asked } = stored();
  return { facts: openSubjectFacts(facts, callOf(records, more), signal), asked };
};

test("the snapshot of several addresses ends where the first of them ends", async () => {
  const { facts } = open([record(ALICE, 900), record(BOB, 850, { verified: "receipts", untraced: [[10, 20]] })]);
  expect(await facts.snapshot("demand", null)).toMatchObject({
    ...{
      block: { number: 850, hash: hashOf(850), time: timeOf(850) },
      final_block: 850,
      from_block: 0,
      settled_to: -1,
    },
    coverage: {
      from_block: 0,
      to_block: 850,
      complete: true,
      traces: false,
      trace_gaps: [[10, 20]],
      verified: "receipts",
    },
    followed: { is_plain: true },
  });
});

test("other networks are read as ever", async () => {
  const { facts, asked } = open([record(ALICE, 900)]);
  expect(await facts.snapshot("whole", null)).toEqual({ network: "whole", is_whole: true });
  const snapshot = await facts.snapshot("whole", null);
  await facts.ask(snapshot, "newest_sender", {});
  expect(asked).toEqual(["newest_sender"]);
});

test.each([
  ["a contract", { is_plain: false }],
  ["movements that do not add up", { is_balanced: false }],
  ["a history that begins late", { from_block: 5 }],
])("%s is not covered completely", async (_, more) => {
  const { facts } = open([record(ALICE, 900, more)]);
  expect((await facts.snapshot("demand", null)).coverage.complete).toBe(false);
});

test("movements that do not add up without inner calls are complete except for these", async () => {
  const { facts } = open([record(ALICE, 900, { is_balanced: false, untraced: [[0, 900]] })]);
  const { coverage } = await facts.snapshot("demand", null);
  expect([coverage.complete, coverage.traces]).toEqual([true, false]);
});

test("a block or a moment of the past comes from the node", async () => {
  const { facts } = open([record(ALICE, 900)]);
  expect(await facts.snapshot("demand", 700)).toMatchObject({
    block: { number: 700, time: timeOf(700) },
    is_past: true,
  });
  // 12 seconds a block: the last one up to 5 seconds after block 321 is block 321.
  const moment = { text: "then", until: timeOf(321) + 5 };
  expect((await facts.snapshot("demand", moment)).block.number).toBe(321);
  await expect(facts.snapshot("demand", 901)).rejects.toMatchObject({ code: "COVERAGE_INCOMPLETE" });
  await expect(facts.snapshot("demand", { text: "later", until: timeOf(950) })).rejects.toMatchObject({
    code: "COVERAGE_INCOMPLETE",
  });
});

test("times of blocks that are not stored come from the node", async () => {
  const { facts } = open([record(ALICE, 900)]);
  const snapshot = await facts.snapshot("demand", null);
  expect(await facts.ask(snapshot, "block_at_time", { time: timeOf(400) + 11 })).toEqual([
    { block_number: 400, hash: hashOf(400), time: timeOf(400) },
  ]);
  expect(await facts.ask(snapshot, "block_at_time", { time: 3 })).toEqual([]);
});

test("times before the history are not requested from the node", async () => {
  const asked: number[] = [];
  const ref = async (_: string, number: number) => {
    asked.push(number);
    return { number, hash: hashOf(number), time: timeOf(number) };
  };
  const { facts } = open([record(ALICE, 900, { from_block: 500 })], { ref });
  const snapshot = await facts.snapshot("demand", null);
  await facts.ask(snapshot, "block_times", { blocks: [499, 500, 901] });
  expect(asked).toEqual([500]);
});

test("queries are about the addresses of the call alone", async () => {
  const { facts, asked } = open([record(ALICE, 900)]);
  const snapshot = await facts.snapshot("demand", null);
  const window = { since: 0, until: 9 };
  expect(await facts.ask(snapshot, "stats/deployed", { wallet: ALICE, ...window })).toHaveLength(1);
  const refused = { code: "NOT_ON_DEMAND" };
  await expect(facts.ask(snapshot, "stats/deployed", { wallet: BOB, ...window })).rejects.toMatchObject(refused);
  await expect(facts.ask(snapshot, "position_events_among", { subjects: [ALICE, BOB] })).rejects.toMatchObject(refused);
  await expect(facts.ask(snapshot, "newest_sender", {})).rejects.toMatchObject(refused);
  expect(await facts.ask(snapshot, "freeze_watches", {})).toEqual([]);
  expect(asked).toEqual(["stats/deployed"]);
  expect(await facts.balanceOf(snapshot, [{ token: hex(""), holder: ALICE }])).toEqual([7n]);
  expect(() => facts.balanceOf(snapshot, [{ token: hex(""), holder: BOB }])).toThrow(/get_wallet_stats needs facts/);
  expect(() => facts.walletBalances(snapshot, BOB)).toThrow(/more than the addresses/);
  expect(() => facts.tokenHolders(snapshot, [ALICE], 3)).toThrow(/more than the addresses/);
  expect(() => facts.holderCounts(snapshot, [ALICE])).toThrow(/more than the addresses/);
});

test("a call that needs rows of no address sees the node's newest final block, and no sum of any address", async () => {
  const held: number[] = [];
  const { facts, asked } = open([], {
    whenHeld: async (_, block) => held.push(block),
    // The network follows others.
    recordsOf: async () => [record(ALICE, 900)],
  });
  const snapshot = await facts.snapshot("demand", null);
  expect(snapshot).toMatchObject({
    ...{ block: { number: 900, hash: hashOf(900) }, final_block: 900, from_block: 3, settled_to: 2 },
    coverage: { from_block: 900, to_block: 900, complete: false, logs: false, traces: false, verified: "none" },
    followed: { addresses: [] },
  });
  expect((await facts.snapshot("demand", 700)).block).toMatchObject({ number: 700, time: timeOf(700) });
  expect(await facts.isCurrent(snapshot)).toBe(true);
  const refused = { code: "NOT_ON_DEMAND" };
  await expect(facts.ask(snapshot, "stats/deployed", { wallet: ALICE, since: 0, until: 9 })).rejects.toMatchObject(
    refused,
  );
  expect(() => facts.balanceOf(snapshot, [{ token: hex(""), holder: ALICE }])).toThrow(/more than the addresses/);
  expect(() => facts.walletBalances(snapshot, ALICE)).toThrow(/more than the addresses/);
  expect(await facts.ask(snapshot, "reading/place", { hash: hashOf(1) })).toHaveLength(1);
  expect(asked).toEqual(["reading/place"]);
  // Final blocks of the network alone are stored.
  for (const block of [2, 3, 900, 901]) await facts.hold(snapshot, block);
  expect(held).toEqual([3, 900]);
});

test("rows of a counterparty answer after it was found to be read, up to the block where it ends", async () => {
  const { facts, asked } = open([record(ALICE, 900)], {
    counterparties: async (_, addresses) =>
      new Map(addresses.map((one) => [one, { state: "read" as const, record: record(one, 900) }])),
  });
  const snapshot = await facts.snapshot("demand", null);
  const behind = { addresses: [BOB], wrapped: "", per_address: 9 } as const;
  await expect(facts.ask(snapshot, "risk/walk", behind)).rejects.toMatchObject({ code: "NOT_ON_DEMAND" });
  expect(await facts.readStates?.(snapshot, [BOB])).toEqual(new Map([[BOB, "read"]]));
  expect(await facts.withSignal(signal).ask(snapshot, "risk/walk", behind)).toHaveLength(1);
  const later = { ...snapshot, block: { ...snapshot.block, number: 901 } };
  await expect(facts.ask(later, "risk/walk", behind)).rejects.toMatchObject({ code: "NOT_ON_DEMAND" });
  // Sums of all holders stay refused.
  expect(() => facts.tokenHolders(snapshot, [BOB], 3)).toThrow(/more than the addresses/);
  expect(asked).toEqual(["risk/walk"]);
});

test("a tool with counterparties answers at the block that all followed addresses have in common, unless it names one", async () => {
  const { facts } = open([record(ALICE, 900)], {
    has_counterparties: true,
    recordsOf: async () => [record(ALICE, 900), record(BOB, 890)],
  });
  expect((await facts.snapshot("demand", null)).block).toEqual({ number: 890, hash: hashOf(890), time: timeOf(890) });
  expect((await facts.snapshot("demand", 900)).block.number).toBe(900);
});

test("a tool that names no addresses gets the rows of one that is read, at its block, and otherwise the reason", async () => {
  const states = new Map([[BOB, { state: "read" as const, record: record(BOB, 900, { wished_ms: 7 }) }]]);
  const { facts } = open([], { counterparties: async () => states });
  const movements = { wallet: BOB, since: 0, until: 9 } as never;
  await expect(facts.ask(await facts.snapshot("demand", 800), "movements/movements", movements)).rejects.toMatchObject({
    code: "NOT_ON_DEMAND",
  });
  const snapshot = await facts.snapshotAbout?.("demand", BOB, 800);
  if (typeof snapshot !== "object") throw new Error(`Bob is ${snapshot}`);
  expect(snapshot).toMatchObject({ block: { number: 800 }, final_block: 900, followed: { addresses: [BOB] } });
  expect(await facts.ask(snapshot, "movements/movements", movements)).toHaveLength(1);
  expect(await facts.snapshotAbout?.("demand", BOB, 901)).toBe("reading");
  expect(await facts.snapshotAbout?.("demand", ALICE, 800)).toBe("unread");
});

test("a tool that names no addresses gets no snapshot", async () => {
  const { facts } = open([], { subjectsOn: () => null });
  await expect(facts.snapshot("demand", null)).rejects.toMatchObject({ code: "NOT_ON_DEMAND" });
});

test("a snapshot is no longer current when its address is read again", async () => {
  let now = [record(ALICE, 900)];
  const { facts } = open([record(ALICE, 900)], { recordsOf: async () => now });
  const snapshot = await facts.snapshot("demand", null);
  expect(await facts.isCurrent(snapshot)).toBe(true);
  now = [record(ALICE, 950)];
  expect(await facts.isCurrent(snapshot)).toBe(true);
  now = [record(ALICE, 950, { wished_ms: 6 })];
  expect(await facts.isCurrent(snapshot)).toBe(false);
  now = [record(ALICE, 950, { state: "searching" })];
  expect(await facts.isCurrent(snapshot)).toBe(false);
  now = [];
  expect(await facts.isCurrent(snapshot)).toBe(false);
});

test("a snapshot is no longer current when rows that the call used are written again", async () => {
  let now = [record(ALICE, 900), record(BOB, 900)];
  let since: number | null = 7;
  const openNow = () =>
    open([record(ALICE, 900)], {
      has_counterparties: true,
      recordsOf: async (_, asked) => now.filter(({ subject }) => asked.length === 0 || asked.includes(subject)),
      counterparties: async () => new Map([[BOB, { state: "read" as const, record: record(BOB, 900) }]]),
      whenHeld: async () => 7,
      heldSince: async () => since,
    }).facts;
  const facts = openNow();
  const snapshot = await facts.snapshot("demand", null);
  // The call has not used Bob's rows yet.
  now = [record(ALICE, 900), record(BOB, 900, { rewrites: 1 })];
  expect(await facts.isCurrent(snapshot)).toBe(true);
  await facts.readStates?.(snapshot, [BOB]);
  expect(await facts.isCurrent(snapshot)).toBe(false);
  now = [record(ALICE, 900), record(BOB, 900, { state: "reading", is_rewriting: true })];
  expect(await facts.isCurrent(snapshot)).toBe(false);
  now = [record(ALICE, 900), record(BOB, 930)];
  expect(await facts.isCurrent(snapshot)).toBe(true);
  await facts.hold(snapshot, 800);
  since = null;
  expect(await facts.isCurrent(snapshot)).toBe(false);
  since = 7;
  expect(await facts.isCurrent(snapshot)).toBe(true);
  now = [record(ALICE, 900, { rewrites: 1 }), record(BOB, 930)];
  expect(await facts.isCurrent(snapshot)).toBe(false);
  // Caches tell rows of both addresses apart by it.
  now = [record(ALICE, 900), record(BOB, 900, { rewrites: 2 })];
  expect([snapshot.rewrites, (await openNow().snapshot("demand", null)).rewrites]).toEqual([0, 2]);
});

test("rules name parameters that their queries have", () => {
  const strange = Object.entries(QUERY_RULES).flatMap(([query, rule]) =>
    // The keys of QUERY_RULES are queries.
    typeof rule !== "object"
      ? []
      : ("about" in rule ? rule.about : rule.of).filter((name) => !(name in QUERIES[query as QueryName].params)),
  );
  expect(strange).toEqual([]);
});
