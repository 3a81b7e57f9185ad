/** Groups of addresses that the graph shows as one. */
import { CASE_LIMITS, type GraphGroup } from "./format.ts";
import {
  edgeId,
  type Graph,
  type GraphEdge,
  type GraphNode,
  summedTokens,
  sumOrNull,
  wholeSum,
} from "./graph_model.ts";

/** Node of a closed group. */
export const groupNode = ({ id }: Pick<GraphGroup, "id">): string => `group:${id}`;

const commonOr = <T>(values: readonly T[], otherwise: T): T =>
  values.every((value) => value === values[0]) ? (values[0] ?? otherwise) : otherwise;

const earliest = (days: readonly (string | null)[]): string | null =>
  days.flatMap((day) => day ?? []).sort()[0] ?? null;
const latest = (days: readonly (string | null)[]): string | null =>
  days
    .flatMap((day) => day ?? [])
    .sort()
    .at(-1) ?? null;

/** Several edges as one, from one node to another. */
const mergedEdge = (from: string, to: string, [first, ...others]: readonly [GraphEdge, ...GraphEdge[]]): GraphEdge => {
  const all = [first, ...others];
  return {
    ...first,
    ...{ id: edgeId(from, to), from, to },
    usd: sumOrNull(all.map(({ usd }) => usd)),
    transfers: wholeSum(all.map(({ transfers }) => transfers)),
    unpriced_transfers: wholeSum(all.map(({ unpriced_transfers }) => unpriced_transfers)),
    tokens: summedTokens(all.flatMap(({ tokens }) => tokens)),
    pair_transactions: all.reduce((sum, { pair_transactions }) => sum + pair_transactions, 0),
    pair_first: earliest(all.map(({ pair_first }) => pair_first)),
    pair_last: latest(all.map(({ pair_last }) => pair_last)),
    via: [...new Set(all.flatMap(({ via }) => via))],
    payments: all.flatMap(({ payments }) => payments).toSorted((a, b) => (a.time < b.time ? -1 : 1)),
    is_part: all.some(({ is_part }) => is_part),
  };
};

const nodeOf = (group: GraphGroup, members: readonly GraphNode[], volume_usd: number | null): GraphNode => {
  const hops = members.flatMap((member) => member.hops ?? []);
  return {
    ...{ id: groupNode(group), address: `${members.length} addresses`, label: group.name, volume_usd },
    entity: commonOr<string | null>(
      members.map(({ entity }) => entity),
      null,
    ),
    category: commonOr<string | null>(
      members.map(({ category }) => category),
      null,
    ),
    tags: [],
    is_contract: commonOr<boolean | null>(
      members.map(({ is_contract }) => is_contract),
      null,
    ),
    is_expanded: members.every(({ is_expanded }) => is_expanded),
    hops: hops.length === 0 ? null : Math.min(...hops),
    transfers: members.reduce((sum, { transfers }) => sum + transfers, 0),
    sources: [],
    network: null,
  };
};

/** The graph with each closed group as one node: payments inside a group are not shown, and those across it are summed. */
export const grouped = (graph: Graph, groups: readonly GraphGroup[]): Graph => {
  const closed = groups
    .filter(({ is_open }) => !is_open)
    .map((group) => ({ group, members: group.nodes.flatMap((id) => graph.nodes.get(id) ?? []) }))
    .filter(({ members }) => members.length > 1);
  if (closed.length === 0) return graph;
  const shown = new Map<string, string>();
  for (const { group, members } of closed) for (const { id } of members) shown.set(id, groupNode(group));
  const as = (id: string): string => shown.get(id) ?? id;
  const parts = new Map<string, [GraphEdge, ...GraphEdge[]]>();
  for (const edge of graph.edges.values()) {
    const [from, to] = [as(edge.from), as(edge.to)];
    if (from === to) continue;
    const known = parts.get(edgeId(from, to));
    parts.set(edgeId(from, to), known === undefined ? [edge] : [...known, edge]);
  }
  const edges = new Map<string, GraphEdge>();
  for (const all of parts.values()) {
    const [from, to] = [as(all[0].from), as(all[0].to)];
    edges.set(edgeId(from, to), from === all[0].from && to === all[0].to ? all[0] : mergedEdge(from, to, all));
  }
  const nodes = new Map([...graph.nodes].filter(([id]) => !shown.has(id)));
  for (const { group, members } of closed) {
    const own = [...edges.values()].filter(({ from, to }) => from === groupNode(group) || to === groupNode(group));
    nodes.set(groupNode(group), nodeOf(group, members, sumOrNull(own.map(({ usd }) => usd))));
  }
  const traces = graph.traces.map((path) => {
    const ids = path.nodes.map(as).filter((id, i, all) => id !== all[i - 1]);
    return {
      ...path,
      ...{ wallet: as(path.wallet), end: as(path.end), nodes: ids },
      edges: ids.slice(1).map((to, i) => edgeId(ids[i] ?? "", to)),
    };
  });
  return { start: as(graph.start), nodes, edges, traces };
};

/** Groups for each entity that names several addresses outside the existing groups. */
export const groupsByEntity = (
  graph: Graph,
  groups: readonly GraphGroup[],
  newId: () => string,
): readonly GraphGroup[] => {
  const taken = new Set(groups.flatMap(({ nodes }) => nodes));
  const found = new Map<string, string[]>();
  for (const { id, entity } of graph.nodes.values())
    if (entity !== null && !taken.has(id)) found.set(entity, [...(found.get(entity) ?? []), id]);
  return [...found]
    .filter(([, nodes]) => nodes.length > 1)
    .map(([entity, nodes]) => ({
      ...{ id: newId(), name: entity.slice(0, CASE_LIMITS.label_length), nodes, is_open: false },
    }));
};
