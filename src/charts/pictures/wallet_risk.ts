import { scaleLinear } from "d3-scale";
import { type Canvas, framed, label, line, MARGIN, rect, SIZE, TOP, unknownArea } from "../frame.ts";
import { el, type SvgChild, type SvgNode } from "../node.ts";
import { percent } from "../numbers.ts";
import { type AnswerJson, byLargest, factAt, firstOf, rowsAt, sizeAt, textAt } from "../read.ts";
import { type Colour, filled, stroked } from "../theme.ts";
import { plural, worded } from "../words.ts";

const TITLE = "Risk of the wallet";
const ROW = 26;
const ROWS_MAX = 8;
const GAUGE = 74;
/** Highest score of each level of `risk/wallet@2` (docs/tools/get_wallet_risk_score.md). */
const LEVELS: readonly (readonly [string, number, Colour])[] = [
  ["low", 30, "up_soft"],
  ["moderate", 70, "neutral_soft"],
  ["high", 90, "down_soft"],
  ["severe", 100, "down"],
];

interface ScorePart {
  readonly name: string;
  /** 0..100: what it alone would make of the score. */
  readonly alone: number;
}

export interface ScoreStep {
  readonly name: string;
  readonly from: number;
  readonly to: number;
}

/**
 * How parts of 1 - Π(1 - x) add up: each adds what those before it have left, heaviest first, and the last step is what rounding
 * or a rule (listed, frozen, service) makes of their sum.
 */
export const stepsOf = (parts: readonly ScorePart[], score: number, rule: string): readonly ScoreStep[] => {
  let reached = 0;
  const steps = parts.map(({ name, alone }): ScoreStep => {
    const from = reached;
    reached += (100 - reached) * (Math.min(100, alone) / 100);
    return { name, from, to: reached };
  });
  const rest = score - reached;
  if (Math.abs(rest) < 1e-9) return steps;
  return [...steps, { name: Math.abs(rest) <= 0.5 ? "rounding" : rule, from: reached, to: score }];
};

const partsOf = (answer: AnswerJson): readonly ScorePart[] => {
  const reasons = rowsAt(answer, "top_reasons").map((row) => ({
    name: worded(textAt(row, "code") ?? "reason"),
    alone: sizeAt(row, "weight") ?? 0,
  }));
  const found = ["categories", "behaviour"].flatMap((list) =>
    rowsAt(answer, list).map((row) => ({
      name: worded(textAt(row, "category") ?? textAt(row, "code") ?? "reason"),
      alone: sizeAt(row, "score") ?? 0,
    })),
  );
  return byLargest(found.length > 0 ? found : reasons, ({ alone }) => alone);
};

const ruleOf = (answer: AnswerJson): string => {
  if (factAt(answer, "is_sanctioned") === true || factAt(answer, "sanctions.listed") === true) return "sanctions list";
  if (factAt(answer, "is_frozen") === true || factAt(answer, "stablecoin_freezes.frozen_now") === true)
    return "frozen by an issuer";
  return factAt(answer, "service_address") === true ? "a service: capped" : "further reasons";
};

/** A line from 0 to 100 with the score on it, and under it what each finding adds, up to the score. */
export const walletRisk = (answer: AnswerJson, canvas: Canvas): SvgNode => {
  const score = sizeAt(answer, "risk_score");
  const level = worded(textAt(answer, "risk_level") ?? "unknown");
  const parts = partsOf(answer);
  const { shown, rest } = firstOf(parts, ROWS_MAX);
  const rule = rest.length > 0 ? plural(rest.length, "further reason") : ruleOf(answer);
  const steps = score === null ? [] : stepsOf(shown, Math.min(100, score), rule);
  const known = `${percent(sizeAt(answer, "coverage_percent"))} of its history known`;
  const headline = score === null ? `Score unknown; ${known}` : `${score} of 100, ${level}; ${known}`;
  const told = steps.map(({ name, from, to }) => `${name} ${signed(to - from)}`);
  const adds = told.length === 0 ? "No finding counts." : `It adds up: ${told.join(", ")}.`;
  const rows = score === null ? shown.length : steps.length;
  return framed(canvas, TOP + GAUGE + Math.max(1, rows) * ROW + 16, {
    words: { title: TITLE, headline, description: `${headline}. ${score === null ? "" : adds}` },
    content: [
      gauge(canvas, score, level),
      score === null
        ? [...shown.map((part, i) => aloneRow(canvas, part, i))]
        : steps.length === 0
          ? label("No finding counts.", { x: MARGIN, y: TOP + GAUGE + 18, colour: "muted" })
          : steps.map((step, i) => stepRow(canvas, step, i)),
    ],
  });
};

const signed = (points: number): string => `${points < 0 ? "\u2212" : "+"}${Math.abs(points).toFixed(1)}`;

const scaleOf = (canvas: Canvas) => {
  const left = MARGIN + Math.min(170, canvas.width * 0.3);
  return scaleLinear([0, 100], [left, canvas.width - MARGIN - 52]);
};

const gauge = (canvas: Canvas, score: number | null, level: string): SvgChild => {
  const x = scaleOf(canvas);
  const y = TOP + 24;
  const bands = LEVELS.map(([name, to, colour], i) => {
    const from = LEVELS[i - 1]?.[1] ?? 0;
    const place = { x: x(from), y, width: x(to) - x(from) - 1, height: 16 };
    return [
      rect(place, filled(colour)),
      label(name, { x: x(from), y: y + 42, size: SIZE.small, colour: "muted", width: x(to) - x(from) + 40 }),
      label(String(from), { x: x(from), y: y + 29, size: SIZE.small, colour: "muted" }),
    ];
  });
  const at = x(Math.min(100, score ?? 0));
  return [
    label(score === null ? "unknown" : `${score} · ${level}`, {
      x: MARGIN,
      y: y + 14,
      size: 18,
      bold: true,
      width: x(0) - MARGIN - 8,
    }),
    ...bands,
    label("100", { x: x(100), y: y + 29, size: SIZE.small, colour: "muted" }),
    score === null
      ? unknownArea(canvas, { x: x(0), y, width: x(100) - x(0), height: 16 })
      : [
          el("polygon", { points: `${at - 7},${y - 10} ${at + 7},${y - 10} ${at},${y}`, ...filled("ink") }),
          el("line", { x1: at, y1: y - 2, x2: at, y2: y + 18, ...stroked("ink", 2) }),
        ],
  ];
};

const stepRow = (canvas: Canvas, { name, from, to }: ScoreStep, i: number): SvgNode => {
  const x = scaleOf(canvas);
  const y = TOP + GAUGE + i * ROW;
  const [low, high] = [Math.min(from, to), Math.max(from, to)];
  const place = { x: x(low), y: y + 4, width: Math.max(1.5, x(high) - x(low)), height: ROW - 10 };
  return el(
    "g",
    {},
    label(name, { x: MARGIN, y: y + 17, width: x(0) - MARGIN - 8 }),
    line(x(from), y - 6, { x2: x(from), y2: y + ROW - 6, colour: "axis", dash: "2 2" }),
    rect(place, filled(to < from ? "up" : "down")),
    label(signed(to - from), { x: x(high) + 6, y: y + 17, size: SIZE.small }),
  );
};

/** Without a score nothing adds up: what each finding alone would make of it. */
const aloneRow = (canvas: Canvas, { name, alone }: ScorePart, i: number): SvgNode => {
  const x = scaleOf(canvas);
  const y = TOP + GAUGE + i * ROW;
  return el(
    "g",
    {},
    label(name, { x: MARGIN, y: y + 17, width: x(0) - MARGIN - 8 }),
    rect({ x: x(0), y: y + 4, width: x(Math.min(100, alone)) - x(0), height: ROW - 10 }, filled("neutral")),
    label(`alone ${alone.toFixed(1)}`, { x: x(Math.min(100, alone)) + 6, y: y + 17, size: SIZE.small }),
  );
};
