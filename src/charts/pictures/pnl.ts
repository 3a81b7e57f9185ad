import { ticks } from "d3-array";
import { scaleLinear } from "d3-scale";
import { line as lineOf } from "d3-shape";
import { type Canvas, empty, framed, keys, label, line, MARGIN, rect, SIZE, TOP, unknownArea } from "../frame.ts";
import { el, type SvgNode } from "../node.ts";
import { signedUsd, tickOf, usd } from "../numbers.ts";
import { type AnswerJson, byLargest, firstOf, knownSum, numberAt, rowsAt, sizeAt, sum, textAt } from "../read.ts";
import { filled, stroked } from "../theme.ts";
import { displayName, plural } from "../words.ts";

const TITLE = "Profit and loss by token";
const ROWS_MAX = 14;
const ROW = 26;
/** Height of a line of small text. */
const LINE = 16;

interface PnlBar {
  readonly name: string;
  /** USD; null: not known. */
  readonly total: number | null;
  readonly detail: string;
}

const barOf = (row: AnswerJson): PnlBar => {
  const [realized, unrealized] = [numberAt(row, "pnl.realized_usd"), numberAt(row, "pnl.unrealized_usd")];
  return {
    name: displayName(textAt(row, "token_symbol") ?? textAt(row, "token_address")),
    total: numberAt(row, "pnl.total_usd") ?? knownSum([realized, unrealized]),
    detail: `realized ${signedUsd(realized)}, unrealized ${signedUsd(unrealized)}`,
  };
};

const summed = (bars: readonly PnlBar[]): readonly PnlBar[] => {
  if (bars.length === 0) return [];
  const known = bars.filter(({ total }) => total !== null);
  const name = plural(bars.length, "other");
  const unknown = bars.length - known.length;
  const detail = unknown === 0 ? "summed up" : `${plural(unknown, "of them", "of them")} unknown`;
  return [{ name, total: known.length === 0 ? null : sum(known.map(({ total }) => total ?? 0)), detail }];
};

/** Tokens of other pages: the total minus the tokens shown. */
const elsewhere = (answer: AnswerJson, bars: readonly PnlBar[]): readonly PnlBar[] => {
  const total = numberAt(answer, "summary.total_pnl_usd");
  const count = (sizeAt(answer, "summary.total_tokens") ?? 0) - bars.length;
  const here = sum(bars.map((bar) => bar.total ?? 0));
  if (total === null || count < 1) return [];
  return [{ name: `${count.toLocaleString("en-US")} more`, total: total - here, detail: "on other pages" }];
};

/** Value of holdings without a known cost, in no profit or loss; "" without any. */
const uncostedText = (answer: AnswerJson): string => {
  const uncosted = numberAt(answer, "summary.uncosted_value_usd") ?? 0;
  return uncosted === 0 ? "" : `${usd(uncosted)} held at unknown cost`;
};

/** Bars of every token, and where each of them takes the sum: its last point is the whole. */
export const pnl = (answer: AnswerJson, canvas: Canvas): SvgNode => {
  const all = byLargest(rowsAt(answer, "data").map(barOf), ({ total }) => total);
  if (all.length === 0) return empty(canvas, TITLE, "The wallet has no token with a profit or a loss.");
  const kept = firstOf(all, ROWS_MAX);
  const bars = [...kept.shown, ...summed(kept.rest), ...elsewhere(answer, all)];
  const sums = bars.map((_, i) => sum(bars.slice(0, i + 1).map(({ total }) => total ?? 0)));
  const unknown = bars.filter(({ total }) => total === null).length;
  const [realized, unrealized] = ["realized", "unrealized"].map((part) =>
    signedUsd(numberAt(answer, `summary.total_${part}_pnl_usd`)),
  );
  const whole = signedUsd(numberAt(answer, "summary.total_pnl_usd"));
  const headline = `${whole} in all: ${realized} realized, ${unrealized} unrealized`;
  const uncosted = uncostedText(answer);
  const told = bars.slice(0, 6).map(({ name, total }) => `${name} ${signedUsd(total)}`);
  const bottom = TOP + bars.length * ROW;
  return framed(canvas, bottom + (uncosted === "" ? 52 : 52 + LINE), {
    words: {
      title: TITLE,
      headline,
      description: `${headline}${uncosted === "" ? "" : `; ${uncosted}`}, over ${plural(all.length, "token")}. ${told.join(", ")}${bars.length > 6 ? ", …" : ""}.`,
    },
    content: [
      drawn(canvas, bars, sums),
      legend(canvas, bottom + 40, unknown),
      label(uncosted, { x: MARGIN, y: bottom + 40 + LINE, size: SIZE.small, colour: "muted" }),
    ],
  });
};

const legend = (canvas: Canvas, y: number, unknown: number): readonly SvgNode[] =>
  keys(
    canvas,
    [
      { text: "+ profit", colour: "up" },
      { text: "\u2212 loss", colour: "down" },
      { text: "sum so far", colour: "ink", shape: "line" },
      ...(unknown === 0 ? [] : [{ text: "unknown", colour: "unknown" } as const]),
    ],
    { x: MARGIN, y },
  );

const drawn = (canvas: Canvas, bars: readonly PnlBar[], sums: readonly number[]): SvgNode => {
  const left = MARGIN + Math.min(120, canvas.width * 0.24);
  const detail = canvas.width >= 640 ? 236 : 0;
  const right = canvas.width - MARGIN - detail;
  const values = [0, ...sums, ...bars.map(({ total }) => total ?? 0)];
  const [low, high] = [Math.min(...values), Math.max(...values)];
  // Room beside the bars for what they are worth.
  const x = scaleLinear([low, high > low ? high : low + 1], [left + (low < 0 ? 62 : 4), right - 62]);
  const bottom = TOP + bars.length * ROW;
  return el(
    "g",
    {},
    ...axis(canvas, x, bottom),
    ...bars.map((bar, i) => shape(canvas, bar, { x, y: TOP + i * ROW })),
    cumulative(sums, x),
    ...bars.map((bar, i) => words(canvas, bar, { x, y: TOP + i * ROW, left, right, detail })),
  );
};

type Scale = (value: number) => number;

const axis = (canvas: Canvas, x: Scale & { domain(): number[] }, bottom: number): readonly (SvgNode | null)[] => {
  const [low = 0, high = 1] = x.domain();
  return ticks(low, high, canvas.width < 520 ? 3 : 5).flatMap((tick) => [
    line(x(tick), TOP - 2, { x2: x(tick), y2: bottom + 4, colour: tick === 0 ? "axis" : "grid" }),
    label(tickOf(tick, "usd"), { x: x(tick), y: bottom + 17, size: SIZE.small, anchor: "middle", colour: "muted" }),
  ]);
};

const shape = (canvas: Canvas, { total }: PnlBar, { x, y }: { x: Scale; y: number }): SvgNode => {
  const place = { y: y + 5, height: ROW - 10 };
  const [zero, end] = [x(0), x(total ?? 0)];
  if (total === null) return unknownArea(canvas, { ...place, x: zero, width: 46 });
  const colour = total < 0 ? "down" : "up";
  return rect({ ...place, x: Math.min(zero, end), width: Math.abs(end - zero) }, filled(colour));
};

interface PnlBarPosition {
  readonly x: Scale;
  readonly y: number;
  readonly left: number;
  readonly right: number;
  readonly detail: number;
}

const words = (
  canvas: Canvas,
  { name, total, detail }: PnlBar,
  { x, y, ...at }: PnlBarPosition,
): readonly (SvgNode | null)[] => {
  const baseline = y + ROW / 2 + 4;
  const is_loss = (total ?? 0) < 0;
  const beside = total === null ? x(0) + 52 : x(total) + (is_loss ? -8 : 8);
  const anchor = is_loss ? "end" : "start";
  return [
    label(name, { x: MARGIN, y: baseline, width: at.left - MARGIN - 8 }),
    label(signedUsd(total), { x: beside, y: baseline, size: SIZE.small, anchor, halo: true }),
    at.detail === 0
      ? null
      : label(detail, {
          x: at.right + 10,
          y: baseline,
          size: SIZE.small,
          colour: "muted",
          width: canvas.width - MARGIN - at.right - 10,
        }),
  ];
};

const cumulative = (sums: readonly number[], x: Scale): SvgNode => {
  const points = sums.map((value, i): [number, number] => [x(value), TOP + i * ROW + ROW / 2]);
  return el(
    "g",
    {},
    el("path", { d: lineOf().digits(2)(points), ...stroked("ink", 1.5), "stroke-dasharray": "4 3" }),
    ...points.map(([cx, cy]) => el("circle", { cx, cy, r: 2.5, ...filled("ink") })),
  );
};
