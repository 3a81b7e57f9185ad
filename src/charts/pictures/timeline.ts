import { scaleLinear } from "d3-scale";
import { times } from "../axes.ts";
import { type Canvas, empty, framed, keys, label, line, MARGIN, rect, SIZE, TOP, unknownArea } from "../frame.ts";
import { el, type SvgChild, type SvgNode } from "../node.ts";
import { DAY_MS, day, percent, usd } from "../numbers.ts";
import { type AnswerJson, factAt, firstOf, rowsAt, sizeAt, textAt, timeAt } from "../read.ts";
import { type Colour, filled } from "../theme.ts";
import { displayName, plural, worded } from "../words.ts";

const ROW = 24;
const ROWS_MAX = 24;

interface TimelineSpan {
  readonly name: string;
  readonly from: number;
  /** Null: not known how long. */
  readonly days: number | null;
  readonly mark: string;
  readonly colour: Colour;
  readonly detail: string;
}

interface Timeline {
  readonly title: string;
  readonly headline: string;
  readonly none: string;
  readonly lives: readonly TimelineSpan[];
  /** No bars: each is a moment. */
  readonly is_moments: boolean;
  readonly until: number | null;
  readonly legend: readonly { readonly text: string; readonly colour: Colour }[];
}

const ENDS: Readonly<Record<string, readonly [string, Colour]>> = {
  alive: ["● alive", "up"],
  dead: ["○ dead", "neutral"],
  rugged: ["✕ rugged", "down"],
  too_new: ["· too new", "neutral"],
};

const tokenSpan = (row: AnswerJson): readonly TimelineSpan[] => {
  const from = timeAt(row, "created_at");
  if (from === null) return [];
  const outcome = textAt(row, "outcome") ?? "unknown";
  const [mark, colour] = ENDS[outcome] ?? [worded(outcome), "neutral"];
  const cause = textAt(row, "cause");
  const peak = `peak liquidity ${usd(sizeAt(row, "peak_liquidity_usd"))}`;
  return [
    {
      name: displayName(textAt(row, "symbol") ?? textAt(row, "address")),
      from,
      days: sizeAt(row, "lifetime_days"),
      mark,
      colour,
      detail: cause === null ? peak : `${worded(cause)}, ${peak}`,
    },
  ];
};

/** The tokens that a developer launched: how long each lived and how it ended. */
export const developer = (answer: AnswerJson, canvas: Canvas): SvgNode => {
  const count = sizeAt(answer, "history.tokens_launched");
  const rate = percent(sizeAt(answer, "history.rug_rate_percent"));
  const ends = ["rugged", "dead", "alive", "too_new"].map(
    (end) => `${sizeAt(answer, `history.${end}`) ?? "?"} ${worded(end)}`,
  );
  return drawn(canvas, {
    title: "Outcomes of the developer's tokens",
    headline: `${count === null ? "tokens" : plural(count, "token")}: ${ends.join(", ")}; rug rate ${rate}; risk ${worded(textAt(answer, "risk_level") ?? "unknown")}`,
    none: "No launch with a date is known.",
    lives: rowsAt(answer, "history.tokens").flatMap(tokenSpan),
    is_moments: false,
    until: timeAt(answer, "metadata.as_of.timestamp"),
    legend: [
      { text: "● alive", colour: "up" },
      { text: "✕ rugged", colour: "down" },
      { text: "○ dead, · too new", colour: "neutral" },
    ],
  });
};

const contractSpan = (row: AnswerJson): readonly TimelineSpan[] => {
  const from = timeAt(row, "created_at");
  if (from === null) return [];
  const is_token = /^(erc|spl|trc)/.test(textAt(row, "kind") ?? "");
  const is_gone = factAt(row, "is_self_destructed") === true;
  const verified = factAt(row, "is_verified");
  const source = verified === null ? "source unknown" : verified ? "verified" : "not verified";
  return [
    {
      name: displayName(textAt(row, "symbol") ?? textAt(row, "name") ?? textAt(row, "contract_address")),
      from,
      days: 0,
      mark: `${is_gone ? "✕" : is_token ? "◆" : "■"} ${worded(textAt(row, "kind") ?? "contract")}`,
      colour: is_gone ? "down" : is_token ? "up" : "neutral",
      detail: is_gone ? `${source}, destroyed` : source,
    },
  ];
};

/** A wallet's deployments over time. */
export const deployed = (answer: AnswerJson, canvas: Canvas): SvgNode => {
  const [total, tokens, verified] = ["total", "tokens", "verified"].map((name) => sizeAt(answer, `summary.${name}`));
  return drawn(canvas, {
    title: "Deployments of the wallet",
    headline: `${total === null || total === undefined ? "contracts" : plural(total, "contract")}, ${tokens ?? "?"} of them tokens, ${verified ?? "?"} verified`,
    none: "The wallet deployed nothing with a date.",
    lives: rowsAt(answer, "data").flatMap(contractSpan),
    is_moments: true,
    until: null,
    legend: [
      { text: "◆ token", colour: "up" },
      { text: "■ other contract", colour: "neutral" },
      { text: "✕ destroyed", colour: "down" },
    ],
  });
};

const endOf = ({ from, days }: TimelineSpan): number => from + Math.min(days ?? 0, 100_000) * DAY_MS;

const drawn = (canvas: Canvas, story: Timeline): SvgNode => {
  const { title, headline } = story;
  const lives = story.lives.toSorted((a, b) => a.from - b.from);
  const [first] = lives;
  if (first === undefined) return empty(canvas, title, story.none);
  const { shown, rest } = firstOf(lives, ROWS_MAX);
  const last = Math.max(story.until ?? 0, ...lives.map(endOf));
  const told = lives
    .slice(0, 8)
    .map((life) => `${life.name} on ${day(life.from)}, ${life.mark.slice(2)}, ${life.detail}`);
  const rows = shown.length + (rest.length === 0 ? 0 : 1);
  const bottom = TOP + rows * ROW;
  return framed(canvas, bottom + 56, {
    words: { title, headline, description: `${headline}. ${told.join("; ")}.` },
    content: [
      lanes(canvas, shown, { story, from: first.from, to: Math.max(last, first.from + DAY_MS), bottom }),
      rest.length === 0
        ? null
        : label(`${plural(rest.length, "later one")} not drawn`, { x: MARGIN, y: bottom - 8, colour: "muted" }),
      keys(
        canvas,
        [
          ...story.legend,
          ...(lives.some(({ days }) => days === null)
            ? [{ text: "how long: unknown", colour: "unknown" } as const]
            : []),
        ],
        { x: MARGIN, y: bottom + 42 },
      ),
    ],
  });
};

interface TimelineLanes {
  readonly story: Timeline;
  readonly from: number;
  readonly to: number;
  readonly bottom: number;
}

const lanes = (
  canvas: Canvas,
  lives: readonly TimelineSpan[],
  { story, from, to, bottom }: TimelineLanes,
): SvgChild => {
  const left = MARGIN + Math.min(104, canvas.width * 0.2);
  const aside = canvas.width >= 560 ? 250 : 96;
  const right = canvas.width - MARGIN - aside;
  const x = scaleLinear([from, to], [left, right]);
  return [
    ...times(x, { from_ms: from, to_ms: to, left, right, top: TOP, bottom }),
    ...lives.map((life, i) => {
      const y = TOP + i * ROW;
      const at = x(life.from);
      const place = { x: at, y: y + 5, width: Math.max(8, x(endOf(life)) - at), height: ROW - 12 };
      return el(
        "g",
        {},
        line(left, y + ROW / 2 - 1, { x2: at, y2: y + ROW / 2 - 1, colour: "grid" }),
        label(life.name, { x: MARGIN, y: y + 15, width: left - MARGIN - 8 }),
        story.is_moments
          ? el("circle", { cx: Math.min(right - 5, at + 4), cy: y + ROW / 2 - 1, r: 5, ...filled(life.colour) })
          : life.days === null
            ? unknownArea(canvas, { ...place, width: Math.max(8, right - at) })
            : rect(place, { ...filled(life.colour), rx: 2 }),
        label(aside < 200 ? life.mark : `${life.mark} · ${life.detail}`, {
          x: right + 10,
          y: y + 15,
          size: SIZE.small,
          width: aside - 10,
        }),
      );
    }),
  ];
};
