import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openTestFacts, type TestFacts } from "../../test/facts_store.ts";
import { encodeParam } from "./param.ts";
import { type ColumnValue, encoderFor, RowBuffer } from "./row_binary.ts";
import { decoderFor, typeOfColumn } from "./row_json.ts";
import { placeholdersOf, splitStatements } from "./sql_text.ts";
import { TABLES } from "./tables.gen.ts";

let store: TestFacts;
beforeAll(async () => {
  store = await openTestFacts();
});
afterAll(() => store.close());

const unsigned = (bits: number) => fc.bigInt({ min: 0n, max: 2n ** BigInt(bits) - 1n });
const signed = (bits: number) => fc.bigInt({ min: -(2n ** BigInt(bits - 1)), max: 2n ** BigInt(bits - 1) - 1n });

/** Column type, what is written, and how the same value reads back from `toString` or `hex`. */
const CASES: readonly (readonly [string, fc.Arbitrary<ColumnValue>, (value: ColumnValue) => string])[] = [
  ["UInt8", fc.integer({ min: 0, max: 255 }), String],
  ["UInt16", fc.integer({ min: 0, max: 65_535 }), String],
  ["UInt32", fc.integer({ min: 0, max: 2 ** 32 - 1 }), String],
  ["Int8", fc.integer({ min: -128, max: 127 }), String],
  ["Int32", fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 }), String],
  ["UInt64", fc.oneof(unsigned(64), fc.maxSafeNat()), String],
  ["Int64", fc.oneof(signed(64), fc.integer()), String],
  ["UInt256", fc.oneof(unsigned(256), unsigned(70), fc.maxSafeNat()), String],
  ["Int256", fc.oneof(signed(256), signed(70)), String],
  ["Nullable(UInt256)", fc.option(unsigned(256)), (value) => (value === null ? "null" : String(value))],
];

test("numbers of every width arrive as they were sent", async () => {
  const rows = fc.sample(fc.tuple(...CASES.map(([, arbitrary]) => arbitrary)), 300);
  const columns = CASES.map(([type], index) => `c${index} ${type}`);
  await store.engine.command(`CREATE TABLE numbers_in (i UInt32, ${columns.join(", ")}) ENGINE = MergeTree ORDER BY i`);
  const encoders = [encoderFor("UInt32"), ...CASES.map(([type]) => encoderFor(type))];
  const out = new RowBuffer(8);
  for (const [index, row] of rows.entries()) {
    for (const [column, value] of [index, ...row].entries()) encoders[column]?.(out, value);
  }
  const names = CASES.map((_, index) => `c${index}`);
  await store.engine.insert({ table: "numbers_in", columns: ["i", ...names] }, out.written());
  const back = await store.query(
    `SELECT ${names.map((name) => `ifNull(toString(${name}), 'null')`).join(", ")} FROM numbers_in ORDER BY i`,
  );
  expect(back).toEqual(rows.map((row) => row.map((value, column) => CASES[column]?.[2](value))));
});

test("bytes, text, enums and times arrive as they were sent", async () => {
  const type = "Enum8('none' = 0, 'create' = 1, 'odd' = -3)";
  await store.engine.command(
    `CREATE TABLE words_in (i UInt32, s String, l LowCardinality(String), e ${type}, t DateTime('UTC'), m DateTime64(3, 'UTC'), f Float64)
     ENGINE = MergeTree ORDER BY i`,
  );
  const bytes = Buffer.from([0, 10, 13, 39, 92, 255, 128, 9]);
  const long = "é".repeat(5_000);
  const rows: readonly (readonly ColumnValue[])[] = [
    [0, bytes, "a", "none", 0, 1.5, 0.1],
    [1, new Uint8Array(0), "", "create", 4_294_967_295, 1_700_000_000.123, -1e300],
    [2, long, "a", "odd", 1_700_000_000, 0, 5e-324],
  ];
  const types = [
    "UInt32",
    "String",
    "LowCardinality(String)",
    type,
    "DateTime('UTC')",
    "DateTime64(3, 'UTC')",
    "Float64",
  ];
  const encoders = types.map(encoderFor);
  const out = new RowBuffer(8);
  for (const row of rows) for (const [column, value] of row.entries()) encoders[column]?.(out, value);
  await store.engine.insert({ table: "words_in", columns: ["i", "s", "l", "e", "t", "m", "f"] }, out.written());
  expect(
    await store.query("SELECT lower(hex(s)), l, e, toUInt32(t), toUnixTimestamp64Milli(m), f FROM words_in ORDER BY i"),
  ).toEqual([
    [bytes.toString("hex"), "a", "none", 0, "1500", 0.1],
    ["", "", "create", 4_294_967_295, "1700000000123", -1e300],
    [Buffer.from(long).toString("hex"), "a", "odd", 1_700_000_000, "0", 5e-324],
  ]);
});

test.each([
  ["UInt8", 256],
  ["UInt8", -1],
  ["UInt8", 1.5],
  ["Int8", 128],
  ["UInt32", 2 ** 32],
  ["UInt64", -1n],
  ["UInt64", 2n ** 64n],
  ["UInt64", 2 ** 53],
  ["UInt256", 2n ** 256n],
  ["UInt256", -1],
  ["Int256", 2n ** 255n],
  ["Enum8('a' = 1)", "b"],
  ["String", 5],
  ["Float64", "1"],
  ["UInt8", null],
] as const)("%s does not take %s", (type, value) => {
  expect(() => encoderFor(type)(new RowBuffer(8), value)).toThrow(/does not fit into/);
});

test("every column of every table can be written and read", () => {
  const types = new Set(Object.values(TABLES).flatMap((columns) => columns.map(([, type]) => type)));
  for (const type of types) {
    expect(encoderFor(type), type).toBeTypeOf("function");
    expect(decoderFor(type), type).toBeTypeOf("function");
  }
});

test("writes types in TypeScript", () => {
  expect(typeOfColumn("Array(Tuple(a UInt64, b Nullable(String)))")).toBe(
    "readonly (readonly [number, string | null])[]",
  );
  expect(typeOfColumn("LowCardinality(Nullable(String))")).toBe("string | null");
  expect(typeOfColumn("Enum8('a' = 1, 'b, c' = 2)")).toBe('"a" | "b, c"');
  expect(typeOfColumn("SimpleAggregateFunction(sum, Int256)")).toBe("bigint");
  expect(decoderFor("Array(Tuple(UInt64, UInt256))")([["5", "7"]])).toEqual([[5, 7n]]);
  expect(() => decoderFor("UInt64")("9007199254740993")).toThrow("no safe integer");
});

test("any text and any list of texts passes through a parameter unchanged", async () => {
  const text = fc.string({ unit: "binary", maxLength: 20 }).filter((value) => value.isWellFormed());
  const hostile = fc.string({
    unit: fc.constantFrom("'", "\\", "\n", "\t", "\0", "{", "}", "x", "N", "[", ",", "]", "-", "é"),
    maxLength: 12,
  });
  const cases = fc.sample(fc.tuple(fc.oneof(text, hostile), fc.array(fc.oneof(text, hostile), { maxLength: 4 })), 150);
  for (const [one, list] of cases) {
    const rows = await store.engine.query("SELECT {one:String}, {list:Array(String)}", {
      params: { one: encodeParam(one), list: encodeParam(list) },
    });
    expect(rows).toEqual([[one, list]]);
  }
});

test("quotes and comments are not taken for SQL", () => {
  expect(splitStatements("-- a; b\nSELECT ';', \"x;\" /* ; */;\n\nSELECT 2 -- c;\n;")).toEqual([
    "SELECT ';', \"x;\" /* ; */",
    "SELECT 2 -- c;",
  ]);
  expect(
    placeholdersOf("SELECT '{a:String}', {b:Array(String)} -- {c:String}\n, {d:Nullable(UInt64)}").map(
      ({ name, type }) => [name, type],
    ),
  ).toEqual([
    ["b", "Array(String)"],
    ["d", "Nullable(UInt64)"],
  ]);
});
