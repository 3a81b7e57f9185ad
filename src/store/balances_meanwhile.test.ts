import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { blockRows, openTestFacts, type TestFacts, testAddress } from "../../test/facts_store.ts";
import { eachNth } from "../../test/long.ts";
import { hex, toHex } from "../lib/bytes.ts";
import { querySums } from "./balances.ts";
import type { Snapshot } from "./facts.ts";
import type { TransfersRow } from "./tables.gen.ts";

/** Balances while segments are written, and which questions they take. */

let store: TestFacts;
beforeAll(async () => {
  store = await openTestFacts();
});
afterAll(() => store.close());

const [ALICE, BOB, TOKEN] = [testAddress(0xa11ce), testAddress(0xb0b), testAddress(0x70)];
const NONE = Buffer.alloc(0);

/** In every block Bob gets 1 from Alice, and Alice gets 3 from the void: at block n she holds 2n and he holds n. */
const growing = (network: string, from: number, to: number): TransfersRow[] =>
  Array.from({ length: to - from + 1 }, (_, index) => {
    const block_number = from + index;
    const row = { network, block_number, tx_index: 0, time: 1_700_000_000 + block_number, kind: "erc20" as const };
    const moved = { ...row, token: TOKEN, token_id: 0n, destination: ALICE, sender: ALICE };
    return [
      { ...moved, position: 0, source: NONE, amount: 3n },
      { ...moved, position: 1, source: ALICE, destination: BOB, amount: 1n },
    ];
  }).flat();

/** Runs a hook at the read of the sums, before or after it. */
const interrupt = (at: "before" | "after", meanwhile: () => Promise<void>) => {
  const { query } = store.engine;
  const spied = vi.spyOn(store.engine, "query").mockImplementation(async (sql, options) => {
    if (!/FROM balances(_by_holder)?\b/.test(sql)) return query(sql, options);
    spied.mockRestore();
    if (at === "before") await meanwhile();
    const rows = await query(sql, options);
    if (at === "after") await meanwhile();
    return rows;
  });
};

/** Balances of Alice and Bob at a block: by pairs, Alice as a wallet, by rank, and their count. */
const heldAt = async (network: string, block: number) => {
  const snapshot = await store.facts.snapshot(network, block);
  return await heldIn(snapshot);
};

const heldIn = async (snapshot: Snapshot) => {
  const token = toHex(TOKEN);
  const pairs = [ALICE, BOB].map((holder) => ({ token, holder: toHex(holder) }));
  const balances = await store.facts.balanceOf(snapshot, pairs);
  const rows = await store.facts.walletBalances(snapshot, toHex(ALICE));
  const [ranked = []] = await store.facts.tokenHolders(snapshot, [token], 5);
  const counts = await store.facts.holderCounts(snapshot, [token]);
  const counted = counts.flatMap(({ holders, supply }) => [holders, supply]);
  return [...balances, ...rows.map(({ amount }) => amount), ...ranked.map(({ amount }) => amount), ...counted];
};

/** The result of `growing`. */
const grown = (block: number) => {
  const [alice, bob] = [2n * BigInt(block), BigInt(block)];
  return [alice, bob, alice, alice, bob, 2, alice + bob];
};

const questions: readonly ((snapshot: Snapshot) => Promise<unknown>)[] = [
  (snapshot) => store.facts.balanceOf(snapshot, [{ token: toHex(TOKEN), holder: toHex(BOB) }]),
  (snapshot) => store.facts.walletBalances(snapshot, toHex(BOB)),
  (snapshot) => store.facts.tokenHolders(snapshot, [toHex(TOKEN)], 5),
  (snapshot) => store.facts.holderCounts(snapshot, [toHex(TOKEN)]),
];

test.each([
  ["before", 20],
  ["before", 15],
  ["before", 10],
  ["after", 20],
  ["after", 15],
] as const)("a segment that is finished right %s the sums are read counts once at block %i", async (at, block) => {
  // Behind the sums, among them and at their end: in a slice one of the questions each, in turn.
  for (const [nth, ask] of eachNth([...questions.entries()], 4, (block / 5 + (at === "after" ? 1 : 0)) % 4)) {
    const network = `finished-${at}-${block}-${nth}`;
    await store.seed({ network, from: 1, to: 10 }, { transfers: growing(network, 1, 10) });
    await store.writer.insert("transfers", growing(network, 11, 20), { is_tail: true });
    await store.writer.insert("blocks", blockRows({ network, from: 11, to: 20 }), { is_tail: true });
    const snapshot = await store.facts.snapshot(network, block);
    const answer = await ask(snapshot);
    interrupt(at, () => store.seed({ network, from: 11, to: 18, first: 1 }, { transfers: growing(network, 11, 18) }));
    expect(await ask(snapshot)).toEqual(answer);
    expect(await heldIn(snapshot)).toEqual(grown(block));
    expect(await heldAt(network, block)).toEqual(grown(block));
  }
});

test("lists the largest of many holders", async () => {
  const network = "largest";
  await store.seed({ network, from: 1, to: 10 }, { transfers: growing(network, 1, 10) });
  const snapshot = await store.facts.snapshot(network, null);
  const first = { holder: toHex(ALICE), amount: 20n };
  expect(await store.facts.tokenHolders(snapshot, [toHex(TOKEN)], 1)).toEqual([[first]]);
  const others = ["70aa", toHex(TOKEN)].map(hex);
  expect(await store.facts.tokenHolders(snapshot, others, 5)).toEqual([
    [],
    [first, { holder: toHex(BOB), amount: 10n }],
  ]);
});

test("stops repeating a query whose sums reach another block each time", async () => {
  const network = "restless";
  await store.seed({ network, from: 1, to: 10 }, { transfers: growing(network, 1, 10) });
  const snapshot = await store.facts.snapshot(network, null);
  let above = 1;
  const restless = querySums("token_holders", { ...snapshot, block: { ...snapshot.block, number: 99 } }, async () => {
    above += 1;
    return [
      { token: "", holders: 0, supply: 0n, below_zero: 0, beyond: 0, doubtful: [], largest: [], amounts: [], above },
    ];
  });
  await expect(restless).rejects.toMatchObject({ code: "FACTS_UNAVAILABLE", retryable: true });
});

/** The rows of a segment that is being written, `stage` of the way. */
const write = async (network: string, [from, to]: readonly [number, number], stage: "rows" | "sums"): Promise<void> => {
  await store.writer.insert("transfers", growing(network, from, to));
  await store.writer.insert("blocks", blockRows({ network, from, to }));
  await store.writer.finals.writeLayouts({ network, from, to }, { is_fresh: true });
  if (stage === "sums") await store.writer.finals.writeBalances({ network, from, to }, { is_fresh: true });
};

test("a segment whose sums have entered before it is done changes no older balance", async () => {
  const network = "ahead";
  await store.seed({ network, from: 1, to: 10 }, { transfers: growing(network, 1, 10) });
  await write(network, [11, 18], "sums");
  for (const block of [10, 5]) expect(await heldAt(network, block)).toEqual(grown(block));
});

test("does not subtract a gap that is being filled after a block from its balances", async () => {
  const network = "gap";
  await store.seed({ network, from: 1, to: 5 }, { transfers: growing(network, 1, 5) });
  await store.seed({ network, from: 21, to: 30, first: 1 }, { transfers: growing(network, 21, 30) });
  for (const stage of ["rows", "sums"] as const) {
    expect(await heldAt(network, 3)).toEqual(grown(3));
    if (stage === "rows") await write(network, [6, 20], "rows");
    else await store.writer.finals.writeBalances({ network, from: 6, to: 20 }, { is_fresh: true });
  }
  expect(await heldAt(network, 3)).toEqual(grown(3));
});

test("subtracts movements after a block from the sums of pairs instead of reading those before it", async () => {
  const network = "taken";
  await store.seed({ network, from: 1, to: 100 }, { transfers: growing(network, 1, 100) });
  const snapshot = await store.facts.snapshot(network, 98);
  expect(snapshot.settled_to).toBe(100);
  const asked = vi.spyOn(store.engine, "query");
  const pairs = [ALICE, BOB].map((holder) => ({ token: toHex(TOKEN), holder: toHex(holder) }));
  expect(await store.facts.balanceOf(snapshot, pairs)).toEqual([196n, 98n]);
  const moves = asked.mock.calls.find(([sql]) => sql.includes("FROM ledger"));
  expect(moves?.[1]?.params).toMatchObject({ rest_from: "99", rest_to: "100", rest_sign: "-1" });
  asked.mockRestore();
});

test("reads no movements for a balance that its sums cover", async () => {
  const network = "whole";
  await store.seed({ network, from: 1, to: 10 }, { transfers: growing(network, 1, 10) });
  const snapshot = await store.facts.snapshot(network, null);
  const asked = vi.spyOn(store.engine, "query");
  await store.facts.walletBalances(snapshot, toHex(ALICE));
  const tables = asked.mock.calls.map(([sql]) => /FROM (balances_by_holder|ledger|openings)\b/.exec(sql)?.[1]);
  expect(tables.sort()).toEqual(["balances_by_holder", "openings"]);
  asked.mockRestore();
});
