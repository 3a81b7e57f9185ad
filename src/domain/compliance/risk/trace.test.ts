import fc from "fast-check";
import { expect, test } from "vitest";
import { named } from "../../../../test/named.ts";
import type { Hex } from "../../../lib/bytes.ts";
import { type TraceQuery, trace } from "./trace.ts";
import type { AssetMovement } from "./value_events.ts";

const [W, MIXER, THIEF] = [named("wallet"), named("mixer"), named("thief")];
const [P, Q, R, CLEAN] = [named("p"), named("q"), named("r"), named("clean")];

const at = (block_number: number) => ({ block_number, tx_index: 0 });

/** `[source, destination, usd]` in a coin of one dollar, one second after the other, each in a block of its own. */
const story = (...steps: readonly (readonly [Hex, Hex, number])[]): readonly AssetMovement[] =>
  steps.map(([source, destination, usd], time) => ({
    ...{ source, destination, asset: "usdc", amount: usd * 1e6, usd, is_limited: false, time, tx: at(time) },
  }));

const asked = (more: Partial<TraceQuery> = {}): TraceQuery => ({
  wallet: W,
  flagged: new Set([MIXER]),
  through: new Set([P, Q, R]),
  method: "haircut",
  ...more,
});

const sums = (moves: readonly AssetMovement[], question = asked()) =>
  trace(moves, question).trails.map(({ direction, path, usd }) => [direction, path.join(" "), usd]);

test("a payment of a flagged address to the wallet is one step away", () => {
  const traced = trace(story([MIXER, W, 300], [CLEAN, W, 700]), asked());
  expect(traced.trails).toEqual([
    {
      direction: "in",
      source: MIXER,
      path: [MIXER, W],
      txs: [at(0)],
      hops: 1,
      usd: 300,
      is_dust: false,
      first_time: 0,
      last_time: 0,
    },
  ]);
  expect(traced.totals).toEqual({ in: 1_000, out: 0 });
});

test("a pass-through wallet passes on the share of the mixer's money that it holds", () => {
  // p holds 400 of the mixer in 1600: a payment of 800 carries 200.
  const moves = story([CLEAN, P, 1_200], [MIXER, P, 400], [P, W, 800], [CLEAN, W, 1_200]);
  const { trails, totals } = trace(moves, asked());
  expect(trails).toMatchObject([{ usd: 200, path: [MIXER, P, W], txs: [at(1), at(2)], first_time: 2 }]);
  expect(totals.in).toBe(2_000);
});

test("money that came after the payment is not in it", () => {
  expect(sums(story([CLEAN, P, 1_000], [P, W, 1_000], [MIXER, P, 1_000]))).toEqual([]);
});

test("each unit is counted once: a pass-through wallet no longer holds what it paid before", () => {
  // p gets 1000 of the mixer and pays 900 to q; only 100 are left for the wallet, and later clean ones.
  const moves = story([MIXER, P, 1_000], [P, CLEAN, 900], [CLEAN, P, 900], [P, W, 1_000]);
  expect(sums(moves)).toEqual([["in", "mixer p wallet", 100]]);
});

test("money that the wallet paid and received again is not counted twice", () => {
  expect(sums(story([MIXER, W, 500], [W, P, 500], [P, W, 500]))).toEqual([["in", "mixer wallet", 500]]);
});

test("no number of steps ends a trace, and a path shows no loop", () => {
  expect(sums(story([MIXER, P, 200], [P, Q, 200], [Q, R, 200], [R, W, 200]))).toEqual([
    ["in", "mixer p q r wallet", 200],
  ]);
  const loop = trace(story([MIXER, P, 200], [P, Q, 200], [Q, P, 200], [P, W, 200]), asked());
  expect(loop.trails).toMatchObject([{ usd: 200, path: [MIXER, P, W], txs: [at(0), at(3)], hops: 4 }]);
});

test("value is not followed through an address outside the walk", () => {
  expect(sums(story([MIXER, P, 200], [P, W, 200]), asked({ through: new Set() }))).toEqual([]);
});

test("outgoing money is followed to its end, pro rata", () => {
  // The wallet's 100 are half of p's holdings: of the 120 that reach the mixer 60 are its own.
  const moves = story([CLEAN, P, 100], [W, P, 100], [P, MIXER, 120], [W, CLEAN, 300]);
  const { trails, totals } = trace(moves, asked());
  expect(trails).toMatchObject([
    { direction: "out", source: MIXER, path: [W, P, MIXER], usd: 60, txs: [at(1), at(2)] },
  ]);
  expect(totals).toEqual({ in: 0, out: 400 });
});

test("little money of a source is dust, unless the wallet pays its sender afterwards", () => {
  const dust = (moves: readonly AssetMovement[]) =>
    trace(moves, asked()).trails.map(({ direction, usd, is_dust }) => [direction, usd, is_dust]);
  expect(dust(story([MIXER, W, 99.99]))).toEqual([["in", 99.99, true]]);
  expect(dust(story([MIXER, W, 60], [MIXER, W, 40]))).toEqual([["in", 100, false]]);
  expect(dust(story([W, MIXER, 10], [MIXER, W, 99]))).toEqual([
    ["in", 99, true],
    ["out", 10, false],
  ]);
  expect(dust(story([MIXER, W, 99], [W, MIXER, 10]))).toEqual([
    ["in", 99, false],
    ["out", 10, false],
  ]);
});

test("the transactions shown are those of the largest sum on the path", () => {
  const { trails } = trace(story([MIXER, W, 200], [MIXER, W, 500], [MIXER, W, 300]), asked());
  expect(trails).toMatchObject([{ usd: 1_000, txs: [at(1)], first_time: 0, last_time: 2 }]);
});

const people = [W, MIXER, THIEF, P, Q, R, CLEAN];
const stories = fc
  .array(
    fc.tuple(
      fc.constantFrom(...people),
      fc.constantFrom(...people),
      fc.double({ min: 0.01, max: 1e6, noNaN: true, noDefaultInfinity: true }),
    ),
    { maxLength: 60 },
  )
  .map((steps) => story(...steps.filter(([source, destination]) => source !== destination)));
const question = asked({ flagged: new Set([MIXER, THIEF]) });

test("the traced value never exceeds the income, the payments, or the sources' own flows", () => {
  fc.assert(
    fc.property(stories, (moves) => {
      const { trails, totals } = trace(moves, question);
      const total = (list: typeof trails) => list.reduce((sum, { usd }) => sum + usd, 0);
      const sent = (source: Hex) =>
        moves.filter((move) => move.source === source).reduce((sum, { usd }) => sum + (usd ?? 0), 0);
      const slack = 1e-6;
      for (const direction of ["in", "out"] as const) {
        expect(total(trails.filter((trail) => trail.direction === direction))).toBeLessThanOrEqual(
          totals[direction] + slack,
        );
      }
      for (const source of [MIXER, THIEF]) {
        const traced = total(trails.filter((trail) => trail.direction === "in" && trail.source === source));
        expect(traced).toBeLessThanOrEqual(sent(source) + slack);
      }
    }),
  );
});

test("each step of a path is a real transfer, in order of time", () => {
  fc.assert(
    fc.property(stories, (moves) => {
      for (const { path, txs } of trace(moves, question).trails) {
        expect(txs).toHaveLength(path.length - 1);
        const steps = txs.map((scope) => moves.find(({ tx }) => tx === scope));
        expect(steps.map((step) => [step?.source, step?.destination])).toEqual(
          path.slice(1).map((address, i) => [path[i], address]),
        );
        const times = steps.map((step) => step?.time ?? Number.NaN);
        expect(times).toEqual([...times].sort((a, b) => a - b));
      }
    }),
  );
});
