/** The graph that answers form: counterparties of wallets, and traces of their money. */
import type { CaseResult, GraphExpansion } from "./format.ts";
import {
  type BareNode,
  bareNode,
  edgeId,
  type Graph,
  type GraphEdge,
  type GraphNode,
  nodeId,
  summedTokens,
  sumOrNull,
  type TracedPath,
} from "./graph_model.ts";
import { type PeerPair, pairId, peersOf, walletOf } from "./peer_pairs.ts";
import { type TracedMoney, tracedIn } from "./traces.ts";
import { isOfTransactions, type TransactionRow, transactionsIn, withTransactions } from "./transaction_rows.ts";

/** Sources of a graph: its start and the expansions, in order. Missing entries are skipped. */
export interface GraphInput {
  readonly start: string;
  readonly expansions: readonly GraphExpansion[];
  readonly entries: ReadonlyMap<string, Pick<CaseResult, "id" | "arguments" | "answer">>;
}

/** Keeps the answer with more transfers when two describe one pair: the other call had a narrower window. */
export const graphOf = ({ start, expansions, entries }: GraphInput): Graph => {
  const nodes = new Map<string, BareNode>([[nodeId(start), bareNode(start)]]);
  const pairs = new Map<string, PeerPair>();
  const expanded = new Set<string>();
  const traced: (TracedMoney & { readonly entry: string })[] = [];
  const rows: TransactionRow[] = [];
  const meet = (node: BareNode): void => {
    const known = nodes.get(node.id);
    if (known === undefined || (known.label === null && known.category === null)) nodes.set(node.id, node);
  };
  for (const { entry: id, categories, trace } of expansions) {
    const entry = entries.get(id);
    if (entry === undefined) continue;
    const wallet = walletOf(entry);
    if (!nodes.has(nodeId(wallet))) nodes.set(nodeId(wallet), bareNode(wallet));
    if (trace !== undefined) {
      traced.push({ ...tracedIn(entry, trace), entry: id });
      continue;
    }
    if (isOfTransactions(entry)) {
      rows.push(...transactionsIn(entry));
      continue;
    }
    expanded.add(nodeId(wallet));
    for (const { node, pair } of peersOf(entry, wallet)) {
      if (categories.length > 0 && !categories.includes(node.category ?? "")) continue;
      if (node.id === pair.wallet) continue;
      meet(node);
      const other = pairs.get(pair.id);
      if (other === undefined || pair.interactions > other.interactions) pairs.set(pair.id, pair);
    }
  }
  for (const { nodes: on_paths } of traced) for (const node of on_paths) meet(node);
  for (const [id, pair] of withSteps(pairs, traced)) pairs.set(id, pair);
  const drawn = new Map([...pairs.values()].flatMap((pair) => pair.edges.map((edge) => [edge.id, edge] as const)));
  const edges = withTransactions(drawn, rows);
  return {
    ...{ start: nodeId(start), edges },
    nodes: summed(nodeId(start), { nodes, pairs, expanded }),
    traces: distinctPaths(traced.flatMap(({ paths }) => paths)),
  };
};

/** A trace that was added twice is one. */
const distinctPaths = (paths: readonly TracedPath[]): readonly TracedPath[] => [
  ...new Map(paths.map((path) => [path.id, path])).values(),
];

type PaymentsByEdge = ReadonlyMap<string, Pick<GraphEdge, "from" | "to" | "entry" | "payments">>;

/** Payments of all traces by edge, each transaction once, in the order of time. */
const paymentsOf = (traced: readonly (TracedMoney & { readonly entry: string })[]): PaymentsByEdge => {
  const edges = new Map<string, Pick<GraphEdge, "from" | "to" | "entry" | "payments">>();
  for (const { entry, steps } of traced)
    for (const { from, to, payment } of steps) {
      const { payments, ...known } = edges.get(edgeId(from, to)) ?? { from, to, entry, payments: [] };
      const all = payments.some(({ tx_hash }) => tx_hash === payment.tx_hash) ? payments : [...payments, payment];
      edges.set(edgeId(from, to), { ...known, payments: all.toSorted((a, b) => (a.time < b.time ? -1 : 1)) });
    }
  return edges;
};

/** The edge of traced payments alone. */
const tracedEdge = (part: Pick<GraphEdge, "from" | "to" | "entry" | "payments">): GraphEdge => ({
  ...part,
  ...{ id: edgeId(part.from, part.to), asked: part.from, via: [], is_part: true },
  usd: sumOrNull(part.payments.map(({ usd }) => usd)),
  ...{ transfers: null, unpriced_transfers: null, tokens: summedTokens(part.payments.flatMap(({ tokens }) => tokens)) },
  pair_transactions: part.payments.length,
  ...{ pair_first: part.payments[0]?.time ?? null, pair_last: part.payments.at(-1)?.time ?? null },
});

/** The pairs that traces add to or make: an edge that an answer about counterparties has keeps its figures. */
const withSteps = (
  pairs: ReadonlyMap<string, PeerPair>,
  traced: readonly (TracedMoney & { readonly entry: string })[],
): ReadonlyMap<string, PeerPair> => {
  const changed = new Map<string, PeerPair>();
  for (const [id, part] of paymentsOf(traced)) {
    const { from, to, payments } = part;
    const key = pairId(from, to);
    const pair = changed.get(key) ?? pairs.get(key) ?? { id: key, wallet: from, peer: to, interactions: 0, edges: [] };
    const known = pair.edges.find((edge) => edge.id === id);
    const edge = known === undefined ? tracedEdge(part) : { ...known, payments };
    changed.set(key, {
      ...pair,
      interactions: pair.interactions + (known === undefined ? payments.length : 0),
      edges: [...pair.edges.filter((one) => one.id !== id), edge],
    });
  }
  return changed;
};

/** The edge in the opposite direction; null when there is none. */
export const oppositeOf = ({ edges }: Graph, { from, to }: Pick<GraphEdge, "from" | "to">): GraphEdge | null =>
  edges.get(edgeId(to, from)) ?? null;

interface AnswerGraph {
  readonly nodes: ReadonlyMap<string, BareNode>;
  readonly pairs: ReadonlyMap<string, PeerPair>;
  readonly expanded: ReadonlySet<string>;
}

const summed = (start: string, { nodes, pairs, expanded }: AnswerGraph): Map<string, GraphNode> => {
  const around = new Map<string, PeerPair[]>([...nodes.keys()].map((id) => [id, []]));
  for (const pair of pairs.values()) for (const id of [pair.wallet, pair.peer]) around.get(id)?.push(pair);
  const hops = hopsFrom(start, around);
  return new Map(
    [...nodes.values()].map((node) => {
      const own = around.get(node.id) ?? [];
      const priced = own.flatMap(({ edges }) => edges).flatMap(({ usd }) => usd ?? []);
      return [
        node.id,
        {
          ...node,
          is_expanded: expanded.has(node.id),
          hops: hops.get(node.id) ?? null,
          volume_usd: priced.length === 0 ? null : priced.reduce((sum, usd) => sum + usd, 0),
          transfers: own.reduce((sum, { interactions }) => sum + interactions, 0),
        },
      ];
    }),
  );
};

const hopsFrom = (start: string, around: ReadonlyMap<string, readonly PeerPair[]>): ReadonlyMap<string, number> => {
  const hops = new Map([[start, 0]]);
  for (const [id, far] of hops)
    for (const { wallet, peer } of around.get(id) ?? []) {
      const next = wallet === id ? peer : wallet;
      if (!hops.has(next)) hops.set(next, far + 1);
    }
  return hops;
};

const bySize = (a: { id: string; usd: number | null }, b: { id: string; usd: number | null }): number =>
  (b.usd ?? -1) - (a.usd ?? -1) || (a.id < b.id ? -1 : 1);

/** Largest first: the order of the tables. */
export const sortedNodes = ({ nodes }: Graph): readonly GraphNode[] =>
  [...nodes.values()].sort((a, b) => bySize({ id: a.id, usd: a.volume_usd }, { id: b.id, usd: b.volume_usd }));

export const sortedEdges = ({ edges }: Graph): readonly GraphEdge[] => [...edges.values()].sort((a, b) => bySize(a, b));
