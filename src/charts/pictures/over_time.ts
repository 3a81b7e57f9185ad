import { scaleLinear } from "d3-scale";
import { levels, times } from "../axes.ts";
import { type Canvas, empty, framed, hatchOf, keys, type LegendKey, MARGIN, rect, TOP } from "../frame.ts";
import { el, type SvgChild, type SvgNode } from "../node.ts";
import { day, signedUsd, usd } from "../numbers.ts";
import { type AnswerJson, numberAt, rowsAt, timeAt } from "../read.ts";
import { type Colour, filled, stroked } from "../theme.ts";

const HEIGHT = 190;
/** As many as a series has at most. */
const STEPS_MAX = 400;

interface SeriesStep {
  /** Milliseconds of its last second. */
  readonly at: number;
  /** Null: not known at this step. */
  readonly values: readonly (number | null)[];
}

interface SeriesLine {
  readonly field: string;
  readonly text: string;
  readonly colour: Colour;
  /** Distinguishes the line without colour. */
  readonly dash: string | null;
}

interface SeriesPicture {
  readonly title: string;
  /** The first one is the figure of the headline. */
  readonly lines: readonly SeriesLine[];
}

const stepsOf = (answer: AnswerJson, lines: readonly SeriesLine[]): readonly SeriesStep[] =>
  rowsAt(answer, "steps")
    .slice(-STEPS_MAX)
    .flatMap((row) => {
      const at = timeAt(row, "until");
      return at === null ? [] : [{ at, values: lines.map(({ field }) => numberAt(row, field)) }];
    })
    .toSorted((a, b) => a.at - b.at);

/** Runs of known points: an unknown step interrupts a line instead of being bridged. */
const runsOf = (steps: readonly SeriesStep[], line: number): readonly (readonly (readonly [number, number])[])[] => {
  const runs: (readonly [number, number])[][] = [[]];
  for (const { at, values } of steps) {
    const value = values[line] ?? null;
    if (value === null) runs.push([]);
    else runs.at(-1)?.push([at, value]);
  }
  return runs.filter((run) => run.length > 0);
};

interface SeriesScales {
  readonly x: (value: number) => number;
  readonly y: (value: number) => number;
}

const lineNodes = (
  steps: readonly SeriesStep[],
  [line, i]: readonly [SeriesLine, number],
  { x, y }: SeriesScales,
): SvgChild =>
  runsOf(steps, i).flatMap((run) => [
    el("polyline", {
      points: run.map(([at, value]) => `${x(at).toFixed(1)},${y(value).toFixed(1)}`).join(" "),
      ...stroked(line.colour, 2),
      "stroke-dasharray": line.dash,
    }),
    ...run.map(([at, value]) =>
      el(
        "circle",
        { cx: x(at), cy: y(value), r: 2.6, ...filled(line.colour) },
        el("title", {}, `${day(at)}: ${line.text} ${usd(value)}`),
      ),
    ),
  ]);

const panel = (canvas: Canvas, steps: readonly SeriesStep[], lines: readonly SeriesLine[]): SvgChild => {
  const [left, right] = [MARGIN + 60, canvas.width - MARGIN];
  const known = steps.flatMap(({ values }) => values.filter((value) => value !== null));
  const [low, high] = [Math.min(0, ...known), Math.max(0, ...known)];
  const room = (high - low) * 0.06 || 1;
  const y = scaleLinear([low < 0 ? low - room : low, high + room], [TOP + HEIGHT, TOP]);
  const [from, to] = [steps[0]?.at ?? 0, steps.at(-1)?.at ?? 0];
  const x = scaleLinear([from, Math.max(to, from + 1)], [left, right]);
  const width = (right - left) / Math.max(1, steps.length);
  return [
    ...times(x, { from_ms: from, to_ms: to, left, right, top: TOP, bottom: TOP + HEIGHT }),
    ...levels(y, { left, right, from: low, to: high, unit: "usd", count: 5 }),
    ...steps
      .filter(({ values }) => values[0] === null)
      .map(({ at }) => {
        const begin = Math.max(left, x(at) - width / 2);
        const place = { x: begin, y: TOP, width: Math.min(width, right - begin), height: HEIGHT };
        return rect(place, { fill: hatchOf(canvas), "fill-opacity": 0.5 });
      }),
    ...lines.map((line, i) => lineNodes(steps, [line, i], { x, y })),
  ];
};

const overTime =
  ({ title, lines }: SeriesPicture) =>
  (answer: AnswerJson, canvas: Canvas): SvgNode => {
    const steps = stepsOf(answer, lines);
    const known = steps.filter(({ values }) => values[0] !== null);
    const [first, last] = [known[0], known.at(-1)];
    if (first === undefined || last === undefined) return empty(canvas, title, "No step has a known value.");
    const [begin, end] = [first.values[0] ?? 0, last.values[0] ?? 0];
    const missing = steps.length - known.length;
    const unknown = missing === 0 ? "" : `; ${missing} of ${steps.length} steps unknown`;
    const headline = `${usd(end)} on ${day(last.at)}, ${signedUsd(end - begin)} since ${day(first.at)}${unknown}`;
    const legend: readonly LegendKey[] = [
      ...lines.map(({ text, colour }): LegendKey => ({ text, colour, shape: "line" })),
      ...(missing > 0 ? [{ text: "not known", colour: "unknown" } as const] : []),
    ];
    return framed(canvas, TOP + HEIGHT + 54, {
      words: { title, headline, description: `${headline}.` },
      content: [panel(canvas, steps, lines), keys(canvas, legend, { x: MARGIN, y: TOP + HEIGHT + 42 })],
    });
  };

export const netWorthOverTime = overTime({
  title: "Net worth over time",
  lines: [
    { field: "total_value_usd", text: "total", colour: "up", dash: null },
    { field: "positions_value_usd", text: "in positions (dashed)", colour: "neutral", dash: "5 3" },
  ],
});

export const pnlOverTime = overTime({
  title: "Profit and loss over time",
  lines: [
    { field: "total_pnl_usd", text: "total", colour: "up", dash: null },
    { field: "realized_pnl_usd", text: "realized (dashed)", colour: "neutral", dash: "5 3" },
  ],
});
