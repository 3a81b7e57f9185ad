import { expect, test } from "vitest";
import { fixedChain } from "../../test/fixed_chain.ts";
import { fromHex, type Hex, hex, toHex } from "../lib/bytes.ts";
import { type ApprovalsRow, emptyRows, type TransfersRow } from "./rows.ts";
import { openKindSettler } from "./settle_kinds.ts";

const address = (digits: string): Hex => hex(digits.repeat(20));
const [COIN, COLLECTION, HYBRID, ACCOUNT, STRANGER] = ["c1", "c2", "c3", "c4", "c5"].map(address) as [
  Hex,
  Hex,
  Hex,
  Hex,
  Hex,
];
const STANDARDS: ReadonlyMap<Hex, string> = new Map([
  [COIN, "erc20"],
  [COLLECTION, "erc721"],
  [HYBRID, "erc404"],
  [ACCOUNT, "account"],
]);

const bytes = (text: Hex): Uint8Array => fromHex(text) ?? new Uint8Array(0);
const place = { network: "demo", block_number: 7, time: 1, tx_index: 0 };
const moved = (token: Hex, change: Partial<TransfersRow>): TransfersRow => ({
  ...{ ...place, position: 1, kind: "erc20", token: bytes(token), token_id: 0n, amount: 9n },
  ...{ source: bytes(address("a1")), destination: bytes(address("b1")), sender: bytes(address("a1")) },
  ...change,
});
const approved = (token: Hex, kind: ApprovalsRow["kind"], spender: Uint8Array): ApprovalsRow => ({
  ...{ ...place, tx_hash: bytes(hex("01".repeat(32))), log_index: 1, kind, token: bytes(token), spender },
  ...{ owner: bytes(address("a1")), amount: 9n },
});

const settle = async (rows: Partial<ReturnType<typeof emptyRows>>) => {
  const all = { ...emptyRows(), ...rows };
  const asked: Hex[] = [];
  const tokens = {
    standards: async (wanted: readonly Hex[]) => {
      asked.push(...wanted);
      return STANDARDS;
    },
  };
  await openKindSettler(fixedChain(), tokens)(all, AbortSignal.timeout(5_000));
  return { all, asked };
};

test("rows take the kind of their token, keep their order, and one lookup finds each token", async () => {
  const { all, asked } = await settle({
    transfers: [
      moved(COLLECTION, { position: 1 }),
      moved(COIN, { position: 2, kind: "erc721", token_id: 70n, amount: 1n }),
      moved(HYBRID, { position: 3 }),
      moved(HYBRID, { position: 4, kind: "erc721", token_id: 2n, amount: 1n }),
      moved(ACCOUNT, { position: 5 }),
      moved(STRANGER, { position: 6, is_bare: true }),
      moved(COLLECTION, { position: 7, is_bare: true, amount: 1_002n }),
      moved(COIN, { position: 8, is_bare: true }),
      moved(hex(""), { position: 9, kind: "native" }),
    ],
  });
  expect(all.transfers.map((row) => [row.position, row.kind, row.token_id, row.amount])).toEqual([
    [1, "erc721", 9n, 1n],
    [2, "erc20", 0n, 70n],
    [3, "erc20", 0n, 9n],
    [7, "erc721", 1_002n, 1n],
    [8, "erc20", 0n, 9n],
    [9, "native", 0n, 9n],
  ]);
  expect(all.transfers.some((row) => "is_bare" in row)).toBe(false);
  expect(asked.sort()).toEqual([COIN, COLLECTION, HYBRID, ACCOUNT, STRANGER].sort());
});

test("an approval of a piece and one of an amount differ by the token", async () => {
  const { all } = await settle({
    approvals: [
      approved(COLLECTION, "erc20", new Uint8Array(20)),
      approved(COIN, "erc721", new Uint8Array(0)),
      approved(COLLECTION, "for_all", bytes(address("b1"))),
    ],
  });
  expect(all.approvals.map(({ kind, spender }) => [kind, toHex(spender)])).toEqual([
    ["erc721", ""],
    ["erc20", "00".repeat(20)],
    ["for_all", "b1".repeat(20)],
  ]);
});
