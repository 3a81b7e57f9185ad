import { expect, test } from "vitest";
import { profitRows, readWallets, writeWallets } from "./steps.ts";

const [ONE, TWO] = [
  { network: "demo", address: "0xaa" },
  { network: "demo-tron", address: "Tb" },
];

const step = (date: string, total: number | null, more: object = {}) => ({
  ...{ date, total_pnl_usd: total, realized_pnl_usd: 1, unrealized_pnl_usd: 2, gas_fees_usd: 0.5, reason: null },
  ...more,
});

test("the profit of a step is the difference of two totals, and that of the first one its total", () => {
  const rows = profitRows([{ wallet: ONE, steps: [step("2026-08-03", 5), step("2026-08-10", 3)] }]);
  expect(rows.map(({ date, step_usd, total_usd }) => [date, step_usd, total_usd])).toEqual([
    ["2026-08-10", -2, 3],
    ["2026-08-03", 5, 5],
  ]);
});

test("a sum is that of all wallets, and unknown where one is unknown or lacks the step", () => {
  const rows = profitRows([
    { wallet: ONE, steps: [step("2026-08-03", 5), step("2026-08-10", 3), step("2026-08-17", 4)] },
    {
      wallet: TWO,
      steps: [step("2026-08-03", 10), step("2026-08-10", null, { reason: "no block yet", realized_pnl_usd: null })],
    },
  ]);
  const sums = rows.filter(({ wallet }) => wallet === null);
  expect(sums.map(({ date, step_usd, realized_usd, reason }) => [date, step_usd, realized_usd, reason])).toEqual([
    ["2026-08-17", null, null, "unknown for a wallet without this step"],
    ["2026-08-10", null, null, "unknown for demo-tron"],
    ["2026-08-03", 15, 2, null],
  ]);
  // The step after an unknown one is unknown too: its beginning is.
  const after = profitRows([{ wallet: TWO, steps: [step("a", null), step("b", 7)] }]);
  expect(after.map(({ date, step_usd, total_usd }) => [date, step_usd, total_usd])).toEqual([
    ["b", null, 7],
    ["a", null, null],
  ]);
  expect(profitRows([{ wallet: ONE, steps: null }])).toEqual([]);
});

test("a wallet without an answer makes every sum unknown", () => {
  const known = [step("2026-08-03", 5)];
  const rows = profitRows([
    { wallet: ONE, steps: known },
    { wallet: TWO, steps: known },
    { wallet: { network: "demo", address: "0xcc" }, steps: null },
  ]);
  expect(rows.map(({ wallet, step_usd, reason }) => [wallet?.address ?? "all", step_usd, reason])).toEqual([
    ["all", null, "unknown for 1 wallet without an answer"],
    ["0xaa", 5, null],
    ["Tb", 5, null],
  ]);
});

test("the address of the page names each wallet once", () => {
  const text = writeWallets([ONE, TWO]);
  expect(text).toBe("demo:0xaa,demo-tron:Tb");
  expect(readWallets(`${text},demo:0xaa,:x,demo:, demo:0xbb`)).toEqual([
    ONE,
    TWO,
    { network: "demo", address: "0xbb" },
  ]);
  expect(readWallets(null)).toEqual([]);
});
