import { expect, test } from "vitest";
import { withBounds } from "./bounds.ts";

const IN_RANGE = "block_number BETWEEN {from_block:UInt64} AND {to_block:UInt64} AND ";
const bounds = (of: string, range: string) =>
  `${range === "" ? "" : `${of}${range}`}(${of}tail = 0) = (${of}block_number <= {final_block:UInt64})`;

test("a read gets the snapshot's range and its side of the boundary, in front of its own conditions", () => {
  expect(withBounds("SELECT l.peer FROM ledger AS l WHERE l.network = {network:String} ORDER BY l.peer")).toBe(
    `SELECT l.peer FROM ledger AS l WHERE ${bounds("l.", IN_RANGE)} AND l.network = {network:String} ORDER BY l.peer`,
  );
});

test("a read without conditions gets them, also after PREWHERE and in parentheses", () => {
  const bound = bounds("c.", IN_RANGE);
  expect(withBounds("SELECT 1 WHERE x IN (SELECT c.a FROM contracts AS c PREWHERE c.network = 'WHERE (')")).toBe(
    `SELECT 1 WHERE x IN (SELECT c.a FROM contracts AS c PREWHERE c.network = 'WHERE (' WHERE ${bound} )`,
  );
  expect(withBounds("SELECT count() FROM swaps GROUP BY pool")).toBe(
    `SELECT count() FROM swaps  WHERE ${bounds("", IN_RANGE)} GROUP BY pool`,
  );
});

test("each read of several is bounded by itself", () => {
  const text = withBounds(
    "SELECT 1 FROM ledger AS a WHERE a.x IN (SELECT b.y FROM pools AS b WHERE b.z = 1) UNION ALL SELECT 2 FROM ledger AS c WHERE c.x = 1",
  );
  for (const of of ["a.", "b.", "c."]) {
    expect(text).toContain(`WHERE ${bounds(of, IN_RANGE)} AND ${of}`);
  }
});

test("a read with a range of its own keeps it; the range of a SELECT inside it is not its own", () => {
  const own = "FROM ledger AS l WHERE l.block_number <= {at:UInt64}";
  expect(withBounds(`SELECT 1 ${own}`)).toBe(
    `SELECT 1 FROM ledger AS l WHERE ${bounds("l.", "")} AND l.block_number <= {at:UInt64}`,
  );
  expect(withBounds(`SELECT 1 FROM swaps AS s WHERE s.x IN (SELECT 1 ${own})`)).toContain(
    `WHERE ${bounds("s.", IN_RANGE)} AND s.x`,
  );
});

test.each(["l.tail = 0", "l.tail != 0", "l.tail >= 0"])(
  "a read that says %s itself is left alone, as are comments and other tables",
  (own) => {
    const text = `-- FROM ledger WHERE\nSELECT 1 FROM ledger AS l INNER JOIN labels AS k ON k.a = l.a WHERE ${own} AND l.x = 1`;
    expect(withBounds(text)).toBe(text);
    expect(withBounds(`SELECT 1 FROM swaps AS s WHERE s.x IN (SELECT 1 FROM ledger AS l WHERE ${own})`)).toContain(
      `WHERE ${bounds("s.", IN_RANGE)} AND s.x IN (SELECT 1 FROM ledger AS l WHERE ${own})`,
    );
  },
);

test("a read since a time starts at `earliest_block`, and other reads in the same query do not", () => {
  const since = "time >= toDateTime({since:UInt32}, 'UTC')";
  const late = IN_RANGE.replace("from_block", "earliest_block");
  expect(withBounds(`SELECT 1 FROM ledger AS l WHERE l.x = 1 AND l.${since}`)).toContain(
    `WHERE ${bounds("l.", late)} AND l.x`,
  );
  expect(withBounds(`SELECT 1 FROM swaps WHERE ${since}`)).toContain(`WHERE ${bounds("", late)} AND time`);
  const between = "l.time BETWEEN toDateTime({since:UInt32}, 'UTC') AND toDateTime({last:UInt32}, 'UTC')";
  expect(withBounds(`SELECT 1 FROM ledger AS l WHERE ${between}`)).toContain(bounds("l.", late));
  for (const [text, of] of [
    [`SELECT 1 FROM ledger AS l WHERE l.time >= toDateTime({day_ago:UInt32}, 'UTC')`, "l."],
    [`SELECT 1 FROM ledger AS l WHERE l.time < toDateTime({since:UInt32}, 'UTC')`, "l."],
    [`SELECT countIf(l.${since}) FROM ledger AS l WHERE l.x = 1`, "l."],
    [`SELECT 1 FROM ledger AS l WHERE (l.x = 1 OR l.${since})`, "l."],
    [`SELECT 1 FROM ledger AS l WHERE l.x IN (SELECT b.x FROM pools AS b WHERE b.${since})`, "l."],
    [`SELECT 1 FROM ledger AS l INNER JOIN labels AS k ON k.a = l.a WHERE k.${since}`, "l."],
  ] as const)
    expect(withBounds(text)).toContain(bounds(of, IN_RANGE));
  const own = `SELECT 1 FROM ledger AS l WHERE l.block_number <= {at:UInt64} AND l.${since}`;
  expect(withBounds(own)).toContain(`WHERE ${bounds("l.", "")} AND l.block_number`);
});
