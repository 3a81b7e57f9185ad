import { scaleLinear } from "d3-scale";
import { levels, times } from "../axes.ts";
import { type Canvas, empty, framed, keys, label, line, MARGIN, rect, SIZE, TOP, unknownArea } from "../frame.ts";
import { el, type SvgNode } from "../node.ts";
import { amount, day, usd } from "../numbers.ts";
import { type AnswerJson, byLargest, numberAt, rowsAt, sizeAt, textAt, timeAt } from "../read.ts";
import { filled } from "../theme.ts";
import { displayName, plural } from "../words.ts";

const TITLE = "Inflow and outflow over time";
const PANEL = 96;
const STUB = 9;
const HOUR_MS = 3_600_000;

interface TransferPoint {
  readonly time: number;
  readonly is_in: boolean;
  readonly usd: number | null;
  readonly what: string;
}

interface TransferBin {
  in: number;
  out: number;
  /** Moves without a price. */
  in_unknown: number;
  out_unknown: number;
}

interface BinSpan {
  readonly from: number;
  readonly to: number;
}

const transferPoints = (answer: AnswerJson): readonly TransferPoint[] =>
  rowsAt(answer, "data").flatMap((row) => {
    const time = timeAt(row, "timestamp");
    const direction = textAt(row, "direction");
    if (time === null || (direction !== "in" && direction !== "out")) return [];
    const what = `${amount(sizeAt(row, "amount"))} ${displayName(textAt(row, "token"))}`;
    return [{ time, is_in: direction === "in", usd: sizeAt(row, "usd_value"), what }];
  });

/** Moves of the same stretch of time are one bar. */
const binned = (moves: readonly TransferPoint[], { from, to }: BinSpan, count: number): readonly TransferBin[] => {
  const bins = Array.from({ length: count }, (): TransferBin => ({ in: 0, out: 0, in_unknown: 0, out_unknown: 0 }));
  for (const move of moves) {
    const bin = bins[Math.min(count - 1, Math.floor(((move.time - from) / (to - from)) * count))];
    if (bin === undefined) continue;
    const side = move.is_in ? "in" : "out";
    if (move.usd === null) bin[`${side}_unknown`] += 1;
    else bin[side] += move.usd;
  }
  return bins;
};

const spanOf = (moves: readonly TransferPoint[]): BinSpan => {
  let [from, to] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const { time } of moves) [from, to] = [Math.min(from, time), Math.max(to, time)];
  return to - from < HOUR_MS ? { from: from - 12 * HOUR_MS, to: to + 12 * HOUR_MS } : { from, to };
};

/** Bars over time, in above and out below; what has no price is a hatched stub, and no height. */
export const transactions = (answer: AnswerJson, canvas: Canvas): SvgNode => {
  const rows = rowsAt(answer, "data").length;
  const moves = transferPoints(answer);
  if (moves.length === 0) return empty(canvas, TITLE, "No movement in this answer has a time.");
  const span = spanOf(moves);
  const unpriced = moves.filter((move) => move.usd === null).length;
  const totals = ["in", "out"].map((side) => usd(numberAt(answer, `summary.total_${side}_usd`)));
  const without = unpriced === 0 ? "" : `, ${unpriced.toLocaleString("en-US")} without a price`;
  const headline = `${totals[0]} in, ${totals[1]} out in ${plural(rows, "row")}${without}`;
  const largest = byLargest(moves, (move) => move.usd).slice(0, 3);
  const told = largest.map(
    ({ time, is_in, what, usd: value }) => `${is_in ? "in" : "out"} ${what} (${usd(value)}) on ${day(time)}`,
  );
  return framed(canvas, TOP + 2 * PANEL + 58, {
    words: {
      title: TITLE,
      headline,
      description: `${headline}, from ${day(span.from)} to ${day(span.to)}. Largest: ${told.join("; ")}.`,
    },
    content: [
      drawn(canvas, moves, span),
      ...keys(
        canvas,
        [
          { text: "▲ in", colour: "up" },
          { text: "▼ out", colour: "down" },
          ...(unpriced === 0 ? [] : [{ text: "no price", colour: "unknown" } as const]),
        ],
        { x: MARGIN, y: TOP + 2 * PANEL + 46 },
      ),
    ],
  });
};

const drawn = (canvas: Canvas, moves: readonly TransferPoint[], span: BinSpan): SvgNode => {
  const [left, right] = [MARGIN + 52, canvas.width - MARGIN];
  const bins = binned(moves, span, Math.max(12, Math.floor((right - left) / 12)));
  const most = Math.max(0, ...bins.flatMap((bin) => [bin.in, bin.out]));
  const [zero, top, bottom] = [TOP + PANEL, TOP + STUB, TOP + 2 * PANEL - STUB];
  const y = scaleLinear([-(most || 1), most || 1], [bottom, top]);
  const x = scaleLinear([span.from, span.to], [left, right]);
  const width = (right - left) / bins.length;
  return el(
    "g",
    {},
    ...times(x, { from_ms: span.from, to_ms: span.to, left, right, top: TOP, bottom: TOP + 2 * PANEL }),
    ...(most === 0 ? [] : levels(y, { left, right, from: -most, to: most, unit: "usd", count: 5, mirrored: true })),
    line(left, zero, { x2: right, y2: zero, colour: "axis" }),
    ...bins.map((bin, i) => barsOf(canvas, bin, { x: left + i * width + 1, width: Math.max(1, width - 2), y, zero })),
    label("in", { x: MARGIN, y: TOP + 14, size: SIZE.small, bold: true }),
    label("out", { x: MARGIN, y: TOP + 2 * PANEL - 6, size: SIZE.small, bold: true }),
  );
};

interface BinPosition {
  readonly x: number;
  readonly width: number;
  readonly y: (value: number) => number;
  readonly zero: number;
}

const barsOf = (canvas: Canvas, bin: TransferBin, { x, width, y, zero }: BinPosition): SvgNode | null => {
  if (bin.in + bin.out + bin.in_unknown + bin.out_unknown === 0) return null;
  const [above, below] = [y(bin.in), y(-bin.out)];
  return el(
    "g",
    {},
    bin.in === 0 ? null : rect({ x, y: above, width, height: zero - above }, filled("up")),
    bin.out === 0 ? null : rect({ x, y: zero, width, height: below - zero }, filled("down")),
    bin.in_unknown === 0 ? null : unknownArea(canvas, { x, y: above - STUB, width, height: STUB - 1 }),
    bin.out_unknown === 0 ? null : unknownArea(canvas, { x, y: below + 1, width, height: STUB - 1 }),
  );
};
