import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { blockHash, blockRows, openTestFacts, type TestFacts, testAddress } from "../../test/facts_store.ts";
import { sized } from "../../test/long.ts";
import { toHex } from "../lib/bytes.ts";
import type { Snapshot } from "./facts.ts";
import type { TransfersRow } from "./tables.gen.ts";

let store: TestFacts;
beforeAll(async () => {
  store = await openTestFacts();
});
afterAll(() => store.close());

const [ALICE, BOB, TOKEN] = [testAddress(0xa11ce), testAddress(0xb0b), testAddress(0x70)];
const NONE = Buffer.alloc(0);
/** Every sum is a balance. */
const SOUND = { below_zero: 0, beyond: 0, doubtful: [] };

const transfer = (
  network: string,
  block_number: number,
  move: { from: Uint8Array; to: Uint8Array; amount: bigint; token?: Uint8Array; position?: number },
): TransfersRow => ({
  network,
  block_number,
  tx_index: 0,
  position: move.position ?? 0,
  time: 1_700_000_000 + block_number,
  kind: "erc20",
  token: move.token ?? TOKEN,
  token_id: 0n,
  source: move.from,
  destination: move.to,
  amount: move.amount,
  sender: move.from,
});

test("a wallet's balance is exact in the tail, at the boundary and in the past", async () => {
  const network = "exact";
  // Block 10: 100 minted to Alice. 12: Alice -> Bob 30. 13 (tail): Bob -> Alice 5. 14 (tail): Alice to herself 7.
  await store.seed(
    { network, from: 10, to: 12 },
    {
      transfers: [
        transfer(network, 10, { from: NONE, to: ALICE, amount: 100n }),
        transfer(network, 12, { from: ALICE, to: BOB, amount: 30n }),
      ],
    },
  );
  await store.writer.insert(
    "transfers",
    [
      transfer(network, 13, { from: BOB, to: ALICE, amount: 5n }),
      transfer(network, 14, { from: ALICE, to: ALICE, amount: 7n }),
    ],
    { is_tail: true },
  );
  await store.writer.insert("blocks", blockRows({ network, from: 13, to: 14 }), { is_tail: true });

  const at = async (block: number | null) => {
    const snapshot = await store.facts.snapshot(network, block);
    return store.facts.walletBalances(snapshot, toHex(ALICE));
  };
  const row = { token: toHex(TOKEN), first_block: 10 };
  expect(await at(null)).toEqual([{ ...row, amount: 75n, transfers: 4, last_block: 14 }]);
  expect(await at(13)).toEqual([{ ...row, amount: 75n, transfers: 3, last_block: 13 }]);
  expect(await at(12)).toEqual([{ ...row, amount: 70n, transfers: 2, last_block: 12 }]);
  expect(await at(11)).toEqual([{ ...row, amount: 100n, transfers: 1, last_block: 10 }]);

  const snapshot = await store.facts.snapshot(network, null);
  expect(snapshot).toMatchObject({
    block: { number: 14, hash: toHex(blockHash(14)) },
    final_block: 12,
    from_block: 10,
    coverage: { from_block: 10, to_block: 14, complete: true, gaps: [], logs: true, traces: true, verified: "full" },
  });
  expect(await store.facts.tokenHolders(snapshot, [toHex(TOKEN)], 10)).toEqual([
    [
      { holder: toHex(ALICE), amount: 75n },
      { holder: toHex(BOB), amount: 25n },
    ],
  ]);
  expect(await store.facts.holderCounts(snapshot, [toHex(TOKEN)])).toEqual([{ holders: 2, supply: 100n, ...SOUND }]);
  const past = await store.facts.snapshot(network, 11);
  expect(await store.facts.tokenHolders(past, [toHex(TOKEN)], 10)).toEqual([[{ holder: toHex(ALICE), amount: 100n }]]);
  const pairs = [
    { token: toHex(TOKEN), holder: toHex(BOB) },
    { token: "", holder: toHex(BOB) } as const,
    { token: toHex(TOKEN), holder: toHex(ALICE) },
  ];
  expect(await store.facts.balanceOf(snapshot, pairs)).toEqual([25n, 0n, 75n]);
  expect(await store.facts.balanceOf(past, pairs)).toEqual([0n, 0n, 100n]);
});

test("an opening balance counts once, however often it was written", async () => {
  const network = "opening";
  const opening = { network, holder: ALICE, token: TOKEN, amount: 1000n, block_number: 9 };
  await store.writer.insert("openings", [opening]);
  await store.writer.insert("openings", [opening]);
  await store.seed(
    { network, from: 10, to: 12 },
    { transfers: [transfer(network, 11, { from: ALICE, to: BOB, amount: 400n })] },
  );
  for (const block of [10, 12]) {
    const snapshot = await store.facts.snapshot(network, block);
    const alice = block === 10 ? 1000n : 600n;
    const [row] = await store.facts.walletBalances(snapshot, toHex(ALICE));
    expect(row?.amount).toBe(alice);
    const first = await store.facts.tokenHolders(snapshot, [toHex(TOKEN)], 1);
    expect(first).toEqual([[{ holder: toHex(ALICE), amount: alice }]]);
    expect(await store.facts.balanceOf(snapshot, [{ token: toHex(TOKEN), holder: toHex(ALICE) }])).toEqual([alice]);
    const counted = { holders: block === 10 ? 1 : 2, supply: 1000n, ...SOUND };
    expect(await store.facts.holderCounts(snapshot, [toHex(TOKEN)])).toEqual([counted]);
  }
});

const PROMOTIONS = sized({ slice: 5, long: 15 });

test("balances are exact at every moment of a promotion", async () => {
  // In every block Bob gets 1 from Alice, and Alice gets 3 from the void: at block n she holds 2n and he holds n.
  const network = "moments";
  const rows = (from: number, to: number) =>
    Array.from({ length: to - from + 1 }, (_, index) => [
      transfer(network, from + index, { from: NONE, to: ALICE, amount: 3n }),
      transfer(network, from + index, { from: ALICE, to: BOB, amount: 1n, position: 1 }),
    ]).flat();
  await store.seed({ network, from: 1, to: 10 }, { transfers: rows(1, 10) });
  await store.writer.insert("transfers", rows(11, 400), { is_tail: true });
  await store.writer.insert("blocks", blockRows({ network, from: 11, to: 400 }), { is_tail: true });

  const token = toHex(TOKEN);
  const questions: readonly ((snapshot: Snapshot) => Promise<readonly [unknown, (n: bigint) => unknown]>)[] = [
    async (snapshot) => [(await store.facts.walletBalances(snapshot, toHex(ALICE)))[0]?.amount, (n) => 2n * n],
    async (snapshot) => [
      (await store.facts.tokenHolders(snapshot, [token], 5)).flat().map(({ amount }) => amount),
      (n) => [2n * n, n],
    ],
    async (snapshot) => [await store.facts.balanceOf(snapshot, [{ token, holder: toHex(BOB) }]), (n) => [n]],
    async (snapshot) => [
      await store.facts.holderCounts(snapshot, [token]),
      (n) => [{ holders: 2, supply: 3n * n, ...SOUND }],
    ],
  ];
  let checked = 0;
  let is_done = false;
  const check = async (): Promise<void> => {
    for (let turn = 0; !is_done; turn += 1) {
      const snapshot = await store.facts.snapshot(network, [null, 200, 400, 15][turn % 4] ?? null);
      const [answer, expected] = (await questions[(turn >> 2) % 4]?.(snapshot)) ?? [];
      if (!(await store.facts.isCurrent(snapshot))) continue;
      expect(answer).toEqual(expected?.(BigInt(snapshot.block.number)));
      checked += 1;
    }
  };
  const checks = Promise.all([check(), check(), check()]);
  for (let from = 11; from < 11 + 8 * PROMOTIONS; from += 8) {
    await store.seed({ network, from, to: from + 7, first: 1 }, { transfers: rows(from, from + 7) });
    if (from % 3 === 0) await store.writer.dropPromoted(network, from + 7);
    const enough = checked + 2;
    await Promise.race([checks, vi.waitUntil(() => checked >= enough, { timeout: 60_000, interval: 2 })]);
  }
  is_done = true;
  await checks;
  expect(checked).toBeGreaterThanOrEqual(2 * PROMOTIONS);
});
