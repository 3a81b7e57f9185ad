import { afterAll, beforeAll, expect, test } from "vitest";
import { openTestFacts, type TestFacts } from "../../test/facts_store.ts";
import { atOnce } from "../lib/turns.ts";
import { decodeColumns, type TextColumn } from "./columns.ts";

const decoded = (...args: Parameters<typeof decodeColumns>) => atOnce(decodeColumns(...args));

let store: TestFacts;
beforeAll(async () => {
  store = await openTestFacts();
});
afterAll(() => store.close());

/** More rows than one block of the engine has (65,409). */
const ROWS = 200_000;

test("columns hold what rows hold, over many blocks", async () => {
  const columns = decoded(
    await store.engine.native(
      `SELECT toUInt64(number * 5000000000) AS wide, toUInt32(number) AS plain, toUInt8(number % 250) AS small,
         toInt8(number % 3 - 1) AS signed, toLowCardinality(toString(number % 1000)) AS word,
         toLowCardinality(if(number = 199999, '', concat('n', toString(number)))) AS name
       FROM numbers(${ROWS}) SETTINGS max_block_size = 65409`,
    ),
    [
      ["wide", "UInt64"],
      ["plain", "UInt32"],
      ["small", "UInt8"],
      ["signed", "Int8"],
      ["word", "LowCardinality(String)"],
      ["name", "LowCardinality(String)"],
    ],
  );
  expect(columns.length).toBe(ROWS);
  const numbers = (name: string) => columns[name] as ArrayLike<number>;
  const textAt = (name: string, row: number) => {
    const { texts, codes } = columns[name] as TextColumn;
    return texts[codes[row] ?? -1];
  };
  for (const row of [0, 1, 999, 1_000, 65_408, 65_409, 131_072, 199_998]) {
    expect(numbers("wide")[row]).toBe(row * 5_000_000_000);
    expect(numbers("plain")[row]).toBe(row);
    expect(numbers("small")[row]).toBe(row % 250);
    expect(numbers("signed")[row]).toBe((row % 3) - 1);
    expect(textAt("word", row)).toBe(String(row % 1_000));
    expect(textAt("name", row)).toBe(`n${row}`);
  }
  expect(textAt("name", ROWS - 1)).toBe("");
  // Each word once, whatever the number of blocks; the engine's dictionaries have the empty one as well.
  expect((columns.word as TextColumn).texts).toHaveLength(1_001);
});

test("integers of 256 bits are exact", async () => {
  const values = [0n, 1n, 2n ** 53n + 1n, 2n ** 64n, 2n ** 128n + 5n, 2n ** 192n, 2n ** 256n - 1n];
  const bytes = await store.engine.native(
    `SELECT toUInt256(arrayJoin([${values.map((value) => `'${value}'`).join(",")}])) AS amount`,
  );
  const { amount, length } = decoded(bytes, [["amount", "UInt256"]]);
  const column = amount as { at(row: number): bigint };
  expect(values.map((_, row) => column.at(row))).toEqual(values);
  expect(() => column.at(Number(length))).toThrow(RangeError);
});

test("an answer without rows is one of empty columns", async () => {
  const bytes = await store.engine.native(
    "SELECT toUInt8(1) AS a, toLowCardinality(toString(number)) AS b FROM numbers(0)",
  );
  const columns = decoded(bytes, [
    ["a", "UInt8"],
    ["b", "LowCardinality(String)"],
  ]);
  expect(columns.length).toBe(0);
  expect(columns.b).toEqual({ texts: [], codes: new Uint32Array() });
});

test("other columns than the ones described, types that are not read and cut answers are refused", async () => {
  const bytes = await store.engine.native("SELECT toUInt32(7) AS a");
  expect(() => decoded(bytes, [["b", "UInt32"]])).toThrow("a UInt32 instead of b UInt32");
  expect(() => decoded(bytes, [["a", "UInt64"]])).toThrow("a UInt32 instead of a UInt64");
  expect(() => decoded(bytes, [["a", "Array(UInt32)"]])).toThrow(TypeError);
  expect(() => decoded(bytes.subarray(0, bytes.length - 1), [["a", "UInt32"]])).toThrow("cut off");
  const far = await store.engine.native("SELECT toUInt64(9007199254740993) AS a");
  expect(() => decoded(far, [["a", "UInt64"]])).toThrow("no safe integer");
});
