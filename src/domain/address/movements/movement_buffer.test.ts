import fc from "fast-check";
import { expect, test } from "vitest";
import { sized } from "../../../../test/long.ts";
import { columnsOf, type MovementRow, movementsOf, rowTexts } from "../../../../test/movements.ts";
import { hex } from "../../../lib/bytes.ts";
import { atOnce, PIECE_ROWS } from "../../../lib/turns.ts";
import { Movements } from "./movements.ts";

/** Each differs from the first one in one field. */
const KINDS_OF_ROWS: readonly Partial<MovementRow>[] = [
  {},
  { direction: -1 },
  { amount: 2n ** 200n },
  { token: hex("aa".repeat(20)) },
  { token_id: 7n },
  { peer: hex("bb".repeat(20)) },
  { kind: "wrap" },
  { is_own: true },
  { tx: 1 },
  { position: 1 },
  { time: 1 },
  { block: 9_000 },
];

/** A history often continues with the same rows as another. */
const row = (block: number, which: number): MovementRow => ({
  ...{ block, time: block * 12, direction: 1, token: "", amount: 5n },
  ...KINDS_OF_ROWS[which],
});

const rowsFrom = (block: number, drawn: readonly number[]) => drawn.map((which, i) => row(block + i, which));

interface BufferReading {
  readonly movements: Movements;
  /** Its expected rows. */
  readonly rows: readonly MovementRow[];
}

/** Its last rows: those in front of them were there before anything happened. */
const LAST = 200;

const textsOf = (movements: Movements) =>
  rowTexts(movements, { first: Math.max(0, movements.length - LAST), end: movements.length });

const isRight = ({ movements, rows }: BufferReading): void => {
  expect(movements.length).toBe(rows.length);
  expect(textsOf(movements)).toEqual(textsOf(movementsOf(rows.slice(-LAST))));
};

/** A new history: `cut` rows of another one, followed by `drawn` rows. */
const begin = ({ movements, rows }: BufferReading, cut: number, drawn: readonly number[]) => {
  const length = Math.max(0, rows.length - cut);
  const newer = rowsFrom(length, drawn);
  const pieces = movements.with(length, columnsOf(newer), { from: 0, to: newer.length });
  return { pieces, rows: [...rows.slice(0, length), ...newer] };
};

/** Mostly equal, so that histories often meet. */
const which = fc.oneof({ weight: 6, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: fc.nat({ max: 11 }) });

const step = fc.record({
  on: fc.nat({ max: 1_000 }),
  cut: fc.nat({ max: 6 }),
  drawn: fc.array(which, { maxLength: 90 }),
  /** Another one goes on from the same history meanwhile, or it is given up in the middle. */
  meanwhile: fc.option(fc.array(which, { maxLength: 5 })),
  is_given_up: fc.boolean(),
});

/** As many as are written before the next ones wait for their turn in the middle. */
const BEFORE = rowsFrom(
  0,
  Array.from({ length: PIECE_ROWS - 8 }, (_, i) => i % 4),
);

test("histories with the same beginning share its rows and do not see each other's later rows", () => {
  let waits = 0;
  fc.assert(
    fc.property(fc.array(step, { minLength: 3, maxLength: 14 }), (steps) => {
      const all: BufferReading[] = [{ movements: movementsOf(BEFORE), rows: BEFORE }];
      for (const { on, cut, drawn, meanwhile, is_given_up } of steps) {
        const from = all[on % all.length];
        if (from === undefined) throw new Error("there is always one");
        const begun = begin(from, cut, drawn);
        const first = begun.pieces.next();
        if (first.done !== true) waits += 1;
        if (meanwhile !== null) {
          const other = begin(from, cut, meanwhile);
          all.push({ movements: atOnce(other.pieces), rows: other.rows });
        }
        if (first.done === true) all.push({ movements: first.value, rows: begun.rows });
        else if (!is_given_up) all.push({ movements: atOnce(begun.pieces), rows: begun.rows });
        for (const one of all) isRight(one);
      }
    }),
    { numRuns: sized({ slice: 60, long: 600 }) },
  );
  expect(waits).toBeGreaterThan(0);
});

test("two rows that differ in one thing alone are not the same", () => {
  const begun = movementsOf(rowsFrom(0, [0, 0, 0]));
  for (const which of KINDS_OF_ROWS.keys()) {
    const one = atOnce(begun.with(2, columnsOf(rowsFrom(2, [which])), { from: 0, to: 1 }));
    isRight({ movements: one, rows: rowsFrom(0, [0, 0, which]) });
    expect(one.block_number.buffer === begun.block_number.buffer).toBe(which === 0);
  }
});

test("appends rows after the last one without copying until the room is full", () => {
  const rows = rowsFrom(
    0,
    Array.from({ length: 4_000 }, () => 1),
  );
  let movements = movementsOf(rows);
  let memories = 0;
  for (let block = 4_000; block < 5_000; block += 1) {
    const next = atOnce(movements.with(movements.length, columnsOf([row(block, 0)]), { from: 0, to: 1 }));
    if (next.block_number.buffer !== movements.block_number.buffer) memories += 1;
    movements = next;
  }
  expect(movements.length).toBe(5_000);
  // One of 4,000 rows has room for 500 more, the next one, of 4,501, for 562.
  expect(memories).toBe(1);
});

test("existing rows are not appended again", () => {
  const final = movementsOf(rowsFrom(0, [0, 1, 2]));
  const tail = columnsOf(rowsFrom(3, [0, 1, 3, 2]));
  const all = atOnce(final.with(3, tail, { from: 0, to: 4 }));
  // Two of them have become final, and one came.
  const later = atOnce(final.with(3, tail, { from: 2, to: 4 }));
  const newest = atOnce(later.with(5, columnsOf(rowsFrom(5, [3, 2, 1])), { from: 0, to: 3 }));
  for (const one of [later, newest]) expect(one.block_number.buffer).toBe(all.block_number.buffer);
  expect(textsOf(newest)).toEqual(textsOf(movementsOf(rowsFrom(0, [0, 1, 2, 0, 1, 3, 2, 1]))));
  // Another block instead of the last one is another history.
  const other = atOnce(later.with(5, columnsOf(rowsFrom(5, [0])), { from: 0, to: 1 }));
  expect(other.block_number.buffer).not.toBe(all.block_number.buffer);
  expect(textsOf(all)).toEqual(textsOf(movementsOf(rowsFrom(0, [0, 1, 2, 0, 1, 3, 2]))));
});

test("an aborted write leaves no counted rows", () => {
  const many = rowsFrom(
    3,
    Array.from({ length: PIECE_ROWS * 2 }, () => 1),
  );
  const roomy = atOnce(
    Movements.empty().with(
      0,
      columnsOf(
        rowsFrom(
          0,
          Array.from({ length: PIECE_ROWS * 20 }, () => 1),
        ),
      ),
      {
        from: 0,
        to: PIECE_ROWS * 20,
      },
    ),
  );
  const pieces = roomy.with(3, columnsOf(many), { from: 0, to: many.length });
  pieces.next();
  expect(textsOf(atOnce(roomy.with(3, columnsOf(many), { from: 0, to: many.length })))).toEqual(
    textsOf(movementsOf([...rowsFrom(0, [1, 1, 1]), ...many])),
  );
});
