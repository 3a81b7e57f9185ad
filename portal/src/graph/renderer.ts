/** The adapter to sigma and its programs: the only file that imports them, loaded with the first graph. */
import Graphology from "graphology";
import Sigma from "sigma";
import {
  extremityArrow,
  layerPlain,
  pathCurved,
  pathLine,
  sdfCircle,
  sdfDiamond,
  sdfSquare,
  sdfTriangle,
} from "sigma/rendering";
import { sortedEdges } from "../../../src/case/graph.ts";
import type { Graph, GraphEdge, GraphNode } from "../../../src/case/graph_model.ts";
import { type CategoryKind, KINDS, kindOf, nameOf } from "../../../src/case/graph_view.ts";
import { strangeParts } from "../ui/strange.tsx";
import type { NodePositions } from "./layout_matrix.ts";

export interface RenderedGraph {
  readonly graph: Graph;
  readonly pinned: ReadonlySet<string>;
  readonly selected: string | null;
  /** Ids of the edges and nodes of the shown path. */
  readonly marked: ReadonlySet<string>;
}

export interface Palette {
  readonly kinds: Readonly<Record<CategoryKind, string>>;
  readonly text: string;
  readonly ground: string;
  readonly edge: string;
  readonly mark: string;
}

export interface GraphHandlers {
  readonly onNode: (id: string) => void;
  readonly onEdge: (id: string) => void;
  readonly onMove: (id: string, x: number, y: number) => void;
}

export interface Renderer {
  readonly show: (shown: RenderedGraph, places: NodePositions) => void;
  readonly place: (places: NodePositions) => void;
  readonly fit: () => void;
  readonly close: () => void;
}

const SHAPES: Readonly<Record<CategoryKind, string>> = {
  ...{ risk: "triangle", exchange: "square", protocol: "diamond", other: "circle", wallet: "circle" },
};

const LABEL_LENGTH = 28;
const SYMBOL_LENGTH = 10;

/** Edges with a label: the most important ones stay readable. */
const NAMED_EDGES = 10;

const named = new WeakMap<Graph, ReadonlySet<string>>();

/** The largest edges of a graph. */
const namedEdges = (graph: Graph): ReadonlySet<string> => {
  const known =
    named.get(graph) ??
    new Set(
      sortedEdges(graph)
        .slice(0, NAMED_EDGES)
        .map(({ id }) => id),
    );
  named.set(graph, known);
  return known;
};

/** Beyond this number of nodes, edges ignore the pointer; the table lists them. */
const EDGE_EVENTS_MAX = 3_000;

const sizeOf = ({ volume_usd, is_expanded }: GraphNode): number =>
  Math.min(16, (is_expanded ? 6 : 3.5) + Math.log10(1 + (volume_usd ?? 0)) * 0.9);

const widthOf = (edge: GraphEdge): number => Math.min(5, 0.6 + Math.log10(1 + (edge.usd ?? 0)) * 0.45);

const labelOf = (node: GraphNode, is_pinned: boolean): string => {
  const { parts, is_cut } = strangeParts(nameOf(node), LABEL_LENGTH);
  const name = parts.map(({ text }) => text).join("");
  return `${is_pinned ? "⌖ " : ""}${KINDS[kindOf(node)].sign} ${name}${is_cut ? "…" : ""}`;
};

/**
 * sigma adds a style element to the page for a hint that is never shown here. The page's policy forbids such elements and
 * would log a violation. While sigma is created, it gets an element without effect instead.
 */
const withoutStyleElements = <T>(make: () => T): T => {
  const create = document.createElement;
  document.createElement = (name: string, options?: ElementCreationOptions) =>
    create.call(document, name === "style" ? "template" : name, options);
  try {
    return make();
  } finally {
    document.createElement = create;
  }
};

const nodeAttributes = (node: GraphNode, shown: RenderedGraph, palette: Palette) => {
  const kind = kindOf(node);
  const is_marked = shown.marked.has(node.id) || shown.selected === node.id;
  return {
    size: sizeOf(node) * (is_marked ? 1.35 : 1),
    color: is_marked ? palette.mark : palette.kinds[kind],
    shape: SHAPES[kind],
    label: labelOf(node, shown.pinned.has(node.id)),
    is_named: is_marked || node.id === shown.graph.start || shown.pinned.has(node.id),
  };
};

/** Value, largest token and last day of an edge. */
const edgeLabel = ({ usd, tokens, pair_last }: GraphEdge): string => {
  const value = usd === null ? "no price" : `$${usd.toLocaleString("en-US", { maximumFractionDigits: 0 })}`;
  const { parts } = strangeParts(tokens[0]?.symbol ?? "", SYMBOL_LENGTH);
  const more = tokens.length > 1 ? ` +${tokens.length - 1}` : "";
  return [value, `${parts.map(({ text }) => text).join("")}${more}`, pair_last?.slice(0, 10) ?? ""]
    .filter((part) => part !== "")
    .join(" · ");
};

const edgeAttributes = (edge: GraphEdge, shown: RenderedGraph, palette: Palette) => {
  const is_marked = shown.marked.has(edge.id) || shown.selected === edge.id;
  const label = is_marked || namedEdges(shown.graph).has(edge.id) ? edgeLabel(edge) : "";
  return { size: widthOf(edge) * (is_marked ? 2 : 1), color: is_marked ? palette.mark : palette.edge, label };
};

const open = (drawn: Graphology, container: HTMLElement, palette: Palette): Sigma =>
  withoutStyleElements(
    () =>
      new Sigma(drawn, container, {
        primitives: {
          nodes: { shapes: [sdfCircle(), sdfSquare(), sdfDiamond(), sdfTriangle()] },
          edges: { paths: [pathLine(), pathCurved()], extremities: [extremityArrow()], layers: [layerPlain()] },
        },
        styles: {
          nodes: [
            {
              ...{ x: { attribute: "x" }, y: { attribute: "y" }, size: { attribute: "size", defaultValue: 4 } },
              ...{ color: { attribute: "color" }, shape: { attribute: "shape", defaultValue: "circle" } },
              ...{ label: { attribute: "label" }, labelColor: palette.text, labelSize: 12 },
              labelVisibility: (attributes: Record<string, unknown>, state: { isHovered: boolean }) =>
                attributes.is_named === true || state.isHovered ? "visible" : "auto",
            },
          ],
          edges: [
            {
              ...{ size: { attribute: "size", defaultValue: 1 }, color: { attribute: "color" } },
              // The arrow points at the payee. Two edges between one pair are drawn side by side.
              ...{ head: "arrow", path: "straight", parallelPath: "curved" },
              ...{ label: { attribute: "label" }, labelColor: palette.text, labelSize: 11 },
            },
          ],
          stage: { background: palette.ground },
        },
        settings: {
          ...{
            gestureTarget: "graph",
            allowInvalidContainer: true,
            enableNodeDrag: true,
            itemSizesReference: "screen",
          },
          ...{ hideEdgesOnMove: false, renderEdgeLabels: true, labelDensity: 0.6, labelRenderedSizeThreshold: 6 },
          ...{
            inertiaDuration: 0,
            zoomDuration: 120,
            enableCameraRotation: false,
            minCameraRatio: 0.01,
            maxCameraRatio: 10,
          },
        },
      }),
  );

const emptyGraphology = (): Graphology => new Graphology({ type: "directed", multi: false });

const isOf = (drawn: Graphology, { nodes, edges }: Graph): boolean =>
  drawn.order === nodes.size &&
  drawn.size === edges.size &&
  [...nodes.keys()].every((id) => drawn.hasNode(id)) &&
  [...edges.keys()].every((id) => drawn.hasEdge(id));

/** Applies one change for all nodes or edges, because sigma processes the whole graph after each change. */
const graphologyOf = (shown: RenderedGraph, places: NodePositions, palette: Palette): Graphology => {
  const drawn = emptyGraphology();
  for (const [id, node] of shown.graph.nodes) {
    const [x, y] = places.get(id) ?? [0, 0];
    drawn.addNode(id, { x, y, ...nodeAttributes(node, shown, palette) });
  }
  for (const [id, edge] of shown.graph.edges)
    drawn.addEdgeWithKey(id, edge.from, edge.to, edgeAttributes(edge, shown, palette));
  return drawn;
};

const recolour = (drawn: Graphology, shown: RenderedGraph, palette: Palette): void => {
  const { nodes, edges } = shown.graph;
  drawn.updateEachNodeAttributes((id, attributes) => {
    const node = nodes.get(id);
    return node === undefined ? attributes : { ...attributes, ...nodeAttributes(node, shown, palette) };
  });
  drawn.updateEachEdgeAttributes((id, attributes) => {
    const edge = edges.get(id);
    return edge === undefined ? attributes : { ...attributes, ...edgeAttributes(edge, shown, palette) };
  });
};

export const openRenderer = (container: HTMLElement, palette: Palette, hands: GraphHandlers): Renderer => {
  let drawn = emptyGraphology();
  const sigma = open(drawn, container, palette);
  sigma.on("clickNode", ({ node }) => hands.onNode(node));
  sigma.on("clickEdge", ({ edge }) => hands.onEdge(edge));
  sigma.on("nodeDragEnd", ({ node }) => {
    const { x, y } = drawn.getNodeAttributes(node);
    hands.onMove(node, Number(x), Number(y));
  });
  return {
    show(shown, places) {
      if (isOf(drawn, shown.graph)) return recolour(drawn, shown, palette);
      drawn = graphologyOf(shown, places, palette);
      sigma.setGraph(drawn);
      sigma.setSetting("enableEdgeEvents", drawn.size <= EDGE_EVENTS_MAX);
    },
    place(places) {
      drawn.updateEachNodeAttributes(
        (id, attributes) => {
          const [x, y] = places.get(id) ?? [0, 0];
          return { ...attributes, x, y };
        },
        { attributes: ["x", "y"] },
      );
    },
    fit: () => void sigma.getCamera().setState({ x: 0.5, y: 0.5, ratio: 1, angle: 0 }),
    close: () => sigma.kill(),
  };
};
