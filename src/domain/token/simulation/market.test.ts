import { expect, test } from "vitest";
import { type Hex, hex } from "../../../lib/bytes.ts";
import { hasUnknownHooks, marketsToSimulate, type SimulationMarket, sizesOf } from "./market.ts";
import { NO_ADDRESS } from "./pool_key.ts";
import { spread } from "./replay.ts";
import { revertReason } from "./revert_reason.ts";

const pool = (name: Hex, depth_usd: number, more: Partial<SimulationMarket> = {}): SimulationMarket => ({
  pool: name,
  family: "uniswap_v2",
  token: hex("aa"),
  quote: hex("cc"),
  fee_ppm: 3_000,
  payee: name,
  key: null,
  depth_raw: 10_000n,
  depth_usd,
  ...more,
});
const ANCHORS = new Set(["cc", "ee"].map(hex));

test("the three deepest pools against anchors are simulated, from 500 dollars on", () => {
  const found = [
    pool(hex("01"), 499.99),
    pool(hex("02"), 500),
    pool(hex("03"), 9_000, { quote: hex("dd") }),
    pool(hex("04"), 700, { quote: hex("ee"), family: "uniswap_v3" }),
    pool(hex("05"), 800, { family: "curve" }),
    pool(hex("08"), 5_000, { family: "solidly_stable" }),
    pool(hex("06"), 600),
    pool(hex("07"), 600),
  ];
  // 3 has no anchor, 5 is of an unknown family, 1 is too small; 6 and 7 are equal, 7 and 2 come after three.
  expect(marketsToSimulate(found, ANCHORS).map((market) => market.pool)).toEqual(["08", "04", "06"]);
});

const v4 = (name: Hex, depth_usd: number, hooks: Hex | null): SimulationMarket => ({
  ...pool(name, depth_usd, { family: "uniswap_v4" }),
  key: hooks === null ? null : { is_native: false, tick_spacing: 60, hooks },
});
const HOOKS = hex("80".repeat(20));

test("pools with hooks come after all others, and pools without a known key are left out", () => {
  const found = [
    v4(hex("01"), 900_000, HOOKS),
    v4(hex("02"), 600, NO_ADDRESS),
    v4(hex("03"), 950_000, null),
    pool(hex("04"), 700),
  ];
  expect(marketsToSimulate(found, ANCHORS).map((market) => market.pool)).toEqual(["04", "02", "01"]);
  // Three deep pools without hooks leave no room for one with hooks, however deep.
  expect(marketsToSimulate([...found, pool(hex("05"), 800)], ANCHORS).map((market) => market.pool)).toEqual([
    "05",
    "04",
    "02",
  ]);
});

test("pools that only unknown hooks exclude are distinct from pools that are too small", () => {
  expect(hasUnknownHooks([v4(hex("01"), 500, null)], ANCHORS)).toBe(true);
  expect(hasUnknownHooks([v4(hex("01"), 499.99, null)], ANCHORS)).toBe(false);
  expect(hasUnknownHooks([{ ...v4(hex("01"), 500, null), quote: hex("dd") }], ANCHORS)).toBe(false);
  // Hooks that change payments hold an unknown amount.
  expect(hasUnknownHooks([pool(hex("01"), 0, { family: "uniswap_v4_custom" })], ANCHORS)).toBe(true);
  expect(hasUnknownHooks([v4(hex("01"), 500, HOOKS), pool(hex("02"), 900)], ANCHORS)).toBe(false);
});

test("a thousandth, a hundredth and a seventh of the depth are traded, and no amount that rounds to zero", () => {
  expect(sizesOf(pool(hex("01"), 500))).toEqual([10n, 100n, 1_428n]);
  expect(sizesOf(pool(hex("01"), 500, { depth_raw: 500n }))).toEqual([5n, 71n]);
});

test("a spread list keeps its ends and its order, and at most the requested number", () => {
  const list = Array.from({ length: 101 }, (_, n) => n);
  expect(spread(list, 3)).toEqual([0, 50, 100]);
  expect(spread([1, 2], 3)).toEqual([1, 2]);
});

const payload = (hex: string): Uint8Array => Buffer.from(hex, "hex");

test("a revert's own words are decoded, cleaned, and cut; other errors keep their selector", () => {
  // Error(string): offset 32, length 6, "no" U+202E "!": the invisible character is dropped.
  const text = `08c379a0${"20".padStart(64, "0")}${"6".padStart(64, "0")}${Buffer.from("no\u202e!").toString("hex").padEnd(64, "0")}`;
  expect(revertReason(payload(text))).toBe("no!");
  expect(revertReason(payload(`4e487b71${"11".padStart(64, "0")}`))).toBe("0x4e487b71");
  expect(revertReason(payload("08c379a0"))).toBe("0x08c379a0");
  expect(revertReason(payload(""))).toBe("");
});

test("the inner one of two nested errors is the reason", () => {
  const word = (text: string): string => text.padStart(64, "0");
  // Error(string) "no": selector and three words, 100 bytes.
  const inner = `08c379a0${word("20")}${word("2")}${Buffer.from("no").toString("hex").padEnd(64, "0")}`;
  // WrappedError(address,bytes4,bytes,bytes) of ERC-7751: reason at 0x80, details (none) after 32 + 128 bytes at 0x120.
  const wrapped = (reason: string, length: string) =>
    `90bfb865${word("11")}${"aa".repeat(4).padEnd(64, "0")}${word("80")}${word("120")}${word(length)}${reason.padEnd(256, "0")}${word("0")}`;
  expect(revertReason(payload(wrapped(inner, "64")))).toBe("no");
  // Nothing inside: the error itself is all that is known.
  expect(revertReason(payload(wrapped("", "0")))).toBe("0x90bfb865");
  expect(revertReason(payload("90bfb865"))).toBe("0x90bfb865");
});
