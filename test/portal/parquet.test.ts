import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { query } from "chdb";
import { afterAll, beforeAll, expect, test } from "vitest";
import { csvText } from "../../portal/src/export/csv.ts";
import { parquetBytes } from "../../portal/src/export/parquet.ts";
import type { CaseTable } from "../../src/case/tables.ts";

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "assay-parquet-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const read = async (table: CaseTable): Promise<{ rows: unknown; types: Record<string, string> }> => {
  const path = join(folder, `${table.name}.parquet`);
  writeFileSync(path, new Uint8Array(await parquetBytes(table)));
  const asked = (sql: string): string => query(sql, "JSONEachRow");
  const lines = (text: string) => text.split("\n").flatMap((line) => (line === "" ? [] : [JSON.parse(line)]));
  const settings = "SETTINGS output_format_json_quote_64bit_integers = 1, output_format_json_quote_denormals = 1";
  return {
    rows: lines(asked(`SELECT * FROM file('${path}', Parquet) ${settings}`)),
    types: Object.fromEntries(lines(asked(`DESCRIBE file('${path}', Parquet)`)).map(({ name, type }) => [name, type])),
  };
};

test("what is read back by another engine is what was written, exactly, in the narrowest type that holds it", async () => {
  const raw = (2n ** 256n - 1n).toString();
  const table: CaseTable = {
    name: "rows",
    columns: ["peer.address", "amount_raw", "usd", "block", "is_spam", "nothing", "mixed"],
    rows: [
      ["0xAb", raw, 0.1, 9_007_199_254_740_991, true, null, 1],
      ["<b>\u202e", "-1", 1e-13, -5, false, null, "=1+1"],
      [null, null, null, null, null, null, true],
    ],
  };
  const { rows, types } = await read(table);
  const names = table.columns;
  expect(rows).toEqual([
    Object.fromEntries(names.map((name, i) => [name, ["0xAb", raw, 0.1, "9007199254740991", true, null, "1"][i]])),
    Object.fromEntries(names.map((name, i) => [name, ["<b>\u202e", "-1", 1e-13, "-5", false, null, "=1+1"][i]])),
    Object.fromEntries(names.map((name, i) => [name, [null, null, null, null, null, null, "true"][i]])),
  ]);
  expect(types).toEqual({
    ...{ "peer.address": "Nullable(String)", amount_raw: "Nullable(String)", usd: "Nullable(Float64)" },
    ...{ block: "Nullable(Int64)", is_spam: "Nullable(Bool)", nothing: "Nullable(String)", mixed: "Nullable(String)" },
  });
});

test("10,000 rows and a table without rows are written as well", async () => {
  const rows = Array.from({ length: 10_000 }, (_, i) => [`0x${i}`, i / 8]);
  const many = await read({ name: "many", columns: ["a", "n"], rows });
  expect(many.rows).toEqual(rows.map(([a, n]) => ({ a, n })));
  expect((await read({ name: "none", columns: ["a"], rows: [] })).rows).toEqual([]);
});

test("as CSV a formula is text, and what holds quotes, commas and line ends is quoted", () => {
  const table: CaseTable = {
    name: "t",
    columns: ["label", "usd"],
    rows: [
      ["=HYPERLINK(1)", 1.5],
      ['a,"b"\n', null],
    ],
  };
  expect(csvText(table)).toBe('label,usd\r\n\'=HYPERLINK(1),1.5\r\n"a,""b""\n",\r\n');
});
