import { expect, test } from "vitest";
import { changedReadings, type MetadataReading, readingAt, settledDecimals } from "./history.ts";

const reading = (read_at_block: number, symbol: string, decimals: number | null = 18): MetadataReading => ({
  ...{ read_at_block, name: `${symbol} token`, symbol, decimals },
  has_hidden: 0,
});
const READINGS = [reading(100, "OLD"), reading(200, "NEW"), reading(300, "USDC")];

test("a block has the last reading up to it, and a block before all readings the first one", () => {
  const symbolAt = (block: number) => readingAt(READINGS, block)?.symbol;
  expect([1, 99, 100, 199, 200, 299, 300, 9_999].map(symbolAt)).toEqual([
    "OLD",
    "OLD",
    "OLD",
    "OLD",
    "NEW",
    "NEW",
    "USDC",
    "USDC",
  ]);
  expect(readingAt([], 5)).toBeNull();
});

test("lists the readings up to a block once there are two", () => {
  const listed = (block: number) => changedReadings(READINGS, block).map(({ symbol }) => symbol);
  expect([99, 100, 199].map(listed)).toEqual([[], [], []]);
  expect([200, 300].map(listed)).toEqual([
    ["OLD", "NEW"],
    ["OLD", "NEW", "USDC"],
  ]);
});

test("decimals count as long as all readings up to the block agree on them", () => {
  const changed = [reading(100, "A", null), reading(200, "A", 18), reading(300, "A", 0), reading(400, "A", 18)];
  // Unknown, then 18; from 300 on the token has reported 18 and 0, and never has a unit again.
  expect([100, 200, 299, 300, 400].map((block) => readingAt(changed, block)?.decimals)).toEqual([
    null,
    18,
    18,
    null,
    null,
  ]);
  expect([settledDecimals([]), settledDecimals([6, null, 6]), settledDecimals([0, 18])]).toEqual([null, 6, null]);
});
