/** Rows of address poisoning and honest rows that look like it, judged by the history of a wallet. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { LOOKALIKE_BIT } from "../../../src/domain/wallet/history/movement_flags.ts";
import { type Hex, hex } from "../../../src/lib/bytes.ts";
import { DAY_S } from "../../../src/lib/time.ts";
import { historyOf, type MovementRow } from "../../../test/movements.ts";

/** Cents per unit, so that amounts are whole. */
const DOLLAR = hex("cc".repeat(20));
const COPY = hex("dd".repeat(20));
const UNPRICED = hex("ee".repeat(20));
const CENTS = 10_000;
const GOAL = 0.98;

interface PoisonRow {
  readonly day: number;
  readonly peer: string;
  readonly what: "payment" | "receipt" | "dust" | "zero_in" | "zero_out" | "fake_in" | "fake_out" | "unpriced_in";
  readonly usd?: number;
  /** Left out: the row is history, not a question. */
  readonly is_poison?: boolean;
}
interface PoisonCase {
  readonly name: string;
  readonly rows: readonly PoisonRow[];
}

const CASES = (JSON.parse(readFileSync(join(import.meta.dirname, "rows.json"), "utf8")) as { cases: PoisonCase[] })
  .cases;

/** Token and direction of each kind of row. */
const KINDS: Readonly<Record<PoisonRow["what"], readonly [token: Hex, direction: 1 | -1]>> = {
  payment: [DOLLAR, -1],
  receipt: [DOLLAR, 1],
  dust: [DOLLAR, 1],
  zero_in: [DOLLAR, 1],
  zero_out: [DOLLAR, -1],
  fake_in: [COPY, 1],
  fake_out: [COPY, -1],
  unpriced_in: [UNPRICED, 1],
};

const rowOf = ({ day, peer, what, usd = 0.01 }: PoisonRow, block: number): MovementRow => {
  const [token, direction] = KINDS[what];
  const amount = what.startsWith("zero") ? 0n : BigInt(Math.round(usd * CENTS));
  const is_own = what === "payment";
  return {
    block: block + 1,
    time: 1_700_000_000 + day * DAY_S,
    direction,
    kind: "erc20",
    token,
    peer: hex(peer),
    amount,
    is_own,
  };
};

/** Rows with a verdict, with what the product says of each. */
const judged = CASES.flatMap(({ name, rows }) => {
  const { spam } = historyOf(rows.map(rowOf), {
    prices: { [DOLLAR]: 1 / CENTS, [COPY]: 1 / CENTS },
    words: { [COPY]: ["symbol_copy"] },
  });
  return rows.flatMap(({ is_poison }, row) =>
    is_poison === undefined ? [] : [{ name, row, is_poison, is_flagged: ((spam[row] ?? 0) & LOOKALIKE_BIT) !== 0 }],
  );
});

test("finds poisoning with a precision and a recall of at least 0.98", () => {
  const count = (is_poison: boolean, is_flagged: boolean) =>
    judged.filter((one) => one.is_poison === is_poison && one.is_flagged === is_flagged).length;
  const [found, missed] = [count(true, true), count(true, false)];
  const [false_alarms, honest] = [count(false, true), count(false, false)];
  const [precision, recall] = [found / (found + false_alarms), found / (found + missed)];
  process.stdout.write(
    `poisoning: ${found} found, ${missed} missed, ${false_alarms} false, ${honest} honest; precision ${precision}, recall ${recall}\n`,
  );
  expect(judged.filter((one) => one.is_poison !== one.is_flagged)).toEqual([]);
  expect([found + missed >= 25, honest + false_alarms >= 40]).toEqual([true, true]);
  expect(precision).toBeGreaterThanOrEqual(GOAL);
  expect(recall).toBeGreaterThanOrEqual(GOAL);
});
