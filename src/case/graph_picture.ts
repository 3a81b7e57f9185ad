/** A graph as a picture: arrows go from the payer to the payee, and are as wide as their value. */
import { el, type SvgNode } from "../charts/node.ts";
import { cleanLines } from "../lib/lines.ts";
import type { SavedGraph } from "./format.ts";
import { sortedEdges, sortedNodes } from "./graph.ts";
import type { Graph, GraphEdge, GraphNode } from "./graph_model.ts";
import { tokensText } from "./graph_tables.ts";
import { type CategoryKind, KINDS, kindOf, nameOf } from "./graph_view.ts";

const [WIDTH, HEIGHT, MARGIN] = [960, 600, 90];
const LABEL_LENGTH = 26;
const LINE = 18;

/** Most parts that a picture draws; the tables have all. */
interface PictureLimits {
  readonly nodes: number;
  readonly edges: number;
  readonly labels: number;
}

/** More would be unreadable on paper. */
const PAPER: PictureLimits = { nodes: 60, edges: 150, labels: 12 };

/** For a file that a reader can zoom. */
const FILE: PictureLimits = { nodes: 400, edges: 1_000, labels: 40 };

type Point = readonly [x: number, y: number];

/** Positions on rings by the number of hops, for graphs without stored positions. */
const ringsOf = (nodes: readonly GraphNode[]): ReadonlyMap<string, Point> => {
  const far = Math.max(1, ...nodes.map(({ hops }) => hops ?? 0));
  const places = new Map<string, Point>();
  for (let hops = 0; hops <= far + 1; hops += 1) {
    const ring = nodes.filter((node) => (node.hops ?? far + 1) === hops);
    for (const [i, { id }] of ring.entries()) {
      const angle = (2 * Math.PI * i) / ring.length + hops / 2;
      places.set(id, [hops * Math.cos(angle), hops * Math.sin(angle)]);
    }
  }
  return places;
};

/** Positions scaled to the picture. */
const scaled = (nodes: readonly GraphNode[], places: SavedGraph["places"]): ReadonlyMap<string, Point> => {
  const stored = new Map(places.map(([id, x, y]) => [id, [x, y] as Point]));
  const points = nodes.every(({ id }) => stored.has(id)) ? stored : ringsOf(nodes);
  const all = nodes.map(({ id }) => points.get(id) ?? ([0, 0] as const));
  const [xs, ys] = [all.map(([x]) => x), all.map(([, y]) => y)];
  const spread = (values: readonly number[], size: number) => {
    const [low, high] = [Math.min(...values), Math.max(...values)];
    return (value: number): number =>
      high === low ? size / 2 : MARGIN + ((value - low) / (high - low)) * (size - 2 * MARGIN);
  };
  const [x, y] = [spread(xs, WIDTH), spread(ys, HEIGHT)];
  return new Map(nodes.map(({ id }, i) => [id, [x(all[i]?.[0] ?? 0), y(all[i]?.[1] ?? 0)] as const]));
};

/** Text of strangers in one line, without invisible characters. */
const inLine = (text: string, length: number): string => {
  const clean = cleanLines(text).replace(/\s+/g, " ");
  return clean.length > length ? `${clean.slice(0, length).toWellFormed()}…` : clean;
};

const shortName = (node: GraphNode): string =>
  inLine(`${nameOf(node)}${node.network === null ? "" : ` (${node.network})`}`, LABEL_LENGTH);

const usdText = (usd: number | null): string =>
  usd === null ? "no price" : `$${usd.toLocaleString("en-US", { maximumFractionDigits: 0 })}`;

/** Value, largest token, and day of the last payment. */
const edgeText = ({ usd, tokens, pair_last }: GraphEdge): string => {
  const [first, ...others] = tokens;
  const token = first === undefined ? "" : `${tokensText([first])}${others.length === 0 ? "" : ` +${others.length}`}`;
  return [usdText(usd), inLine(token, LABEL_LENGTH), pair_last?.slice(0, 10) ?? ""]
    .filter((part) => part !== "")
    .join(" · ");
};

interface ArrowLook {
  readonly width: number;
  readonly label: boolean;
  /** Id of its head. */
  readonly end: string;
}

/** Shortened at both ends and bent a little, so that payments in both directions are two arrows. */
const arrow = (edge: GraphEdge, [from, to]: readonly [Point, Point], { width, label, end }: ArrowLook) => {
  const [dx, dy] = [to[0] - from[0], to[1] - from[1]];
  const length = Math.hypot(dx, dy) || 1;
  const [ux, uy] = [dx / length, dy / length];
  const [bend, gap] = [12, Math.min(12, length / 4)];
  const [x1, y1] = [from[0] + ux * gap, from[1] + uy * gap];
  const [x2, y2] = [to[0] - ux * gap, to[1] - uy * gap];
  const [mx, my] = [(x1 + x2) / 2 - uy * bend, (y1 + y2) / 2 + ux * bend];
  const attrs = {
    d: `M${x1.toFixed(1)} ${y1.toFixed(1)}Q${mx.toFixed(1)} ${my.toFixed(1)} ${x2.toFixed(1)} ${y2.toFixed(1)}`,
  };
  const line = el("path", { ...attrs, class: "flow", "stroke-width": width, "marker-end": `url(#${end})` });
  return label ? [line, el("text", { x: mx, y: my, class: "flow-usd" }, edgeText(edge))] : [line];
};

/** Each kind has a colour and a shape, as on the canvas. */
const shapeOf = (kind: CategoryKind, [x, y]: Point, r: number): SvgNode => {
  const look = { class: `peer kind-${kind}` };
  const polygon = (...points: readonly Point[]): SvgNode =>
    el("path", { d: `M${points.map(([px, py]) => `${px.toFixed(1)} ${py.toFixed(1)}`).join("L")}Z`, ...look });
  if (kind === "risk") return polygon([x, y - r * 1.2], [x + r * 1.1, y + r * 0.8], [x - r * 1.1, y + r * 0.8]);
  if (kind === "exchange")
    return el("rect", { x: x - r * 0.9, y: y - r * 0.9, width: r * 1.8, height: r * 1.8, ...look });
  if (kind === "protocol") return polygon([x, y - r * 1.2], [x + r * 1.2, y], [x, y + r * 1.2], [x - r * 1.2, y]);
  return el("circle", { cx: x, cy: y, r, ...look });
};

const marker = (end: string): SvgNode =>
  el(
    "marker",
    {
      ...{ id: end, viewBox: "0 0 8 8", refX: 7, refY: 4, markerWidth: 9, markerHeight: 9 },
      ...{ markerUnits: "userSpaceOnUse", orient: "auto" },
    },
    el("path", { d: "M0 0L8 4L0 8Z", class: "flow-end" }),
  );

const NAMES = Object.keys(KINDS) as readonly CategoryKind[]; // the keys of a constant

/** Where each kind begins in the legend: signs of a proportional font are at most so wide on average. */
const LEGEND_SIGN = 7.2;
const legendPlaces = NAMES.map((_, i) =>
  NAMES.slice(0, i).reduce((x, kind) => x + 40 + KINDS[kind].name.length * LEGEND_SIGN, 290),
);

/** The legend in one row, at the height `y`. */
const legend = (y: number, end: string): readonly SvgNode[] => [
  el("path", { d: `M20 ${y}L58 ${y}`, class: "flow key", "stroke-width": 2, "marker-end": `url(#${end})` }),
  el("text", { x: 66, y: y + 4, class: "legend" }, "payer to payee, width by value"),
  ...NAMES.flatMap((kind, i) => [
    shapeOf(kind, [legendPlaces[i] ?? 0, y], 6),
    el("text", { x: (legendPlaces[i] ?? 0) + 12, y: y + 4, class: "legend" }, KINDS[kind].name),
  ]),
];

export interface PictureOptions {
  /** Of the picture in its page. */
  readonly id: string;
  readonly limits?: PictureLimits;
  /** Lines above the picture: the first is its title. */
  readonly head?: readonly string[];
}

/** The largest part of a graph; null for one without an edge. */
export const graphPicture = (
  graph: Graph,
  { places }: Pick<SavedGraph, "places">,
  { id, limits = PAPER, head = [] }: PictureOptions,
): SvgNode | null => {
  const nodes = sortedNodes(graph).slice(0, limits.nodes);
  const points = scaled(nodes, places);
  const edges = sortedEdges(graph)
    .filter(({ from, to }) => points.has(from) && points.has(to))
    .slice(0, limits.edges);
  if (edges.length === 0) return null;
  const largest = Math.max(1, ...edges.map(({ usd }) => usd ?? 0));
  const widthOf = ({ usd }: GraphEdge): number => 1 + 4 * Math.sqrt((usd ?? 0) / largest);
  const place = (node: string): Point => points.get(node) ?? [0, 0];
  const end = `${id}-end`;
  const label = `Payments between ${nodes.length} of ${graph.nodes.size} addresses: ${edges.length} of ${graph.edges.size} arrows from payer to payee.`;
  const above = head.length === 0 ? 0 : (head.length + 1) * LINE + 12;
  return el(
    "svg",
    {
      viewBox: `0 ${-above} ${WIDTH} ${HEIGHT + above + 40}`,
      ...{ role: "img", "aria-label": label, class: "graph-picture" },
    },
    ...(head.length === 0
      ? []
      : [
          el("rect", { x: 0, y: -above, width: WIDTH, height: HEIGHT + above + 40, class: "ground" }),
          ...[...head, label].map((line, i) =>
            el("text", { x: 20, y: LINE * (i + 1) + 6 - above, class: i === 0 ? "head" : "legend" }, inLine(line, 150)),
          ),
        ]),
    el("defs", {}, marker(end)),
    ...edges.flatMap((edge, i) =>
      arrow(edge, [place(edge.from), place(edge.to)], { width: widthOf(edge), label: i < limits.labels, end }),
    ),
    ...nodes.map((node) => {
      const is_start = node.id === graph.start;
      const shape = shapeOf(kindOf(node), place(node.id), is_start ? 9 : 6);
      return is_start ? el("g", { class: "start" }, shape) : shape;
    }),
    ...nodes.slice(0, limits.labels).map((node) => {
      const [x, y] = place(node.id);
      return el("text", { x, y: y - 12, class: "peer-name" }, shortName(node));
    }),
    ...legend(HEIGHT + 20, end),
  );
};

/** A rim in the colour of the ground, so that a text is readable over an arrow. */
const RIM = { stroke: "#ffffff", "stroke-width": "3", "paint-order": "stroke" };

/** Colours of a file, which has no style sheet: an image viewer need not read one. */
const PAINTS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  ground: { fill: "#ffffff" },
  head: { fill: "#152020", "font-size": "16", "font-weight": "700" },
  legend: { fill: "#3c4949", "font-size": "12" },
  "flow-usd": { fill: "#3c4949", "font-size": "11", "text-anchor": "middle", ...RIM },
  "peer-name": { fill: "#152020", "font-size": "11", "font-weight": "600", "text-anchor": "middle", ...RIM },
  flow: { fill: "none", stroke: "#7b8a8a" },
  "flow-end": { fill: "#51605e" },
  start: { stroke: "#152020", "stroke-width": "2" },
  "kind-risk": { fill: "#9a4a00" },
  "kind-exchange": { fill: "#0b6170" },
  "kind-protocol": { fill: "#4a5fa8" },
  "kind-other": { fill: "#7a5a8c" },
  "kind-wallet": { fill: "#5c6b6b" },
};

const painted = (node: SvgNode): SvgNode => {
  const { class: names = "", ...attrs } = node.attrs;
  const paints = String(names)
    .split(" ")
    .flatMap((name) => (Object.hasOwn(PAINTS, name) ? [PAINTS[name]] : []));
  return {
    tag: node.tag,
    attrs: Object.assign({}, attrs, ...paints),
    children: node.children.map((child) => (typeof child === "string" ? child : painted(child))),
  };
};

export interface PictureFile {
  readonly picture: SvgNode;
  readonly width: number;
  readonly height: number;
}

/** The picture as a file of its own; null for a graph without an edge. */
export const graphFile = (
  graph: Graph,
  saved: Pick<SavedGraph, "places">,
  head: readonly string[],
): PictureFile | null => {
  const picture = graphPicture(graph, saved, { id: "graph", limits: FILE, head });
  if (picture === null) return null;
  const { viewBox = "", ...attrs } = painted(picture).attrs;
  const [, , width = WIDTH, height = HEIGHT] = String(viewBox).split(" ").map(Number);
  const root = {
    ...{ xmlns: "http://www.w3.org/2000/svg", width, height, viewBox, "font-family": "system-ui, sans-serif" },
    ...attrs,
  };
  const title = el("title", {}, inLine(head[0] ?? "Graph", 150));
  return { picture: { tag: "svg", attrs: root, children: [title, ...painted(picture).children] }, width, height };
};
