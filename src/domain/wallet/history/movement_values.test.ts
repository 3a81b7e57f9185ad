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

test("a movement is worth what the pools of its hour pay for it alone", () => {
  // A pool of 1,000 tokens at 2 USD: 10 cost below 1 %; 1,000 pay 2,000 - 1,000; 1e30 pay all but a dust of 2,000.
  const rows = [10n, 1_000n, 10n ** 30n].map((amount, i) => ({
    ...({ block: i + 1, time: HOUR + i, direction: 1, kind: "erc20", is_own: false } as const),
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
