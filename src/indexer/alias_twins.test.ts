import { expect, test } from "vitest";
import { testAddress } from "../../test/facts_store.ts";
import { fixedChain } from "../../test/fixed_chain.ts";
import { EMPTY, hex, toHex } from "../lib/bytes.ts";
import { dropAliasTwins } from "./alias_twins.ts";
import type { BlockScope } from "./decode_scope.ts";
import { emptyRows, type TransfersRow } from "./rows.ts";

const [ALICE, BOB, OLD, NEW, COIN] = [1, 2, 3, 4, 5].map(testAddress) as [never, never, never, never, never];

const moved = (token: Uint8Array, amount: bigint, tx_index = 1): TransfersRow => ({
  ...{ network: "demo", block_number: 10, time: 1_700_000_010, tx_index, position: 0, kind: "erc20" },
  ...{ token, token_id: 0n, source: ALICE, destination: BOB, amount, sender: ALICE },
});

const aliases = [
  { token: hex(toHex(OLD)), same_as: hex(toHex(NEW)) },
  { token: hex(toHex(COIN)), same_as: "" as const },
];

/** The rows after a transaction whose logs begin at the second row. */
const keptOf = (transfers: TransfersRow[], known = aliases) => {
  const { network } = fixedChain({ network: { aliases: known } });
  const rows = { ...emptyRows(), transfers };
  // Of the scope only the network and the rows are read.
  dropAliasTwins({ network, rows } as unknown as BlockScope, 2);
  return rows.transfers.map(({ token, amount, tx_index }) => [toHex(token), amount, tx_index]);
};

const rowsOfBlock = (): TransfersRow[] => [
  moved(NEW, 8n, 0), // another transaction
  moved(EMPTY, 7n), // the value of the transaction
  moved(COIN, 7n), // which the alias of the coin logs too
  moved(OLD, 5n),
  moved(NEW, 5n), // the same movement as the row before
  moved(OLD, 5n), // a second one, which only the alias reports
  moved(OLD, 8n),
  moved(COIN, 9n),
];

test("a movement that an alias and the owner of the balance both report is one row, whichever comes first", () => {
  expect(keptOf(rowsOfBlock())).toEqual([
    [toHex(NEW), 8n, 0],
    ["", 7n, 1],
    [toHex(NEW), 5n, 1],
    [toHex(OLD), 5n, 1],
    [toHex(OLD), 8n, 1],
    [toHex(COIN), 9n, 1],
  ]);
});

test("a network without aliases keeps all rows", () => {
  expect(keptOf(rowsOfBlock(), [])).toHaveLength(8);
});
