import { expect, test } from "vitest";
import { massRows, openTestFacts } from "../../test/facts_store.ts";
import { addressOf, bytesOf, transfersOf } from "../../test/value_rows.ts";
import { type Hex, hex } from "../lib/bytes.ts";
import { readMigrations } from "../store/migrate.ts";
import { splitStatements } from "../store/sql_text.ts";

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

test("a token is sent out in mass when one transaction reaches more than a hundred addresses", () => {
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

test("facts that were indexed before there was the table are looked through once", async () => {
  const store = await openTestFacts();
  try {
    const transfers_final = [
      ...transfersOf({ block: 100 }, SOURCE, sent(TOKEN, 100)),
      ...transfersOf({ block: 101, tx_index: 3 }, SOURCE, [...sent(TOKEN, 101), ...sent(OTHER, 7)]),
      ...transfersOf({ block: 102 }, SOURCE, [...sent(TOKEN, 90), ...sent(TOKEN, 90)]),
    ];
    await store.seed({ network: "demo", from: 100, to: 102 }, { transfers_final });
    await store.engine.command("TRUNCATE TABLE mass_transfers_final");
    const [, , , , backfill] = splitStatements(readMigrations().find(({ number }) => number === 8)?.text ?? "");
    const found = async () => {
      await store.engine.command(backfill ?? "");
      return store.query("SELECT network, hex(token), block_number, tx_index, receivers FROM mass_transfers_final");
    };
    const only = [["demo", TOKEN, "101", 3, 101]];
    expect(await found()).toEqual(only);
    expect(await found()).toEqual(only);
  } finally {
    await store.close();
  }
});
