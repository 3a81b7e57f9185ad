import { expect, test } from "vitest";
import { withBounds } from "./bounds.ts";

const IN_RANGE = "block_number BETWEEN {from_block:UInt64} AND {to_block:UInt64} AND ";
const bounds = (of: string, name: string, range: string) =>
  `${range === "" ? "" : `${of}${range}`}(${of}_table = '${name}_final') = (${of}block_number <= {final_block:UInt64})`;

test("a read gets the snapshot's range and its side of the boundary, in front of its own conditions", () => {
  expect(withBounds("SELECT l.peer FROM ledger AS l WHERE l.network = {network:String} ORDER BY l.peer")).toBe(
    `SELECT l.peer FROM ledger AS l WHERE ${bounds("l.", "ledger", IN_RANGE)} AND l.network = {network:String} ORDER BY l.peer`,
  );
});

test("a read without conditions gets them, also after PREWHERE and in parentheses", () => {
  const bound = bounds("c.", "contracts", IN_RANGE);
  expect(withBounds("SELECT 1 WHERE x IN (SELECT c.a FROM contracts AS c PREWHERE c.network = 'WHERE (')")).toBe(
    `SELECT 1 WHERE x IN (SELECT c.a FROM contracts AS c PREWHERE c.network = 'WHERE (' WHERE ${bound} )`,
  );
  expect(withBounds("SELECT count() FROM swaps GROUP BY pool")).toBe(
    `SELECT count() FROM swaps  WHERE ${bounds("", "swaps", IN_RANGE)} GROUP BY pool`,
  );
});

test("each read of several is bounded by itself", () => {
  const text = withBounds(
    "SELECT 1 FROM ledger AS a WHERE a.x IN (SELECT b.y FROM pools AS b WHERE b.z = 1) UNION ALL SELECT 2 FROM ledger AS c WHERE c.x = 1",
  );
  for (const [of, name] of [
    ["a.", "ledger"],
    ["b.", "pools"],
    ["c.", "ledger"],
  ] as const) {
    expect(text).toContain(`WHERE ${bounds(of, name, IN_RANGE)} AND ${of}`);
  }
});

test("a read with a range of its own keeps it; the range of a SELECT inside it is not its own", () => {
  const own = "FROM ledger AS l WHERE l.block_number <= {at:UInt64}";
  expect(withBounds(`SELECT 1 ${own}`)).toBe(
    `SELECT 1 FROM ledger AS l WHERE ${bounds("l.", "ledger", "")} AND l.block_number <= {at:UInt64}`,
  );
  expect(withBounds(`SELECT 1 FROM swaps AS s WHERE s.x IN (SELECT 1 ${own})`)).toContain(
    `WHERE ${bounds("s.", "swaps", IN_RANGE)} AND s.x`,
  );
});

test("one half by its name, comments and other tables are left alone", () => {
  const text =
    "-- FROM ledger WHERE\nSELECT 1 FROM ledger_final AS l INNER JOIN labels AS k ON k.a = l.a WHERE l.x = 1";
  expect(withBounds(text)).toBe(text);
});
