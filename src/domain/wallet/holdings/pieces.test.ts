import { afterAll, beforeAll, expect, test } from "vitest";
import { openTestFacts, type TestFacts, testAddress } from "../../../../test/facts_store.ts";
import { toHex } from "../../../lib/bytes.ts";
import type { TransfersRow } from "../../../store/tables.gen.ts";
import { PIECES_MAX, piecesOf } from "./pieces.ts";

const network = "pieces";
const [ART, CARDS, LARGE] = [testAddress(1), testAddress(2), testAddress(3)];
const [COIN, WALLET, OTHER] = [testAddress(4), testAddress(5), testAddress(6)];
const HUGE = 2n ** 256n - 1n;

const moves: { token: Uint8Array; kind: TransfersRow["kind"]; token_id: bigint; amount: bigint; is_in: boolean }[] = [];
const move = (
  kind: TransfersRow["kind"],
  token: Uint8Array,
  [token_id, amount]: readonly [bigint, bigint],
  is_in = true,
): void => {
  moves.push({ kind, token, token_id, amount, is_in });
};
for (const id of [3n, 77n, HUGE]) move("erc721", ART, [id, 1n]);
move("erc721", ART, [3n, 1n], false); // sent away
move("erc721", ART, [77n, 1n], false);
move("erc721", ART, [77n, 1n]); // and received again
move("erc1155", CARDS, [1n, 5n]);
move("erc1155", CARDS, [2n, 5n]);
move("erc1155", CARDS, [1n, 4n], false); // one is left
move("erc1155", CARDS, [2n, 5n], false); // none is left
move("erc20", COIN, [0n, 9n]);
for (let id = 0n; id < PIECES_MAX + 3; id += 1n) move("erc721", LARGE, [id, 1n]);

let store: TestFacts;
beforeAll(async () => {
  store = await openTestFacts();
  await store.seed(
    { network, from: 1, to: moves.length },
    {
      transfers: moves.map(({ is_in, ...moved }, i) => ({
        ...{ ...moved, network, block_number: i + 1, tx_index: 0, position: 0, time: 1_700_000_000 + i, sender: OTHER },
        ...(is_in ? { source: OTHER, destination: WALLET } : { source: WALLET, destination: OTHER }),
      })),
    },
  );
});
afterAll(() => store.close());

const held = async (at: number | null) => {
  const snapshot = await store.facts.snapshot(network, at);
  const asked = [ART, CARDS, LARGE, COIN].map(toHex);
  return piecesOf({ facts: store.facts, snapshot }, toHex(WALLET), asked);
};

test("lists the pieces that are left, the last received first, and none of other tokens", async () => {
  const pieces = await held(null);
  expect(pieces.get(toHex(ART))).toEqual([77n, HUGE]);
  expect(pieces.get(toHex(CARDS))).toEqual([1n]);
  expect(pieces.has(toHex(COIN))).toBe(false);
  const large = pieces.get(toHex(LARGE)) ?? [];
  expect([large.length, large[0], large.at(-1)]).toEqual([PIECES_MAX, BigInt(PIECES_MAX) + 2n, 3n]);
});

test("lists the pieces of a past block", async () => {
  const pieces = await held(4);
  expect(pieces.get(toHex(ART))).toEqual([HUGE, 77n]);
  expect(pieces.has(toHex(CARDS))).toBe(false);
});
