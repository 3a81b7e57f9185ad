import { expect, test } from "vitest";
import { csvText } from "../export/csv.ts";
import { filteredRows, orderedRows, tableFile } from "./rows.ts";

interface Coin {
  readonly symbol: string;
  readonly usd: number | null;
}

const COINS: readonly Coin[] = [
  { symbol: "ten", usd: 10 },
  { symbol: "none", usd: null },
  { symbol: "Nine", usd: 9 },
  { symbol: "=1+1", usd: -2 },
];
const COLUMNS = [
  { head: "Symbol", value: ({ symbol }: Coin) => symbol },
  { head: "USD", value: ({ usd }: Coin) => usd },
];

const symbols = (rows: readonly Coin[]) => rows.map(({ symbol }) => symbol);

test("sorts numbers by size, and unknown ones last in both directions", () => {
  const by = (falls: boolean) => symbols(orderedRows(COINS, COLUMNS, { head: "USD", falls }));
  expect(by(true)).toEqual(["ten", "Nine", "=1+1", "none"]);
  expect(by(false)).toEqual(["=1+1", "Nine", "ten", "none"]);
  expect(symbols(orderedRows(COINS, COLUMNS, null))).toEqual(symbols(COINS));
  expect(symbols(orderedRows(COINS, COLUMNS, { head: "gone", falls: true }))).toEqual(symbols(COINS));
});

test("a filter finds rows with all of its words, in any column and case", () => {
  const found = (filter: string) => symbols(filteredRows(COINS, COLUMNS, filter));
  expect(found("NE")).toEqual(["none", "Nine"]);
  expect(found("ne 9")).toEqual(["Nine"]);
  expect(found(" ")).toEqual(symbols(COINS));
  expect(found("null")).toEqual([]);
});

test("a file has the exact values, and no formula", () => {
  const shown = orderedRows(COINS, COLUMNS, { head: "USD", falls: false }).slice(0, 2);
  expect(csvText(tableFile("coins", shown, COLUMNS))).toBe("Symbol,USD\r\n'=1+1,-2\r\nNine,9\r\n");
  expect(csvText(tableFile("coins", [{ symbol: 'a"b', usd: null }], COLUMNS.slice(0, 1)))).toBe('Symbol\r\n"a""b"\r\n');
});
