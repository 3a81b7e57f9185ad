/** A saved graph as a picture: arrows go from the payer to the payee, and are as wide as their value. */
import { el, type SvgNode } from "../charts/node.ts";
import { cleanLines } from "../lib/lines.ts";
import type { SavedGraph } from "./format.ts";
import { type Graph, type GraphEdge, type GraphNode, sortedEdges, sortedNodes } from "./graph.ts";

const [WIDTH, HEIGHT, MARGIN] = [960, 600, 90];
/** More would be unreadable on paper; the tables have all. */
const [NODES_MAX, EDGES_MAX, LABELS_MAX] = [60, 150, 12];
const LABEL_LENGTH = 26;

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

const shortName = ({ label, address }: GraphNode): string => {
  const text = cleanLines(label ?? `${address.slice(0, 8)}…${address.slice(-6)}`).replaceAll("\n", " ");
  return text.length > LABEL_LENGTH ? `${text.slice(0, LABEL_LENGTH).toWellFormed()}…` : text;
};

const usdLabel = (usd: number | null): string =>
  usd === null ? "no price" : `$${usd.toLocaleString("en-US", { maximumFractionDigits: 0 })}`;

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
  return label ? [line, el("text", { x: mx, y: my, class: "flow-usd" }, usdLabel(edge.usd))] : [line];
};

/** The largest part of a graph; null for one without an edge. `id`: of the picture in its page. */
export const graphPicture = (graph: Graph, { places }: Pick<SavedGraph, "places">, id: string): SvgNode | null => {
  const nodes = sortedNodes(graph).slice(0, NODES_MAX);
  const points = scaled(nodes, places);
  const edges = sortedEdges(graph)
    .filter(({ from, to }) => points.has(from) && points.has(to))
    .slice(0, EDGES_MAX);
  if (edges.length === 0) return null;
  const largest = Math.max(1, ...edges.map(({ usd }) => usd ?? 0));
  const widthOf = ({ usd }: GraphEdge): number => 1 + 4 * Math.sqrt((usd ?? 0) / largest);
  const place = (id: string): Point => points.get(id) ?? [0, 0];
  const end = `${id}-end`;
  const marker = el(
    "marker",
    {
      id: end,
      viewBox: "0 0 8 8",
      refX: 7,
      refY: 4,
      markerWidth: 9,
      markerHeight: 9,
      markerUnits: "userSpaceOnUse",
      orient: "auto",
    },
    el("path", { d: "M0 0L8 4L0 8Z", class: "flow-end" }),
  );
  const label = `Payments between ${nodes.length} of ${graph.nodes.size} addresses: ${edges.length} of ${graph.edges.size} arrows from payer to payee.`;
  return el(
    "svg",
    { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": label, class: "graph-picture" },
    el("defs", {}, marker),
    ...edges.flatMap((edge, i) =>
      arrow(edge, [place(edge.from), place(edge.to)], { width: widthOf(edge), label: i < LABELS_MAX, end }),
    ),
    ...nodes.map(({ id }) => {
      const [cx, cy] = place(id);
      return el("circle", { cx, cy, r: id === graph.start ? 9 : 6, class: id === graph.start ? "start" : "peer" });
    }),
    ...nodes.slice(0, LABELS_MAX).map((node) => {
      const [x, y] = place(node.id);
      return el("text", { x, y: y - 12, class: "peer-name" }, shortName(node));
    }),
  );
};
