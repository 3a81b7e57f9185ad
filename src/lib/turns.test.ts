import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, test } from "vitest";
import { atOnce, inTurns, type Pieces } from "./turns.ts";

/** Busy for `ms` milliseconds a piece. */
function* counted(pieces: number, ms: number, note: (nth: number) => void = () => undefined): Pieces<number> {
  let sum = 0;
  for (let nth = 0; nth < pieces; nth += 1) {
    const until = performance.now() + ms;
    while (performance.now() < until) sum += 0;
    sum += nth;
    note(nth);
    yield;
  }
  return sum;
}

test("returns the same result at once and in turns", async () => {
  expect(atOnce(counted(10, 0))).toBe(45);
  expect(await inTurns(counted(10, 1))).toBe(45);
});

test("lets other work run between pieces, and runs one computation per turn of the loop", async () => {
  const order: string[] = [];
  let is_over = false;
  const note = (name: string) => (nth: number) => order.push(`${name}${nth}`);
  const beside = async (): Promise<void> => {
    while (!is_over) {
      await nextTurn();
      order.push("-");
    }
  };
  const watched = beside();
  // A piece is longer than a turn, so that each is followed by the end of it.
  await Promise.all([inTurns(counted(4, 6, note("a"))), inTurns(counted(4, 6, note("b")))]);
  is_over = true;
  await watched;
  // The first pieces run where they are called; from then on a turn of the loop has one.
  const turns = order.slice(2).join("").split("-");
  expect(Math.max(...turns.map((turn) => turn.length / 2))).toBe(1);
  expect(order.filter((one) => one !== "-")).toHaveLength(8);
});

test("ends an aborted computation at its next turn", async () => {
  const stop = new AbortController();
  let pieces = 0;
  const running = inTurns(
    counted(1_000, 6, () => {
      pieces += 1;
      if (pieces === 3) stop.abort(new Error("late"));
    }),
    stop.signal,
  );
  await expect(running).rejects.toThrow("late");
  expect(pieces).toBe(3);
});
