import { afterAll, beforeAll, expect, test } from "vitest";
import { openTestFacts, type TestFacts } from "../../test/facts_store.ts";
import { encodeParam } from "./param.ts";
import { SHORT_MAX, withShortLists } from "./short_lists.ts";

let store: TestFacts;
beforeAll(async () => {
  store = await openTestFacts();
});
afterAll(() => store.close());

const SET = "IN (SELECT unhex(arrayJoin({wanted:Array(String)})) AS one)";

test("inlines a short list, and leaves long, empty and absent ones as parameters", () => {
  const text = `SELECT 1 WHERE 'a' ${SET} OR 'b' NOT IN (SELECT unhex(arrayJoin({others:Array(String)})))`;
  expect(withShortLists(text, { wanted: ["", "00ff"], others: ["27"] })).toBe(
    String.raw`SELECT 1 WHERE 'a' IN ('', '\x00\xff') OR 'b' NOT IN ('\x27')`,
  );
  const long = Array.from({ length: SHORT_MAX + 1 }, () => "00");
  expect(withShortLists(text, { wanted: long, others: [] })).toBe(text);
  expect(withShortLists(text, {})).toBe(text);
});

test("what is not hex never enters the text", () => {
  const text = `SELECT 1 WHERE 'a' ${SET}`;
  for (const wanted of [["0"], ["0g"], ["'"], ["00\n"], ["AB"], [1]])
    expect(withShortLists(text, { wanted })).toBe(text);
});

test("a list in the text finds what the query finds, whatever its bytes", async () => {
  const hexes = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"));
  const text = `SELECT lower(hex(one)) FROM (SELECT unhex(arrayJoin({all:Array(String)})) AS one) WHERE one ${SET} ORDER BY one`;
  for (const wanted of [hexes.slice(0, 130), hexes.slice(126), ["", "5c27", "00"]]) {
    const params = { all: encodeParam([...hexes, "", "5c27"]), wanted: encodeParam(wanted) };
    const placed = withShortLists(text, { wanted });
    expect(placed).not.toContain("{wanted");
    const rows = await store.engine.query(placed, { params });
    expect(rows).toEqual([...wanted].sort().map((hex) => [hex]));
    expect(rows).toEqual(await store.engine.query(text, { params }));
  }
});
