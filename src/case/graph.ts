/** The graph of counterparties that several answers of get_wallet_counterparties form. */
import { isRecord } from "../lib/record.ts";
import type { CaseResult, GraphExpansion, JsonMembers } from "./format.ts";

export const COUNTERPARTIES = "get_wallet_counterparties";

export interface GraphNode {
  /** The address as compared: hex in lower case, other formats unchanged. */
  readonly id: string;
  readonly address: string;
  readonly label: string | null;
  readonly entity: string | null;
  readonly category: string | null;
  readonly tags: readonly string[];
  readonly is_contract: boolean | null;
  /** An answer lists its counterparties. */
  readonly is_expanded: boolean;
  /** Hops from the start, over edges of either direction; null when unreachable. */
  readonly hops: number | null;
  /** Sum over its edges with a price; null when no edge has one. */
  readonly volume_usd: number | null;
  readonly transfers: number;
  /** Lists that the labels came from. */
  readonly sources: readonly string[];
}

/** Payments of one address to another. Payments in the other direction form their own edge. */
export interface GraphEdge {
  /** Payer and payee, in this order. */
  readonly id: string;
  /** The payer. */
  readonly from: string;
  /** The payee. */
  readonly to: string;
  /** USD that `from` paid to `to`, for transfers with a price; null when none has one. */
  readonly usd: number | null;
  /** Transfers from `from` to `to`; null when the answer counts both directions together. */
  readonly transfers: number | null;
  readonly unpriced_transfers: number | null;
  /** Amounts of each token that `from` paid to `to`; contracts of one symbol are separate. */
  readonly tokens: readonly PaidToken[];
  /** Of the pair, in either direction: transactions, first and last transfer. */
  readonly pair_transactions: number;
  readonly pair_first: string | null;
  readonly pair_last: string | null;
  /** Pools and other contracts that act for the counterparty: transactions show them as the other side. */
  readonly via: readonly string[];
  /** The wallet whose answer has the edge: the payer or the payee. */
  readonly asked: string;
  /** The entry that has it. */
  readonly entry: string;
}

/** A token, and how much of it was paid over an edge. */
export interface PaidToken {
  /** From the chain: text of strangers. */
  readonly symbol: string | null;
  readonly address: string | null;
  /** Null when it is unknown. */
  readonly amount: number | null;
}

export interface Graph {
  readonly start: string;
  readonly nodes: ReadonlyMap<string, GraphNode>;
  readonly edges: ReadonlyMap<string, GraphEdge>;
}

export const nodeId = (address: string): string => (/^0x/i.test(address) ? address.toLowerCase() : address);

interface GraphPeer {
  readonly node: Omit<GraphNode, "is_expanded" | "hops" | "volume_usd" | "transfers">;
  readonly pair: PeerPair;
}

/** A wallet and one of its counterparties, from one answer. */
interface PeerPair {
  /** Both addresses, in a fixed order. */
  readonly id: string;
  readonly wallet: string;
  readonly peer: string;
  /** Transfers in either direction. */
  readonly interactions: number;
  /** One for each direction with payments. */
  readonly edges: readonly GraphEdge[];
}

/** Sources of a graph: its start and the expansions, in order. Missing entries are skipped. */
export interface GraphInput {
  readonly start: string;
  readonly expansions: readonly GraphExpansion[];
  readonly entries: ReadonlyMap<string, Pick<CaseResult, "id" | "arguments" | "answer">>;
}

/** Keeps the answer with more transfers when two describe one pair: the other call had a narrower window. */
export const graphOf = ({ start, expansions, entries }: GraphInput): Graph => {
  const nodes = new Map<string, GraphPeer["node"]>([[nodeId(start), bare(start)]]);
  const pairs = new Map<string, PeerPair>();
  const expanded = new Set<string>();
  for (const { entry: id, categories } of expansions) {
    const entry = entries.get(id);
    if (entry === undefined) continue;
    const wallet = walletOf(entry);
    if (!nodes.has(nodeId(wallet))) nodes.set(nodeId(wallet), bare(wallet));
    expanded.add(nodeId(wallet));
    for (const { node, pair } of peersOf(entry, wallet)) {
      if (categories.length > 0 && !categories.includes(node.category ?? "")) continue;
      if (node.id === pair.wallet) continue;
      const known = nodes.get(node.id);
      if (known === undefined || (known.label === null && known.category === null)) nodes.set(node.id, node);
      const other = pairs.get(pair.id);
      if (other === undefined || pair.interactions > other.interactions) pairs.set(pair.id, pair);
    }
  }
  const edges = new Map([...pairs.values()].flatMap((pair) => pair.edges.map((edge) => [edge.id, edge] as const)));
  return { start: nodeId(start), nodes: summed(nodeId(start), { nodes, pairs, expanded }), edges };
};

const bare = (address: string): GraphPeer["node"] => ({
  id: nodeId(address),
  address,
  label: null,
  entity: null,
  category: null,
  tags: [],
  is_contract: null,
  sources: [],
});

/** The wallet of a call: as the answer writes it, else as the caller did. */
const walletOf = ({ answer, arguments: asked }: Pick<CaseResult, "arguments" | "answer">): string => {
  const { metadata } = answer;
  if (isRecord(metadata) && typeof metadata.address === "string") return metadata.address;
  return typeof asked.address === "string" ? asked.address : "";
};

const peersOf = ({ id, answer }: Pick<CaseResult, "id" | "answer">, wallet: string): readonly GraphPeer[] => {
  const rows = Array.isArray(answer.data) ? answer.data.filter(isRecord) : [];
  const sources = labelSources(answer);
  return rows.flatMap((row) => {
    const { peer } = row;
    if (!isRecord(peer) || typeof peer.address !== "string" || peer.address === "") return [];
    const pair = pairOf(row, { wallet: nodeId(wallet), peer: nodeId(peer.address), entry: id });
    const node = {
      id: pair.peer,
      address: peer.address,
      label: textOr(peer.label),
      entity: textOr(peer.entity),
      category: textOr(peer.category),
      tags: Array.isArray(peer.tags) ? peer.tags.filter((tag) => typeof tag === "string") : [],
      is_contract: typeof peer.is_contract === "boolean" ? peer.is_contract : null,
      sources: textOr(peer.label) === null ? [] : sources,
    };
    return [{ node, pair }];
  });
};

/** Figures of one direction: incoming or outgoing. */
interface DirectionFlow {
  readonly usd: number | null;
  readonly transfers: number | null;
  readonly unpriced: number | null;
  /** Of each token in the row. */
  readonly amounts: readonly unknown[];
  readonly tokens: readonly PaidToken[];
}

/** Answers of earlier versions do not count by direction; their amounts show it. */
const wasPaid = ({ usd, transfers, amounts }: DirectionFlow): boolean =>
  transfers === null ? usd !== 0 || amounts.some((raw) => typeof raw === "string" && /[1-9]/.test(raw)) : transfers > 0;

/** Tokens that were paid in one direction, by the members of that direction. */
const paidTokens = (tokens: readonly JsonMembers[], direction: "in" | "out"): readonly PaidToken[] =>
  tokens.flatMap((token) => {
    const raw = token[`amount_${direction}_raw`];
    if (typeof raw !== "string" || !/[1-9]/.test(raw)) return [];
    const { symbol, address, [`amount_${direction}`]: amount } = token;
    return [{ symbol: textOr(symbol), address: textOr(address), amount: numberOr(amount) }];
  });

const flowsIn = (row: JsonMembers): { readonly paid: DirectionFlow; readonly received: DirectionFlow } => {
  const tokens = Array.isArray(row.tokens) ? row.tokens.filter(isRecord) : [];
  const received = numberOr(row.transfers_in);
  const unpriced = numberOr(row.unpriced_transfers);
  const unpriced_in = numberOr(row.unpriced_transfers_in);
  return {
    paid: {
      usd: numberOr(row.volume_out_usd),
      transfers: numberOr(row.transfers_out),
      unpriced: unpriced === null || unpriced_in === null ? null : unpriced - unpriced_in,
      amounts: tokens.map(({ amount_out_raw }) => amount_out_raw),
      tokens: paidTokens(tokens, "out"),
    },
    received: {
      usd: numberOr(row.volume_in_usd),
      transfers: received,
      unpriced: unpriced_in,
      amounts: tokens.map(({ amount_in_raw }) => amount_in_raw),
      tokens: paidTokens(tokens, "in"),
    },
  };
};

const pairOf = (
  row: JsonMembers,
  { wallet, peer, entry }: { wallet: string; peer: string; entry: string },
): PeerPair => {
  const { paid, received } = flowsIn(row);
  const shared = {
    pair_transactions: numberOr(row.tx_count) ?? 0,
    pair_first: textOr(row.first_interaction),
    pair_last: textOr(row.last_interaction),
    via: Array.isArray(row.via) ? row.via.filter((one) => typeof one === "string") : [],
    asked: wallet,
    entry,
  };
  const edge = (from: string, to: string, { usd, transfers, unpriced, tokens }: DirectionFlow): GraphEdge => ({
    ...{ id: edgeId(from, to), from, to, usd, transfers, unpriced_transfers: unpriced, tokens, ...shared },
  });
  const edges = [
    ...(wasPaid(paid) ? [edge(wallet, peer, paid)] : []),
    ...(wasPaid(received) ? [edge(peer, wallet, received)] : []),
  ];
  const interactions = numberOr(row.interaction_count) ?? 0;
  return { id: [wallet, peer].sort().join(" "), wallet, peer, interactions, edges };
};

const edgeId = (from: string, to: string): string => `${from} ${to}`;

/** The edge in the opposite direction; null when there is none. */
export const oppositeOf = ({ edges }: Graph, { from, to }: Pick<GraphEdge, "from" | "to">): GraphEdge | null =>
  edges.get(edgeId(to, from)) ?? null;

const labelSources = ({ metadata }: JsonMembers): readonly string[] => {
  const sources = isRecord(metadata) && Array.isArray(metadata.sources) ? metadata.sources.filter(isRecord) : [];
  return sources.flatMap(({ id }) => (typeof id === "string" && id.startsWith("labels/") ? [id] : []));
};

const textOr = (value: unknown): string | null => (typeof value === "string" ? value : null);
const numberOr = (value: unknown): number | null => (typeof value === "number" ? value : null);

interface AnswerGraph {
  readonly nodes: ReadonlyMap<string, GraphPeer["node"]>;
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
