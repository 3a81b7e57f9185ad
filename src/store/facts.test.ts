import { afterAll, beforeAll, expect, test } from "vitest";
import { blockHash, blockRows, openTestFacts, type TestFacts, testAddress } from "../../test/facts_store.ts";
import { toHex } from "../lib/bytes.ts";
import type { TransfersRow } from "./tables.gen.ts";

let store: TestFacts;
beforeAll(async () => {
  store = await openTestFacts();
});
afterAll(() => store.close());

const [ALICE, BOB, TOKEN] = [testAddress(0xa11ce), testAddress(0xb0b), testAddress(0x70)];
const NONE = Buffer.alloc(0);

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
  tx_hash: blockHash(block_number),
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
      transfers_final: [
        transfer(network, 10, { from: NONE, to: ALICE, amount: 100n }),
        transfer(network, 12, { from: ALICE, to: BOB, amount: 30n }),
      ],
    },
  );
  await store.writer.insert("transfers_head", [
    transfer(network, 13, { from: BOB, to: ALICE, amount: 5n }),
    transfer(network, 14, { from: ALICE, to: ALICE, amount: 7n }),
  ]);
  await store.writer.insert("blocks_head", blockRows({ network, from: 13, to: 14 }));

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
    coverage: { from_block: 10, to_block: 14, complete: true, gaps: [], logs: true, traces: true },
  });
  expect(await store.facts.tokenHolders(snapshot, toHex(TOKEN), { limit: 10, offset: 0 })).toEqual([
    { holder: toHex(ALICE), amount: 75n },
    { holder: toHex(BOB), amount: 25n },
  ]);
  expect(await store.facts.holderCount(snapshot, toHex(TOKEN))).toEqual({ holders: 2, supply: 100n });
  const past = await store.facts.snapshot(network, 11);
  expect(await store.facts.tokenHolders(past, toHex(TOKEN), { limit: 10, offset: 0 })).toEqual([
    { holder: toHex(ALICE), amount: 100n },
  ]);
  const pairs = [
    { token: toHex(TOKEN), holder: toHex(BOB) },
    { token: "", holder: toHex(BOB) },
    { token: toHex(TOKEN), holder: toHex(ALICE) },
  ];
  expect(await store.facts.balanceOf(snapshot, pairs)).toEqual([25n, 0n, 75n]);
  expect(await store.facts.balanceOf(past, pairs)).toEqual([0n, 0n, 100n]);
});
