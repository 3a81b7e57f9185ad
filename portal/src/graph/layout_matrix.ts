/** A graph as ForceAtlas2 reads it, and where nodes begin. */
import type { GraphGroup } from "../../../src/case/format.ts";
import { groupNode } from "../../../src/case/graph_groups.ts";
import type { Graph } from "../../../src/case/graph_model.ts";

/** Numbers of a node: x, y, forces, mass, convergence, size, fixed (graphology-layout-forceatlas2/iterate.js). */
export const NODE_LENGTH = 10;
const EDGE_LENGTH = 3;

export interface LayoutRequest {
  /** Answers to an older question are dropped. */
  readonly id: number;
  readonly nodes: Float32Array;
  readonly edges: Float32Array;
  readonly rounds: number;
}

export interface LayoutResponse {
  readonly id: number;
  /** x and y of each node, in the order asked. */
  readonly places: Float32Array;
  readonly is_done: boolean;
}

/** By the number of nodes; from some hundreds on far ones pull as groups (Barnes and Hut). */
export const SETTINGS = (count: number) => ({
  ...{ linLogMode: false, outboundAttractionDistribution: false, adjustSizes: false, edgeWeightInfluence: 0 },
  ...{ scalingRatio: 10, strongGravityMode: true, gravity: 0.05, slowDown: 1 + Math.log(Math.max(1, count)) },
  ...{ barnesHutOptimize: count > 300, barnesHutTheta: 0.7 },
});

export type NodePositions = Map<string, readonly [number, number]>;

/** The golden angle: neighbours of one node come to lie around it evenly, and the same each time. */
const TURN = 2.399963;

/** Places a new group in the middle of its addresses. Changes `places`. */
export const positionGroups = (groups: readonly GraphGroup[], places: NodePositions): void => {
  for (const group of groups) {
    const of_members = group.nodes.flatMap((id) => {
      const place = places.get(id);
      return place === undefined ? [] : [place];
    });
    if (places.has(groupNode(group)) || of_members.length === 0) continue;
    const [x, y] = of_members.reduce(([sum_x, sum_y], [at_x, at_y]) => [sum_x + at_x, sum_y + at_y] as const, [0, 0]);
    places.set(groupNode(group), [x / of_members.length, y / of_members.length]);
  }
};

/** Places every node without a position near a neighbour. Changes `places`. */
export const positionNew = (graph: Graph, places: NodePositions): void => {
  if (!places.has(graph.start)) places.set(graph.start, [0, 0]);
  let count = 0;
  const near = (id: string, by: string): void => {
    const [x, y] = places.get(by) ?? [0, 0];
    count += 1;
    const far = 10 + Math.sqrt(count) * 6;
    places.set(id, [x + far * Math.cos(count * TURN), y + far * Math.sin(count * TURN)]);
  };
  for (const { from, to } of graph.edges.values()) {
    if (!places.has(to)) near(to, from);
    if (!places.has(from)) near(from, to);
  }
  for (const id of graph.nodes.keys()) if (!places.has(id)) near(id, graph.start);
};

export const matrixOf = (
  graph: Graph,
  places: NodePositions,
  pinned: ReadonlySet<string>,
): Omit<LayoutRequest, "id" | "rounds"> => {
  const ids = [...graph.nodes.keys()];
  const at = new Map(ids.map((id, i) => [id, i * NODE_LENGTH]));
  const nodes = new Float32Array(ids.length * NODE_LENGTH);
  for (const [id, j] of at) {
    const [x, y] = places.get(id) ?? [0, 0];
    nodes.set([x, y, 0, 0, 0, 0, 1, 1, 1, pinned.has(id) ? 1 : 0], j);
  }
  const edges = new Float32Array(graph.edges.size * EDGE_LENGTH);
  let j = 0;
  for (const { from, to } of graph.edges.values()) {
    const [a, b] = [at.get(from) ?? 0, at.get(to) ?? 0];
    nodes[a + 6] = (nodes[a + 6] ?? 0) + 1;
    nodes[b + 6] = (nodes[b + 6] ?? 0) + 1;
    edges.set([a, b, 1], j);
    j += EDGE_LENGTH;
  }
  return { nodes, edges };
};
