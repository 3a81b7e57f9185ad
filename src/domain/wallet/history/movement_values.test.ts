import { expect, test } from "vitest";
import { historyOf } from "../../../../test/movements.ts";
import { hex } from "../../../lib/bytes.ts";
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
