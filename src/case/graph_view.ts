/** The visible part of a graph: the user's own labels, the filter, and the kinds of addresses. */
import type { SavedGraph } from "./format.ts";
import { grouped } from "./graph_groups.ts";
import type { Graph, GraphEdge, GraphNode } from "./graph_model.ts";
import { type GraphWindow, narrowed } from "./graph_time.ts";

/** Visible part of a graph. */
export interface GraphFilter extends GraphWindow {
  readonly text: string;
  readonly min_usd: number;
  readonly kinds: ReadonlySet<string>;
}

/** The graph with the user's own labels. */
export const labelled = (graph: Graph, labels: ReadonlyMap<string, string>): Graph =>
  labels.size === 0
    ? graph
    : {
        ...graph,
        nodes: new Map([...graph.nodes].map(([id, node]) => [id, { ...node, label: labels.get(id) ?? node.label }])),
      };

interface KeptNodes {
  readonly pinned: ReadonlySet<string>;
  readonly hidden: ReadonlySet<string>;
}

/** The start and pinned nodes always stay visible, unless the user hides them. */
export const filtered = (graph: Graph, filter: GraphFilter, { pinned, hidden }: KeptNodes): Graph => {
  const word = filter.text.trim().toLowerCase();
  const stays = (node: GraphNode): boolean =>
    node.id === graph.start ||
    (pinned.has(node.id) && !hidden.has(node.id)) ||
    (!hidden.has(node.id) &&
      (filter.kinds.size === 0 || filter.kinds.has(kindOf(node))) &&
      (word === "" ||
        [node.address, node.label, node.entity, node.category].some((text) => text?.toLowerCase().includes(word))));
  const edges = new Map<string, GraphEdge>();
  const nodes = new Map([...graph.nodes].filter(([, node]) => stays(node)));
  for (const [id, whole] of graph.edges) {
    if (!nodes.has(whole.from) || !nodes.has(whole.to)) continue;
    const edge = narrowed(whole, filter);
    if (edge !== null && (edge.usd ?? 0) >= filter.min_usd) edges.set(id, edge);
  }
  if (filter.min_usd > 0 || filter.from !== null || filter.to !== null || filter.token !== null) {
    const joined = new Set([...edges.values()].flatMap(({ from, to }) => [from, to]));
    for (const id of nodes.keys()) if (!joined.has(id) && id !== graph.start && !pinned.has(id)) nodes.delete(id);
  }
  return { start: graph.start, nodes, edges, traces: graph.traces };
};

/** Groups of categories that a picture can tell apart: each has a colour, a shape and a sign. */
export const KINDS = {
  risk: { name: "Risk", sign: "!" },
  exchange: { name: "Exchange, custodian", sign: "E" },
  protocol: { name: "Protocol, contract", sign: "P" },
  other: { name: "Other label", sign: "L" },
  wallet: { name: "No label", sign: "·" },
} as const;

export type CategoryKind = keyof typeof KINDS;

const GROUPS: Readonly<Record<string, CategoryKind>> = Object.fromEntries([
  ...[
    ...["non_kyc_exchange", "high_risk_bridge", "mixer", "privacy_service", "gambling", "darknet", "scam", "phishing"],
    ...["ponzi", "theft", "exploit", "ransomware", "terror", "child_abuse", "sanctioned"],
  ].map((category) => [category, "risk"] as const),
  ...["exchange", "exchange_deposit", "custodian", "payment", "market_maker", "fund"].map(
    (category) => [category, "exchange"] as const,
  ),
  ...[
    ...["dex", "lending", "bridge", "issuer", "stablecoin_contract", "derivatives", "name_service", "token_contract"],
    ...["nft", "launchpad", "oracle", "locker", "multisig", "smart_account", "burn"],
  ].map((category) => [category, "protocol"] as const),
]);

export const kindOf = ({ category, label, is_contract }: GraphNode): CategoryKind => {
  const known = category === null || !Object.hasOwn(GROUPS, category) ? undefined : GROUPS[category];
  if (known !== undefined) return known;
  if (category !== null || label !== null) return "other";
  return is_contract === true ? "protocol" : "wallet";
};

/** Short name of a node: its label, or the ends of its address. */
export const nameOf = ({ label, address }: Pick<GraphNode, "label" | "address">): string =>
  label ?? (address.length > 16 ? `${address.slice(0, 8)}…${address.slice(-6)}` : address);

/** A saved graph as its user saw it. */
export const shownOf = (graph: Graph, saved: SavedGraph): Graph =>
  grouped(
    filtered(
      labelled(graph, new Map(saved.labels)),
      { ...saved.filter, kinds: new Set(saved.filter.kinds) },
      { pinned: new Set(saved.pinned), hidden: new Set(saved.hidden) },
    ),
    saved.groups,
  );
