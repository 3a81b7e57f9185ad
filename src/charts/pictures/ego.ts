import { type Canvas, empty, framed, keys, label, MARGIN, SIZE, TOP } from "../frame.ts";
import { el, type SvgChild, type SvgNode } from "../node.ts";
import { percent, usd } from "../numbers.ts";
import { type AnswerJson, byLargest, firstOf, rowsAt, sizeAt, sum, textAt } from "../read.ts";
import { type Colour, filled, stroked } from "../theme.ts";
import { displayName, plural, worded } from "../words.ts";

const TITLE = "The wallet and those around it";
/** Narrow pictures are taller: stacked names need vertical room. */
const NARROW = 560;
const heightOf = ({ width }: Canvas): number => (width < NARROW ? 500 : 372);
/** Three lines of text above or under the largest circle. */
const LABEL = 72;
const CATEGORIES_MAX = 7;
const RELATIONS_MAX = 4;
const CENTRE = 26;

interface EgoNeighbour {
  readonly name: string;
  readonly lines: readonly string[];
  readonly in_usd: number;
  readonly out_usd: number;
  /** Dashed: related, with no sum of its own. */
  readonly is_relation: boolean;
  readonly is_risk: boolean;
}

const categoryOf =
  (risky: ReadonlySet<string>) =>
  (row: AnswerJson): EgoNeighbour => {
    const [in_usd, out_usd] = [sizeAt(row, "in_usd"), sizeAt(row, "out_usd")];
    const category = textAt(row, "category") ?? "unlabelled";
    const peers = sizeAt(row, "peer_count");
    return {
      name: worded(category),
      lines: [
        `in ${usd(in_usd)} · out ${usd(out_usd)}`,
        peers === null ? "peers unknown" : plural(peers, "address", "addresses"),
      ],
      in_usd: in_usd ?? 0,
      out_usd: out_usd ?? 0,
      is_relation: false,
      is_risk: risky.has(category),
    };
  };

const others = (rest: readonly EgoNeighbour[]): readonly EgoNeighbour[] => {
  if (rest.length === 0) return [];
  const [in_usd, out_usd] = [sum(rest.map((one) => one.in_usd)), sum(rest.map((one) => one.out_usd))];
  const lines = [`in ${usd(in_usd)} · out ${usd(out_usd)}`];
  const is_risk = rest.some((one) => one.is_risk);
  return [{ name: plural(rest.length, "other"), lines, in_usd, out_usd, is_relation: false, is_risk }];
};

const relationOf = (row: AnswerJson): EgoNeighbour => {
  const confidence = sizeAt(row, "confidence");
  return {
    name: displayName(textAt(row, "address")),
    lines: [
      `${worded(textAt(row, "relation") ?? "related")}, ${percent(confidence === null ? null : 100 * confidence)} sure`,
    ],
    in_usd: 0,
    out_usd: 0,
    is_relation: true,
    is_risk: false,
  };
};

/** Small ones between the large ones, so that names do not meet. */
const mixed = (large: readonly EgoNeighbour[], small: readonly EgoNeighbour[]): readonly EgoNeighbour[] =>
  [
    ...large.map((one, i) => [one, i / large.length] as const),
    ...small.map((one, i) => [one, (i + 0.5) / small.length] as const),
  ]
    .toSorted(([, a], [, b]) => a - b)
    .map(([one]) => one);

/** The wallet in the middle, its counterparties by category around it; arrows say which way the money went. */
export const ego = (answer: AnswerJson, canvas: Canvas): SvgNode => {
  const risks = rowsAt(answer, "risk_exposure").map((row) => textAt(row, "category") ?? "");
  const categories = rowsAt(answer, "by_category").map(categoryOf(new Set(risks)));
  const sorted = firstOf(
    byLargest(categories, (one) => one.in_usd + one.out_usd),
    CATEGORIES_MAX,
  );
  const relations = rowsAt(answer, "relationships");
  const related = relations.slice(0, RELATIONS_MAX).map(relationOf);
  const around = mixed([...sorted.shown, ...others(sorted.rest)], related);
  if (around.length === 0) return empty(canvas, TITLE, "The wallet has no counterparties.");
  const totals = ["in", "out"].map((side) => usd(sizeAt(answer, `summary.total_${side}_usd`)));
  const count = sizeAt(answer, "summary.counterparty_count");
  const who = count === null ? "counterparties" : plural(count, "counterparty", "counterparties");
  const exposed = risks.length === 0 ? "" : `; risk: ${risks.map(worded).join(", ")}`;
  const more = relations.length > RELATIONS_MAX ? `; ${plural(relations.length - RELATIONS_MAX, "more relation")}` : "";
  const headline = `${totals[0]} in, ${totals[1]} out, ${who}${exposed}${more}`;
  const told = around.map(({ name, lines }) => `${name}: ${lines.join(", ")}`);
  return framed(canvas, TOP + heightOf(canvas) + 46, {
    words: { title: TITLE, headline, description: `${headline}. ${told.join(". ")}.` },
    content: [
      drawn(canvas, around),
      ...keys(
        canvas,
        [
          { text: "→ into the wallet", colour: "up", shape: "line" },
          { text: "→ out of the wallet", colour: "down", shape: "line" },
          { text: "dashed: related", colour: "neutral", shape: "line" },
        ],
        { x: MARGIN, y: TOP + heightOf(canvas) + 34 },
      ),
    ],
  });
};

interface EgoPoint {
  readonly x: number;
  readonly y: number;
}

const drawn = (canvas: Canvas, around: readonly EgoNeighbour[]): SvgChild => {
  const centre = { x: canvas.width / 2, y: TOP + heightOf(canvas) / 2 };
  const reach = { x: canvas.width / 2 - MARGIN - Math.min(96, canvas.width * 0.2), y: heightOf(canvas) / 2 - LABEL };
  const most = Math.max(1e-12, ...around.map((one) => Math.max(one.in_usd, one.out_usd)));
  const whole = Math.max(1e-12, ...around.map((one) => one.in_usd + one.out_usd));
  const placed = around.map((one, i) => {
    const angle = -Math.PI / 2 + (2 * Math.PI * (i + 0.5)) / around.length;
    const at = { x: centre.x + reach.x * Math.cos(angle), y: centre.y + reach.y * Math.sin(angle) };
    const radius = one.is_relation ? 7 : 7 + 13 * Math.sqrt((one.in_usd + one.out_usd) / whole);
    return { one, at, radius };
  });
  return [
    ...placed.flatMap(({ one, at, radius }) => edges(one, { centre, at, radius, most })),
    el("circle", { cx: centre.x, cy: centre.y, r: CENTRE, ...filled("ink") }),
    label("wallet", { x: centre.x, y: centre.y + 4, anchor: "middle", size: SIZE.small, colour: "paper", bold: true }),
    ...placed.map(({ one, at, radius }) => node(canvas, one, { at, radius })),
  ];
};

interface EgoEdge {
  readonly centre: EgoPoint;
  readonly at: EgoPoint;
  readonly radius: number;
  readonly most: number;
}

const edges = (one: EgoNeighbour, { centre, at, radius, most }: EgoEdge): readonly SvgNode[] => {
  const length = Math.hypot(at.x - centre.x, at.y - centre.y) || 1;
  const unit = { x: (at.x - centre.x) / length, y: (at.y - centre.y) / length };
  const inner = (shift: number): EgoPoint => ({
    x: centre.x + unit.x * (CENTRE + 3) - unit.y * shift,
    y: centre.y + unit.y * (CENTRE + 3) + unit.x * shift,
  });
  const outer = (shift: number): EgoPoint => ({
    x: at.x - unit.x * (radius + 3) - unit.y * shift,
    y: at.y - unit.y * (radius + 3) + unit.x * shift,
  });
  if (one.is_relation) {
    const [from, to] = [inner(0), outer(0)];
    const ends = { x1: from.x, y1: from.y, x2: to.x, y2: to.y };
    return [el("line", { ...ends, ...stroked("neutral", 1.2), "stroke-dasharray": "4 3" })];
  }
  const width = (value: number): number => 1 + 6 * (value / most);
  return [
    ...(one.in_usd === 0 ? [] : [arrow(outer(-5), inner(-5), { colour: "up", width: width(one.in_usd) })]),
    ...(one.out_usd === 0 ? [] : [arrow(inner(5), outer(5), { colour: "down", width: width(one.out_usd) })]),
  ];
};

const arrow = (from: EgoPoint, to: EgoPoint, { colour, width }: { colour: Colour; width: number }): SvgNode => {
  const length = Math.hypot(to.x - from.x, to.y - from.y) || 1;
  const unit = { x: (to.x - from.x) / length, y: (to.y - from.y) / length };
  const head = 5 + width;
  const half = 3 + width / 2;
  const neck = { x: to.x - unit.x * head, y: to.y - unit.y * head };
  const corners = [
    to,
    { x: neck.x - unit.y * half, y: neck.y + unit.x * half },
    { x: neck.x + unit.y * half, y: neck.y - unit.x * half },
  ];
  return el(
    "g",
    {},
    el("line", { x1: from.x, y1: from.y, x2: neck.x, y2: neck.y, ...stroked(colour, width) }),
    el("polygon", {
      points: corners.map(({ x, y }) => `${x.toFixed(2)},${y.toFixed(2)}`).join(" "),
      ...filled(colour),
    }),
  );
};

const node = (canvas: Canvas, one: EgoNeighbour, { at, radius }: { at: EgoPoint; radius: number }): SvgNode => {
  const width = Math.min(200, 2 * Math.min(at.x - 4, canvas.width - 4 - at.x));
  const is_above = at.y < TOP + heightOf(canvas) / 2;
  const told = canvas.width < NARROW ? one.lines.flatMap((text) => text.split(" · ")) : one.lines;
  const lines = [`${one.is_risk ? "⚠ " : ""}${one.name}`, ...told];
  const first = is_above ? at.y - radius - 6 - (lines.length - 1) * 14 : at.y + radius + 15;
  return el(
    "g",
    {},
    el("circle", { cx: at.x, cy: at.y, r: radius, ...filled(one.is_relation ? "paper" : "neutral_soft") }),
    el("circle", {
      cx: at.x,
      cy: at.y,
      r: radius,
      ...stroked(one.is_risk ? "down" : "neutral", one.is_risk ? 3 : 1.5),
      "stroke-dasharray": one.is_relation ? "3 2" : null,
    }),
    ...lines.map((text, i) =>
      label(text, {
        x: at.x,
        y: first + i * 14,
        anchor: "middle",
        bold: i === 0,
        halo: true,
        width,
        ...(i === 0 ? {} : { size: SIZE.small, colour: "muted" as const }),
      }),
    ),
  );
};
