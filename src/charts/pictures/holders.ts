import { scaleLinear } from "d3-scale";
import { line as lineOf } from "d3-shape";
import { levels } from "../axes.ts";
import { type Canvas, empty, framed, hatchOf, label, line, MARGIN, rect, SIZE, TOP } from "../frame.ts";
import { el, type SvgChild, type SvgNode } from "../node.ts";
import { percent } from "../numbers.ts";
import { type AnswerJson, byLargest, numberAt, rowsAt, sizeAt, textAt } from "../read.ts";
import { filled, stroked } from "../theme.ts";
import { displayName, plural } from "../words.ts";

const TITLE = "How the token is spread";
const HEIGHT = 230;
const POINTS_MAX = 400;

interface HolderShareList {
  /** Percent of the supply, largest first. */
  readonly shares: readonly number[];
  /** All holders; at least those that are listed. */
  readonly count: number;
}

const spreadOf = (answer: AnswerJson): HolderShareList => {
  const known = rowsAt(answer, "holders").flatMap((row) => sizeAt(row, "ownership_percentage") ?? []);
  const shares = byLargest(known, (share) => share);
  return { shares, count: Math.max(shares.length, sizeAt(answer, "concentration.holders_ranked") ?? 0) };
};

const TOPS = [1, 10, 50, 100] as const;

/** The Lorenz curve of the listed holders, what is not listed hatched, and the shares of the largest ones beside it. */
export const holders = (answer: AnswerJson, canvas: Canvas): SvgNode => {
  const spread = spreadOf(answer);
  if (spread.shares.length === 0) return empty(canvas, TITLE, "No holder's share is known.");
  const gini = numberAt(answer, "concentration.gini");
  const first = rowsAt(answer, "holders")[0];
  const name = displayName(textAt(first, "address_label") ?? textAt(first, "address"));
  const headline = `${plural(spread.count, "holder")}; largest ${name} ${percent(spread.shares[0] ?? null)}; Gini ${gini === null ? "unknown" : gini.toFixed(2)}`;
  const tops = TOPS.map((top) => `top ${top}: ${percent(numberAt(answer, `concentration.all.top${top}_percent`))}`);
  const wide = canvas.width >= 560;
  const chart = { left: MARGIN + 46, width: wide ? canvas.width * 0.5 - 60 : canvas.width - 2 * MARGIN - 50 };
  const below = wide ? 0 : 222;
  return framed(canvas, TOP + HEIGHT + 30 + below, {
    words: { title: TITLE, headline, description: `${headline}. ${tops.join(", ")}.` },
    content: [
      curve(canvas, spread, chart),
      bars(answer, {
        x: wide ? canvas.width * 0.5 + 20 : MARGIN,
        y: wide ? TOP : TOP + HEIGHT + 46,
        width: wide ? canvas.width * 0.5 - 20 - MARGIN : canvas.width - 2 * MARGIN,
      }),
    ],
  });
};

/** Points of the curve from the largest holder backwards: [part of the holders, part of the supply], 0..1. */
export const lorenz = ({ shares, count }: HolderShareList): readonly [number, number][] => {
  const points: [number, number][] = [[1, 1]];
  let left = 100;
  const step = Math.max(1, Math.ceil(shares.length / POINTS_MAX));
  shares.forEach((share, i) => {
    left = Math.max(0, left - share);
    if ((i + 1) % step === 0 || i === shares.length - 1) points.push([1 - (i + 1) / count, left / 100]);
  });
  // When all holders are listed, the remainder is rounding, or shares above the whole.
  const last = points.at(-1);
  if (last !== undefined && shares.length === count) last[1] = 0;
  return points.reverse();
};

const curve = (canvas: Canvas, spread: HolderShareList, { left, width }: { left: number; width: number }): SvgChild => {
  const right = left + width;
  const bottom = TOP + HEIGHT;
  const x = scaleLinear([0, 1], [left, right]);
  const y = scaleLinear([0, 100], [bottom, TOP + 4]);
  const points = lorenz(spread).map(([a, b]): [number, number] => [x(a), y(b * 100)]);
  const [from] = points;
  const path = lineOf().digits(2);
  const is_partial = spread.shares.length < spread.count && from !== undefined;
  return [
    ...levels(y, { left, right, from: 0, to: 100, unit: "percent", count: 4 }),
    // Between an even spread among those that are not listed and the axis lies their curve.
    is_partial && from !== undefined
      ? el("path", {
          d: `M${x(0)},${y(0)}L${from[0].toFixed(2)},${from[1].toFixed(2)}V${y(0)}Z`,
          fill: hatchOf(canvas),
          "fill-opacity": 0.55,
        })
      : null,
    line(left, bottom, { x2: right, y2: y(100), colour: "axis", dash: "4 3" }),
    label("even", { x: x(0.42), y: y(47), size: SIZE.small, colour: "muted", anchor: "end" }),
    el("path", { d: path(points), ...stroked("up", 2.5) }),
    ...(points.length > 40 ? [] : points.map(([cx, cy]) => el("circle", { cx, cy, r: 3, ...filled("up") }))),
    label("holders, smallest first", {
      x: left,
      y: bottom + 17,
      size: SIZE.small,
      colour: "muted",
      width: width * 0.6,
    }),
    label(
      is_partial
        ? `${spread.shares.length.toLocaleString("en-US")} of ${spread.count.toLocaleString("en-US")} listed`
        : "100 %",
      {
        x: right,
        y: bottom + 17,
        size: SIZE.small,
        colour: "muted",
        anchor: "end",
        width: width * 0.4,
      },
    ),
    label("share of the supply", { x: left + 6, y: TOP + 18, size: SIZE.small, colour: "muted", width: width * 0.6 }),
  ];
};

interface HolderBarPosition {
  readonly x: number;
  readonly y: number;
  readonly width: number;
}

const bars = (answer: AnswerJson, { x, y, width }: HolderBarPosition): SvgChild => [
  label("The largest holders have", { x, y: y + 8, bold: true, width }),
  ...TOPS.flatMap((top, i) => {
    const all = sizeAt(answer, `concentration.all.top${top}_percent`);
    const adjusted = sizeAt(answer, `concentration.adjusted.top${top}_percent`);
    const at = y + 26 + i * 46;
    const room = width - 58;
    const long = (share: number | null): number => (room * Math.min(100, share ?? 0)) / 100;
    return [
      label(`top ${top}`, { x, y: at + 14, size: SIZE.small }),
      rect({ x: x + 50, y: at, width: room, height: 12 }, filled("neutral_soft")),
      rect({ x: x + 50, y: at, width: long(all), height: 12 }, filled("up")),
      rect({ x: x + 50, y: at + 14, width: long(adjusted), height: 5 }, filled("ink")),
      label(`${percent(all)}; ${percent(adjusted)} without pools and services`, {
        x: x + 50,
        y: at + 33,
        size: SIZE.small,
        colour: "muted",
        width: room,
      }),
    ];
  }),
];
