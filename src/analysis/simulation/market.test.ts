import { expect, test } from "vitest";
import { type Market, marketsWorth, sizesOf } from "./market.ts";
import { spread } from "./replay.ts";
import { revertReason } from "./revert_reason.ts";

const pool = (name: string, depth_usd: number, more: Partial<Market> = {}): Market => ({
  pool: name,
  family: "uniswap_v2",
  token: "aa",
  quote: "cc",
  fee_ppm: 3_000,
  depth_raw: 10_000n,
  depth_usd,
  ...more,
});
const ANCHORS = new Set(["cc", "ee"]);

test("the three deepest pools against anchors are worth a rehearsal, from 500 dollars on", () => {
  const found = [
    pool("1", 499.99),
    pool("2", 500),
    pool("3", 9_000, { quote: "dd" }),
    pool("4", 700, { quote: "ee", family: "uniswap_v3" }),
    pool("5", 800, { family: "curve" }),
    pool("8", 5_000, { family: "solidly_stable" }),
    pool("6", 600),
    pool("7", 600),
  ];
  // 3 has no anchor, 5 is no family that is understood, 1 is too small; 6 and 7 are alike, 7 and 2 come after three.
  expect(marketsWorth(found, ANCHORS).map((market) => market.pool)).toEqual(["8", "4", "6"]);
});

test("a thousandth and a hundredth of the depth are traded, and nothing that rounds to nothing", () => {
  expect(sizesOf(pool("1", 500))).toEqual([10n, 100n]);
  expect(sizesOf(pool("1", 500, { depth_raw: 500n }))).toEqual([5n]);
});

test("a spread list keeps its ends and its order, and no more than is asked", () => {
  const list = Array.from({ length: 101 }, (_, n) => n);
  expect(spread(list, 3)).toEqual([0, 50, 100]);
  expect(spread([1, 2], 3)).toEqual([1, 2]);
});

const payload = (hex: string): Uint8Array => Buffer.from(hex, "hex");

test("a revert's own words are read, cleaned, and cut; other errors keep their selector", () => {
  // Error(string): offset 32, length 6, "no" U+202E "!": the invisible one is dropped.
  const text = `08c379a0${"20".padStart(64, "0")}${"6".padStart(64, "0")}${Buffer.from("no\u202e!").toString("hex").padEnd(64, "0")}`;
  expect(revertReason(payload(text))).toBe("no!");
  expect(revertReason(payload(`4e487b71${"11".padStart(64, "0")}`))).toBe("0x4e487b71");
  expect(revertReason(payload("08c379a0"))).toBe("0x08c379a0");
  expect(revertReason(payload(""))).toBe("");
});
