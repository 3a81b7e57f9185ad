/** Who dealt with whom: the graph that answers of get_wallet_counterparties make together. */
import { isRecord } from "../lib/record.ts";
import type { Entry, Expansion, Members } from "./format.ts";
import { type Table, tableOf } from "./tables.ts";

export const COUNTERPARTIES = "get_wallet_counterparties";

export interface GraphNode {
  /** The address as it is compared: hex in lower case, others as they are. */
  readonly id: string;
  readonly address: string;
  readonly label: string | null;
  readonly entity: string | null;
  readonly category: string | null;
  readonly tags: readonly string[];
  readonly is_contract: boolean | null;
  /** Its counterparties were asked for. */
  readonly is_expanded: boolean;
  /** From the start, over edges of either direction; null where nothing leads there. */
  readonly hops: number | null;
  /** Over its edges, as far as there was a price; null when none had. */
  readonly volume_usd: number | null;
  readonly transfers: number;
  /** Lists that labels of the answer came from. */
  readonly sources: readonly string[];
}

export interface GraphEdge {
  readonly id: string;
  /** The wallet whose answer tells of it, and the counterparty. */
  readonly from: string;
  readonly to: string;
  /** What `from` paid to `to`, as far as it had a price; null when nothing had. */
  readonly paid_usd: number | null;
  readonly received_usd: number | null;
  readonly transfers: number;
  readonly transactions: number;
  readonly unpriced_transfers: number;
  readonly first: string | null;
  readonly last: string | null;
  /** Pools and other contracts behind `to`: in transactions they stand as the other side. */
  readonly via: readonly string[];
  /** The entry that tells of it. */
  readonly entry: string;
}

export interface Graph {
  readonly start: string;
  readonly nodes: ReadonlyMap<string, GraphNode>;
  readonly edges: ReadonlyMap<string, GraphEdge>;
}

export const nodeId = (address: string): string => (/^0x/i.test(address) ? address.toLowerCase() : address);

interface Peer {
  readonly node: Omit<GraphNode, "is_expanded" | "hops" | "volume_usd" | "transfers">;
  readonly edge: GraphEdge;
}

/** What a graph is made from: its start and what was asked, in order. Entries that are not there are passed over. */
export interface GraphParts {
  readonly start: string;
  readonly expansions: readonly Expansion[];
  readonly entries: ReadonlyMap<string, Pick<Entry, "id" | "arguments" | "answer">>;
}

/** Of two answers that tell of one pair, the one that counted more transfers is kept: the other was asked for less. */
export const graphOf = ({ start, expansions, entries }: GraphParts): Graph => {
  const nodes = new Map<string, Peer["node"]>([[nodeId(start), bare(start)]]);
  const edges = new Map<string, GraphEdge>();
  const expanded = new Set<string>();
  for (const { entry: id, categories } of expansions) {
    const entry = entries.get(id);
    if (entry === undefined) continue;
    const wallet = walletOf(entry);
    if (!nodes.has(nodeId(wallet))) nodes.set(nodeId(wallet), bare(wallet));
    expanded.add(nodeId(wallet));
    for (const { node, edge } of peersOf(entry, wallet)) {
      if (categories.length > 0 && !categories.includes(node.category ?? "")) continue;
      if (node.id === edge.from) continue;
      const known = nodes.get(node.id);
      if (known === undefined || (known.label === null && known.category === null)) nodes.set(node.id, node);
      const other = edges.get(edge.id);
      if (other === undefined || edge.transfers > other.transfers) edges.set(edge.id, edge);
    }
  }
  return { start: nodeId(start), nodes: summed(nodeId(start), { nodes, edges, expanded }), edges };
};

const bare = (address: string): Peer["node"] => ({
  id: nodeId(address),
  address,
  label: null,
  entity: null,
  category: null,
  tags: [],
  is_contract: null,
  sources: [],
});

/** The address of the wallet that was asked about: as the service writes it, else as it was asked. */
const walletOf = ({ answer, arguments: asked }: Pick<Entry, "arguments" | "answer">): string => {
  const { metadata } = answer;
  if (isRecord(metadata) && typeof metadata.address === "string") return metadata.address;
  return typeof asked.address === "string" ? asked.address : "";
};

const peersOf = ({ id, answer }: Pick<Entry, "id" | "answer">, wallet: string): readonly Peer[] => {
  const rows = Array.isArray(answer.data) ? answer.data.filter(isRecord) : [];
  const sources = labelSources(answer);
  return rows.flatMap((row) => {
    const { peer } = row;
    if (!isRecord(peer) || typeof peer.address !== "string" || peer.address === "") return [];
    const to = nodeId(peer.address);
    const from = nodeId(wallet);
    const node = {
      id: to,
      address: peer.address,
      label: textOr(peer.label),
      entity: textOr(peer.entity),
      category: textOr(peer.category),
      tags: Array.isArray(peer.tags) ? peer.tags.filter((tag) => typeof tag === "string") : [],
      is_contract: typeof peer.is_contract === "boolean" ? peer.is_contract : null,
      sources: textOr(peer.label) === null ? [] : sources,
    };
    return [{ node, edge: edgeOf(row, { from, to, entry: id }) }];
  });
};

const edgeOf = (row: Members, { from, to, entry }: { from: string; to: string; entry: string }): GraphEdge => ({
  id: [from, to].sort().join(" "),
  from,
  to,
  paid_usd: numberOr(row.volume_out_usd),
  received_usd: numberOr(row.volume_in_usd),
  transfers: numberOr(row.interaction_count) ?? 0,
  transactions: numberOr(row.tx_count) ?? 0,
  unpriced_transfers: numberOr(row.unpriced_transfers) ?? 0,
  first: textOr(row.first_interaction),
  last: textOr(row.last_interaction),
  via: Array.isArray(row.via) ? row.via.filter((one) => typeof one === "string") : [],
  entry,
});

const labelSources = ({ metadata }: Members): readonly string[] => {
  const sources = isRecord(metadata) && Array.isArray(metadata.sources) ? metadata.sources.filter(isRecord) : [];
  return sources.flatMap(({ id }) => (typeof id === "string" && id.startsWith("labels/") ? [id] : []));
};

const textOr = (value: unknown): string | null => (typeof value === "string" ? value : null);
const numberOr = (value: unknown): number | null => (typeof value === "number" ? value : null);

/** What went over an edge in both directions, as far as it had a price. */
export const volumeOf = ({ paid_usd, received_usd }: GraphEdge): number | null =>
  paid_usd === null && received_usd === null ? null : (paid_usd ?? 0) + (received_usd ?? 0);

interface Found {
  readonly nodes: ReadonlyMap<string, Peer["node"]>;
  readonly edges: ReadonlyMap<string, GraphEdge>;
  readonly expanded: ReadonlySet<string>;
}

const summed = (start: string, { nodes, edges, expanded }: Found): Map<string, GraphNode> => {
  const around = new Map<string, GraphEdge[]>([...nodes.keys()].map((id) => [id, []]));
  for (const edge of edges.values()) for (const id of [edge.from, edge.to]) around.get(id)?.push(edge);
  const hops = hopsFrom(start, around);
  return new Map(
    [...nodes.values()].map((node) => {
      const own = around.get(node.id) ?? [];
      const priced = own.flatMap((edge) => volumeOf(edge) ?? []);
      return [
        node.id,
        {
          ...node,
          is_expanded: expanded.has(node.id),
          hops: hops.get(node.id) ?? null,
          volume_usd: priced.length === 0 ? null : priced.reduce((sum, usd) => sum + usd, 0),
          transfers: own.reduce((sum, { transfers }) => sum + transfers, 0),
        },
      ];
    }),
  );
};

const hopsFrom = (start: string, around: ReadonlyMap<string, readonly GraphEdge[]>): ReadonlyMap<string, number> => {
  const hops = new Map([[start, 0]]);
  for (const [id, far] of hops)
    for (const { from, to } of around.get(id) ?? []) {
      const next = from === id ? to : from;
      if (!hops.has(next)) hops.set(next, far + 1);
    }
  return hops;
};

const bySize = (a: { id: string; usd: number | null }, b: { id: string; usd: number | null }): number =>
  (b.usd ?? -1) - (a.usd ?? -1) || (a.id < b.id ? -1 : 1);

/** Largest first: in this order they stand in the tables. */
export const sortedNodes = ({ nodes }: Graph): readonly GraphNode[] =>
  [...nodes.values()].sort((a, b) => bySize({ id: a.id, usd: a.volume_usd }, { id: b.id, usd: b.volume_usd }));

export const sortedEdges = ({ edges }: Graph): readonly GraphEdge[] =>
  [...edges.values()].sort((a, b) => bySize({ id: a.id, usd: volumeOf(a) }, { id: b.id, usd: volumeOf(b) }));

/** The same graph for those who read. */
export const nodeTable = (graph: Graph): Table =>
  tableOf(
    "nodes",
    sortedNodes(graph).map(({ id: _, tags, sources, ...node }) => ({
      ...node,
      tags: [...tags],
      sources: [...sources],
    })),
  );

/** Amounts as the wallet sees them whose answer tells of the edge. */
export const edgeTable = (graph: Graph): Table =>
  tableOf(
    "edges",
    sortedEdges(graph).map(({ id: _, entry: __, via, from, to, ...edge }) => ({
      from: graph.nodes.get(from)?.address ?? from,
      from_label: graph.nodes.get(from)?.label ?? null,
      to: graph.nodes.get(to)?.address ?? to,
      to_label: graph.nodes.get(to)?.label ?? null,
      ...edge,
      via: [...via],
    })),
  );
