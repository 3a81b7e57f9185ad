import { expect, test } from "vitest";
import { historyOf } from "../../../../test/movements.ts";
import { hex } from "../../../lib/bytes.ts";
import { rowUsd } from "./history.ts";
import { unpairedVolumeOf, volumesOf } from "./volumes.ts";

const TOKEN = hex("aa".repeat(20));
const HOUR = 1_800_000_000;

test("a movement before its token has a market has no price, even within the market's first hour", () => {
  // 5, 7 and 11 of a token of 2 USD are minted; its pool exists from the second row on.
  const made = [
    [100, 5n],
    [200, 7n],
    [300, 11n],
  ] as const;
  const rows = made.map(([at, amount], i) => ({
    ...({ block: i + 1, time: HOUR + at, direction: 1, kind: "erc20", is_own: true } as const),
    ...{ token: TOKEN, peer: "" as const, amount },
  }));
  const history = historyOf(rows, { prices: { [TOKEN]: 2 }, starts: { [TOKEN]: HOUR + 200 } });
  // 7 x 2 + 11 x 2
  expect(volumesOf(history).in).toMatchObject({ usd: 36, voided_usd: 36, transfers: 3, unpriced: 1 });
  expect(unpairedVolumeOf([{ history }]).mints_usd).toBe(36);
  // 5 + 7 + 11 times 2 when the market always existed
  expect(volumesOf(historyOf(rows, { prices: { [TOKEN]: 2 } })).in).toMatchObject({ usd: 46, unpriced: 0 });
});

test("a movement of the wallet itself is worth what the pools of its hour pay for it alone", () => {
  // A pool of 1,000 tokens at 2 USD: 10 cost below 1 %; 1,000 pay 2,000 - 1,000; 1e30 pay all but a dust of 2,000.
  const rows = [10n, 1_000n, 10n ** 30n].map((amount, i) => ({
    ...({ block: i + 1, time: HOUR + i, direction: 1, kind: "erc20", is_own: true } as const),
    ...{ token: TOKEN, peer: hex("ee".repeat(20)), amount },
  }));
  const known = { prices: { [TOKEN]: 2 }, sells: { [TOKEN]: { reserve: 1_000, payout_max_usd: 2_000 } } };
  const history = historyOf(rows, known);
  expect([0, 1, 2].map((row) => rowUsd(history, row))).toEqual([20, 1_000, 2_000]);
  expect([...history.values.nano_usd]).toEqual([20e9, 1_000e9, 2_000e9]);
  expect([...history.values.is_limited]).toEqual([0, 1, 1]);
  expect(volumesOf(history).in.usd).toBe(3_020);
});

test("tokens that no pool takes move nothing", () => {
  const row = { block: 1, time: HOUR, direction: 1, kind: "erc20", token: TOKEN, peer: hex("ee".repeat(20)) } as const;
  const known = { prices: { [TOKEN]: 5e9 }, sells: { [TOKEN]: { reserve: 0, payout_max_usd: 0 } } };
  const history = historyOf([{ ...row, is_own: false, amount: 1_000n }], known);
  expect([rowUsd(history, 0), volumesOf(history).in]).toEqual([0, expect.objectContaining({ usd: 0, unpriced: 0 })]);
});

/** Receipts and payments of a token whose pools hold 1,000 at 2 USD, one a minute. */
const moved = (rows: readonly (readonly [is_own: boolean, direction: 1 | -1, amount: bigint])[]) => {
  const known = { prices: { [TOKEN]: 2 }, sells: { [TOKEN]: { reserve: 1_000, payout_max_usd: 2_000 } } };
  const all = rows.map(([is_own, direction, amount], i) => ({
    ...({ block: i + 1, time: HOUR + 60 * i, kind: "erc20", token: TOKEN, peer: hex("ee".repeat(20)) } as const),
    ...{ is_own, direction, amount },
  }));
  return historyOf(all, known);
};

test("many small receipts from others are worth one sale of all", () => {
  // 1,000 times 10: each alone would be 20 USD. Together they are 10,000 of 11,000: 2,000 * 10 / 11.
  const history = moved(Array.from({ length: 1_000 }, () => [false, 1, 10n] as const));
  expect(volumesOf(history).in.usd).toBeCloseTo((2_000 * 10) / 11, 6);
  // The first counts in full, the second with the first: 2 * 1,000 * 20 / 1,020 less 20.
  expect(rowUsd(history, 0)).toBe(20);
  expect(rowUsd(history, 1)).toBeCloseTo(40_000 / 1_020 - 20, 9);
  expect(history.values.is_limited[1]).toBe(1);
  expect(volumesOf(moved(Array.from({ length: 1_000 }, () => [false, -1, 10n] as const))).out.usd).toBeLessThan(2_000);
});

test("what the wallet passes on itself makes room for the next receipt; what others take from it does not", () => {
  const both = (is_own: boolean) =>
    moved(Array.from({ length: 50 }, () => [[false, 1, 10n] as const, [is_own, -1, 10n] as const]).flat());
  expect(volumesOf(both(true))).toMatchObject({ in: { usd: 1_000 }, out: { usd: 1_000 } });
  // 500 of 1,500 each way: 2,000 / 3
  expect(volumesOf(both(false)).in.usd).toBeCloseTo(2_000 / 3, 6);
  expect(volumesOf(both(false)).out.usd).toBeCloseTo(2_000 / 3, 6);
});
