import { expect, test } from "vitest";
import { massRows } from "../../test/facts_store.ts";
import { addressOf, bytesOf, transfersOf } from "../../test/value_rows.ts";
import { type Hex, hex } from "../lib/bytes.ts";

const SOURCE = hex("40".repeat(20));
const TOKEN = hex("70".repeat(20));
const OTHER = hex("80".repeat(20));

const sent = (token: Hex, receivers: number, from = 1) =>
  Array.from({ length: receivers }, (_, i) => ({
    kind: "erc20" as const,
    token,
    source: SOURCE,
    destination: addressOf(from + i),
    amount: 5n,
  }));
const native = (receivers: number) =>
  sent("", receivers).map((transfer) => ({ ...transfer, kind: "internal" as const }));

test("a token is sent out in mass if one transaction reaches more than a hundred addresses", () => {
  const rows = [
    ...transfersOf({ block: 100 }, SOURCE, sent(TOKEN, 100)), // one too few
    ...transfersOf({ block: 101 }, SOURCE, sent(TOKEN, 60)), // 120 in the block, 60 in each transaction
    ...transfersOf({ block: 101, tx_index: 1 }, SOURCE, sent(TOKEN, 60, 61)),
    ...transfersOf({ block: 102 }, SOURCE, [...sent(TOKEN, 90), ...sent(TOKEN, 90)]), // each of the 90 twice
    ...transfersOf({ block: 103 }, SOURCE, [...sent(TOKEN, 60), ...sent(OTHER, 60)]), // two tokens, 60 each
    ...transfersOf({ block: 104 }, SOURCE, native(150)), // the native coin is no token
    // 101 and 50: only the first is a mass. The same address again, and the void as the 102nd.
    ...transfersOf({ block: 105, tx_index: 7 }, SOURCE, [
      ...sent(TOKEN, 101),
      ...sent(OTHER, 50),
      ...sent(TOKEN, 1),
      { ...sent(TOKEN, 1)[0], kind: "erc20", token: TOKEN, source: SOURCE, destination: "", amount: 1n },
    ]),
  ];
  expect(massRows(rows)).toEqual([
    { network: "demo", block_number: 105, tx_index: 7, token: bytesOf(TOKEN), receivers: 102 },
  ]);
});
