/** Paths between two nodes of the loaded graph. The absence of a path proves nothing. */
import { oppositeOf } from "./graph.ts";
import type { Graph, GraphEdge } from "./graph_model.ts";

export interface GraphPath {
  /** Nodes from first to last. */
  readonly nodes: readonly string[];
  readonly edges: readonly GraphEdge[];
  /** The smallest edge, USD; null when an edge has no price. */
  readonly narrowest_usd: number | null;
}

export interface PathQuery {
  readonly from: string;
  readonly to: string;
  /** Only over edges in the direction of payments. */
  readonly along_the_money: boolean;
}

interface PathStep {
  readonly to: string;
  readonly edge: GraphEdge;
  /** In the direction of the step when requested, else in both. */
  readonly usd: number | null;
}

type PathStepsByNode = ReadonlyMap<string, readonly PathStep[]>;

const stepsOf = (graph: Graph, along_the_money: boolean): PathStepsByNode => {
  const steps = new Map<string, PathStep[]>([...graph.nodes.keys()].map((id) => [id, []]));
  const add = (from: string, step: PathStep): void => void steps.get(from)?.push(step);
  for (const edge of [...graph.edges.values()].sort((a, b) => (a.id < b.id ? -1 : 1))) {
    const { from, to, usd } = edge;
    if (along_the_money) {
      // Zero transfers are no payment; transfers without a price are.
      if (usd !== 0) add(from, { to, edge, usd });
      continue;
    }
    const back = oppositeOf(graph, edge);
    if (back !== null && !isLarger(edge, back)) continue;
    const both = back === null || back.usd === null ? usd : (usd ?? 0) + back.usd;
    add(from, { to, edge, usd: both });
    add(to, { to: from, edge, usd: both });
  }
  return steps;
};

/** The edge that represents a pair with two edges. */
const isLarger = (a: GraphEdge, b: GraphEdge): boolean => {
  const [usd, other] = [a.usd ?? -1, b.usd ?? -1];
  return usd > other || (usd === other && a.id < b.id);
};

interface PathVisit {
  readonly by: PathStep | null;
  readonly before: string | null;
}

const pathTo = (to: string, reached: ReadonlyMap<string, PathVisit>): GraphPath | null => {
  const steps: PathStep[] = [];
  const nodes = [to];
  for (let at = reached.get(to); ; at = reached.get(at.before ?? "")) {
    if (at === undefined) return null;
    if (at.by === null || at.before === null) break;
    steps.unshift(at.by);
    nodes.unshift(at.before);
  }
  const amounts = steps.map(({ usd }) => usd);
  const known = amounts.flatMap((usd) => usd ?? []);
  return {
    nodes,
    edges: steps.map(({ edge }) => edge),
    narrowest_usd: known.length < amounts.length || known.length === 0 ? null : Math.min(...known),
  };
};

/** The path with the fewest hops; null when there is none. */
export const shortestPath = (graph: Graph, { from, to, along_the_money }: PathQuery): GraphPath | null => {
  if (!graph.nodes.has(from)) return null;
  const steps = stepsOf(graph, along_the_money);
  const reached = new Map<string, PathVisit>([[from, { by: null, before: null }]]);
  for (const [id] of reached) {
    if (id === to) break;
    for (const step of steps.get(id) ?? []) if (!reached.has(step.to)) reached.set(step.to, { by: step, before: id });
  }
  return pathTo(to, reached);
};

/** The path whose smallest edge is largest, over priced edges only; ties prefer fewer hops. */
export const widestPath = (graph: Graph, { from, to, along_the_money }: PathQuery): GraphPath | null => {
  if (!graph.nodes.has(from)) return null;
  const steps = stepsOf(graph, along_the_money);
  const best = new Map<string, PathVisit & PathWidth>([
    [from, { by: null, before: null, usd: Number.POSITIVE_INFINITY, hops: 0 }],
  ]);
  const done = new Set<string>();
  for (let id: string | null = from; id !== null && id !== to; id = widestOf(best, done)) {
    done.add(id);
    const own: PathWidth = best.get(id) ?? { usd: 0, hops: 0 };
    for (const step of steps.get(id) ?? []) {
      if (step.usd === null || done.has(step.to)) continue;
      const found = { by: step, before: id, usd: Math.min(own.usd, step.usd), hops: own.hops + 1 };
      const known = best.get(step.to);
      if (known === undefined || isWider(found, known)) best.set(step.to, found);
    }
  }
  return pathTo(to, best);
};

interface PathWidth {
  readonly usd: number;
  readonly hops: number;
}

const isWider = (a: PathWidth, b: PathWidth): boolean => a.usd > b.usd || (a.usd === b.usd && a.hops < b.hops);

const widestOf = (best: ReadonlyMap<string, PathWidth>, done: ReadonlySet<string>): string | null => {
  let found: string | null = null;
  let width: PathWidth = { usd: -1, hops: 0 };
  for (const [id, reached] of best) if (!done.has(id) && isWider(reached, width)) [found, width] = [id, reached];
  return found;
};
