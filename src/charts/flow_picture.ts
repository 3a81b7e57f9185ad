import { sankey, sankeyJustify, sankeyLinkHorizontal } from "d3-sankey";
import { type Canvas, type ChartWords, framed, keys, label, MARGIN, rect, SIZE, TOP, unknownArea } from "./frame.ts";
import { el, type SvgChild, type SvgNode } from "./node.ts";
import { usd } from "./numbers.ts";
import { byLargest, firstOf, sum } from "./read.ts";
import { filled, stroked } from "./theme.ts";
import { plural, widthIn } from "./words.ts";

/** USD that one party paid to and received from the wallet in the middle. */
export interface FlowParty {
  readonly name: string;
  readonly gave: number;
  readonly got: number;
}

export interface FlowPicture {
  readonly words: ChartWords;
  readonly middle: string;
  readonly parties: readonly FlowParty[];
  /** Names of those whose flows are not known. */
  readonly unknown: readonly string[];
  readonly legend: { readonly gave: string; readonly got: string };
  readonly colours: FlowColours;
}

type FlowColours = Readonly<Record<"gave" | "got", "up" | "down">>;

const SIDE_MAX = 9;
const ROW = 30;
/** Two lines of text have room beside the narrowest. */
const PADDING = 30;
const RIVERS = 96;
const BAR = 12;

interface FlowPoint {
  readonly id: string;
  readonly name: string;
  /** Not `value`: that is what the layout calls its own sums. */
  readonly usd: number;
  readonly side: "gave" | "middle" | "got";
}

const sideOf = (parties: readonly FlowParty[], side: "gave" | "got"): readonly FlowPoint[] => {
  const all = byLargest(
    parties.filter((party) => party[side] > 0),
    (party) => party[side],
  );
  const { shown, rest } = firstOf(all, SIDE_MAX);
  const points = shown.map((party, i): FlowPoint => ({ id: `${side}${i}`, name: party.name, usd: party[side], side }));
  if (rest.length === 0) return points;
  const all_usd = sum(rest.map((party) => party[side]));
  return [...points, { id: `${side}-others`, name: plural(rest.length, "other"), usd: all_usd, side }];
};

/** Rivers from the left into the middle, and out of it to the right; widths are USD. */
export const flowPicture = (canvas: Canvas, flows: FlowPicture): SvgNode => {
  const [gave, got] = [sideOf(flows.parties, "gave"), sideOf(flows.parties, "got")];
  const height = Math.max(gave.length, got.length, 2) * ROW + RIVERS;
  const strip = flows.unknown.length === 0 ? 0 : 30;
  const has_flow = gave.length + got.length > 0;
  return framed(canvas, TOP + (has_flow ? height + 20 : 8) + strip + 28, {
    words: flows.words,
    content: [
      has_flow ? rivers(canvas, { gave, got, height, ...flows }) : null,
      strip === 0 ? null : unknownStrip(canvas, flows.unknown, TOP + (has_flow ? height + 20 : 4)),
      ...keys(
        canvas,
        [
          { text: flows.legend.gave, colour: flows.colours.gave },
          { text: flows.legend.got, colour: flows.colours.got },
          ...(strip === 0 ? [] : [{ text: "not known", colour: "unknown" } as const]),
        ],
        { x: MARGIN, y: TOP + (has_flow ? height + 20 : 4) + strip + 16 },
      ),
    ],
  });
};

interface FlowSides {
  readonly gave: readonly FlowPoint[];
  readonly got: readonly FlowPoint[];
  readonly middle: string;
  readonly height: number;
  readonly colours: FlowColours;
}

const rivers = (canvas: Canvas, { gave, got, middle, height, colours }: FlowSides): SvgChild => {
  const room = Math.min(190, canvas.width * 0.3);
  const whole = Math.max(sum(gave.map((one) => one.usd)), sum(got.map((one) => one.usd)));
  const centre: FlowPoint = { id: "middle", name: middle, usd: whole, side: "middle" };
  // Parts of the whole: sums of any size stay exact enough, and the smallest is seen.
  const part = (point: FlowPoint): number => Math.max(point.usd / whole, 0.004);
  const { nodes, links } = sankey<FlowPoint, object>()
    .nodeId(({ id }) => id)
    .nodeAlign(sankeyJustify)
    .nodeSort(null)
    .nodeWidth(BAR)
    .nodePadding(PADDING)
    .extent([
      [MARGIN + room, TOP + 16],
      [canvas.width - MARGIN - room, TOP + height],
    ])({
    nodes: [...gave, centre, ...got].map((point) => ({ ...point })),
    links: [
      ...gave.map((point) => ({ source: point.id, target: "middle", value: part(point) })),
      ...got.map((point) => ({ source: "middle", target: point.id, value: part(point) })),
    ],
  });
  const path = sankeyLinkHorizontal<FlowPoint, object>();
  return [
    ...links.map((link) => {
      const is_in = typeof link.source === "object" && link.source.side === "gave";
      return el("path", {
        d: rounded(path(link) ?? ""),
        ...stroked(is_in ? colours.gave : colours.got, Math.max(1, link.width ?? 1)),
        "stroke-opacity": 0.45,
      });
    }),
    ...nodes.map((node) => point(canvas, node, { room, colours })),
  ];
};

/** A path's figures with two decimals. */
const rounded = (path: string): string =>
  path.replace(/-?\d+\.\d{3,}(e-?\d+)?/g, (figure) => String(Math.round(Number(figure) * 100) / 100));

interface FlowNode extends FlowPoint {
  readonly x0?: number | undefined;
  readonly x1?: number | undefined;
  readonly y0?: number | undefined;
  readonly y1?: number | undefined;
}

const point = (
  canvas: Canvas,
  { name, usd: value, side, x0 = 0, x1 = 0, y0 = 0, y1 = 0 }: FlowNode,
  { room, colours }: { readonly room: number; readonly colours: FlowColours },
): SvgNode => {
  const middle = (y0 + y1) / 2;
  const bar = rect(
    { x: x0, y: y0, width: x1 - x0, height: Math.max(1, y1 - y0) },
    filled(side === "middle" ? "ink" : colours[side]),
  );
  if (side === "middle") {
    const wide = canvas.width - 2 * MARGIN - 2 * room;
    return el("g", {}, bar, label(name, { x: (x0 + x1) / 2, y: TOP + 10, anchor: "middle", bold: true, width: wide }));
  }
  const anchor = side === "gave" ? "end" : "start";
  const x = side === "gave" ? x0 - 7 : x1 + 7;
  return el(
    "g",
    {},
    bar,
    label(name, { x, y: middle - 2, anchor, width: room - 8 }),
    label(`→ ${usd(value)}`, {
      x,
      y: middle + 12,
      anchor,
      size: SIZE.small,
      colour: "muted",
      width: room - 8,
    }),
  );
};

const unknownStrip = (canvas: Canvas, names: readonly string[], y: number): SvgNode => {
  const room = canvas.width - 2 * MARGIN;
  const text = `not known: ${names.join(", ")}`;
  const width = Math.min(room - 16, widthIn(text, SIZE.text) + 10);
  return el(
    "g",
    {},
    unknownArea(canvas, { x: MARGIN, y, width: room, height: 22 }),
    rect({ x: MARGIN + 6, y: y + 2, width, height: 18 }, { ...filled("paper"), rx: 2 }),
    label(text, { x: MARGIN + 10, y: y + 15, width: width - 6 }),
  );
};
