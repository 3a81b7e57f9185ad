import { max } from "d3-array";
import { scaleLinear } from "d3-scale";
import { area as areaOf, curveStepAfter, line as lineOf } from "d3-shape";
import { levels, times, type Unit } from "../axes.ts";
import { type Canvas, empty, framed, hatchOf, keys, label, line, MARGIN, rect, SIZE, TOP } from "../frame.ts";
import { el, type SvgChild, type SvgNode } from "../node.ts";
import { amount, DAY_MS, day, percent, signedAmount, usd } from "../numbers.ts";
import { type AnswerJson, numberAt, rowsAt, sizeAt, textAt, timeAt } from "../read.ts";
import { filled, stroked } from "../theme.ts";
import { displayText, plural } from "../words.ts";

const TITLE = "Flows of the token by day";
const FLOWS = 150;
const PRICE = 64;
const GAP = 22;

interface FlowDay {
  readonly time: number;
  /** Inflow and outflow of the segment, or amounts bought and sold; null when unknown. */
  readonly up: number | null;
  readonly down: number | null;
  readonly price: number | null;
}

interface FlowMeaning {
  readonly up: string;
  readonly down: string;
  readonly unit: Unit;
  readonly fields: readonly [string, string];
}

/** Of all holders nothing goes in or out: there it is what pools sold and bought. */
const meaningOf = (answer: AnswerJson): FlowMeaning =>
  textAt(answer, "segment.name") === "all"
    ? { up: "▲ bought from pools", down: "▼ sold to pools", unit: "usd", fields: ["dex_buy_usd", "dex_sell_usd"] }
    : { up: "▲ into the segment", down: "▼ out of it", unit: "amount", fields: ["inflow_amount", "outflow_amount"] };

const daysOf = (answer: AnswerJson, { fields }: FlowMeaning): readonly FlowDay[] =>
  rowsAt(answer, "data")
    .flatMap((row): readonly FlowDay[] => {
      const time = timeAt(row, "date");
      if (time === null) return [];
      return [{ time, up: sizeAt(row, fields[0]), down: sizeAt(row, fields[1]), price: sizeAt(row, "price_usd") }];
    })
    .toSorted((a, b) => a.time - b.time);

export const tokenFlows = (answer: AnswerJson, canvas: Canvas): SvgNode => {
  const meaning = meaningOf(answer);
  const days = daysOf(answer, meaning);
  const [first, last] = [days[0], days.at(-1)];
  if (first === undefined || last === undefined) return empty(canvas, TITLE, "No day in this answer.");
  const segment = displayText(textAt(answer, "segment.name") ?? "all");
  const net =
    meaning.unit === "usd"
      ? `${usd(sizeAt(answer, "summary.dex_buy_usd"))} bought, ${usd(sizeAt(answer, "summary.dex_sell_usd"))} sold`
      : `net ${signedAmount(numberAt(answer, "summary.net_flow_amount"))} tokens`;
  const moved = `${amount(sizeAt(answer, "summary.transfer_volume"))} tokens in ${transfers(answer)}`;
  const headline = `Segment ${segment}: ${net}; ${moved}; price ${percent(numberAt(answer, "summary.price_change_percent"))}`;
  const bottom = TOP + FLOWS + GAP + PRICE;
  return framed(canvas, bottom + 56, {
    words: {
      title: TITLE,
      headline,
      description: `${headline}. ${plural(days.length, "day")} from ${day(first.time)} to ${day(last.time)}.`,
    },
    content: [
      drawn(canvas, days, { meaning, from: first.time, to: last.time + DAY_MS }),
      ...keys(
        canvas,
        [
          { text: meaning.up, colour: "up" },
          { text: meaning.down, colour: "down" },
          { text: "price", colour: "ink", shape: "line" },
          ...(days.some(isUnknown) ? [{ text: "not known", colour: "unknown" } as const] : []),
        ],
        { x: MARGIN, y: bottom + 44 },
      ),
    ],
  });
};

const transfers = (answer: AnswerJson): string => {
  const count = sizeAt(answer, "summary.transfer_count");
  return count === null ? "transfers" : plural(count, "transfer");
};

const isUnknown = ({ up, down }: FlowDay): boolean => up === null || down === null;

interface FlowPeriod {
  readonly meaning: FlowMeaning;
  readonly from: number;
  readonly to: number;
}

const drawn = (canvas: Canvas, days: readonly FlowDay[], { meaning, from, to }: FlowPeriod): SvgChild => {
  const [left, right] = [MARGIN + 56, canvas.width - MARGIN];
  const x = scaleLinear([from, to], [left, right]);
  const tops = { up: max(days, ({ up }) => up ?? 0) ?? 0, down: max(days, ({ down }) => down ?? 0) ?? 0 };
  const whole = tops.up + tops.down;
  const y = scaleLinear(whole === 0 ? [-1, 1] : [-tops.down, tops.up], [TOP + FLOWS, TOP + 4]);
  const bottom = TOP + FLOWS + GAP + PRICE;
  const unit = { left, right, unit: meaning.unit, count: 5, mirrored: true };
  return [
    ...times(x, { from_ms: from, to_ms: to, left, right, top: TOP, bottom }),
    ...(whole === 0 ? [] : levels(y, { ...unit, from: -tops.down, to: tops.up })),
    ...days
      .filter(isUnknown)
      .map(({ time }) =>
        rect(
          { x: x(time), y: TOP, width: x(time + DAY_MS) - x(time), height: FLOWS },
          { fill: hatchOf(canvas), "fill-opacity": 0.55 },
        ),
      ),
    ...runs(days, isUnknown).flatMap((run) => [
      el("path", { d: area(run, { x, y, of: ({ up }) => up ?? 0 }), ...filled("up"), "fill-opacity": 0.85 }),
      el("path", { d: area(run, { x, y, of: ({ down }) => -(down ?? 0) }), ...filled("down"), "fill-opacity": 0.85 }),
    ]),
    line(left, y(0), { x2: right, y2: y(0), colour: "axis" }),
    whole === 0
      ? label("nothing moved", { x: (left + right) / 2, y: y(0) - 6, anchor: "middle", colour: "muted" })
      : null,
    ...priceLine(days, { x, left, right, top: TOP + FLOWS + GAP }),
  ];
};

/** Days after one another; one that `ends` a run belongs to none, and neither does a missing one. */
const runs = (days: readonly FlowDay[], ends: (day: FlowDay) => boolean): readonly (readonly FlowDay[])[] => {
  const found: FlowDay[][] = [];
  let before: FlowDay | null = null;
  for (const one of days) {
    if (ends(one)) before = null;
    else {
      if (before === null || one.time - before.time > DAY_MS * 1.5) found.push([]);
      found.at(-1)?.push(one);
      before = one;
    }
  }
  return found;
};

interface AreaForm {
  readonly x: (value: number) => number;
  readonly y: (value: number) => number;
  readonly of: (day: FlowDay) => number;
}

/** A day is as wide as it lasts: the last one gets an end of its own. */
const closed = (run: readonly FlowDay[]): readonly FlowDay[] => {
  const last = run.at(-1);
  return last === undefined ? run : [...run, { ...last, time: last.time + DAY_MS }];
};

const area = (run: readonly FlowDay[], { x, y, of }: AreaForm): string =>
  areaOf<FlowDay>()
    .digits(2)
    .curve(curveStepAfter)
    .x(({ time }) => x(time))
    .y0(y(0))
    .y1((one) => y(of(one)))(closed(run)) ?? "";

interface PriceArea {
  readonly x: (value: number) => number;
  readonly left: number;
  readonly right: number;
  readonly top: number;
}

const priceLine = (days: readonly FlowDay[], { x, left, right, top }: PriceArea): readonly SvgChild[] => {
  const known = days.flatMap(({ price }) => price ?? []);
  if (known.length === 0) return [label("price unknown", { x: left, y: top + 20, colour: "muted", size: SIZE.small })];
  const [low, high] = [Math.min(...known), Math.max(...known)];
  const y = scaleLinear(low < high ? [low, high] : [low * 0.9, high === 0 ? 1 : high * 1.1], [
    top + PRICE - 6,
    top + 6,
  ]);
  const path = lineOf<FlowDay>()
    .digits(2)
    .x(({ time }) => x(time + DAY_MS / 2))
    .y(({ price }) => y(price ?? 0));
  return [
    ...levels(y, { left, right, from: low, to: high, unit: "usd", count: 2 }),
    ...runs(days, ({ price }) => price === null).map((run) =>
      run.length > 1
        ? el("path", { d: path(run) ?? "", ...stroked("ink", 1.6) })
        : el("circle", {
            cx: x((run[0]?.time ?? 0) + DAY_MS / 2),
            cy: y(run[0]?.price ?? 0),
            r: 2.5,
            ...filled("ink"),
          }),
    ),
  ];
};
