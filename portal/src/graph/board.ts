/** Content of the canvas, with undo of the last step. */
import type { CaseResult, GraphExpansion, SavedGraph } from "../../../src/case/format.ts";
import type { Graph, GraphEdge, GraphNode } from "../../../src/case/graph.ts";

/** One state of a graph; the ones before it are kept for undo. */
interface BoardState {
  readonly expansions: readonly GraphExpansion[];
  readonly pinned: ReadonlySet<string>;
}

export interface Board extends BoardState {
  readonly start: string;
  readonly entries: ReadonlyMap<string, CaseResult>;
  readonly past: readonly BoardState[];
}

export type BoardAction =
  | { readonly kind: "begin"; readonly start: string }
  | { readonly kind: "expand"; readonly entry: CaseResult; readonly categories: readonly string[] }
  | { readonly kind: "pin"; readonly node: string }
  | { readonly kind: "undo" }
  | { readonly kind: "load"; readonly graph: SavedGraph; readonly entries: readonly CaseResult[] };

const STEPS_MAX = 100;

export const emptyBoard = (start: string): Board => ({
  ...{ start, entries: new Map(), expansions: [], pinned: new Set<string>(), past: [] },
});

const stepped = (board: Board, next: Partial<Board>): Board => ({
  ...board,
  ...next,
  past: [...board.past, { expansions: board.expansions, pinned: board.pinned }].slice(-STEPS_MAX),
});

export const moved = (board: Board, move: BoardAction): Board => {
  switch (move.kind) {
    case "begin":
      return emptyBoard(move.start);
    case "expand": {
      const { entry, categories } = move;
      const entries = new Map([...board.entries, [entry.id, entry]]);
      return stepped(board, { entries, expansions: [...board.expansions, { entry: entry.id, categories }] });
    }
    case "pin": {
      const pinned = new Set(board.pinned);
      if (!pinned.delete(move.node)) pinned.add(move.node);
      return stepped(board, { pinned });
    }
    case "undo": {
      const last = board.past.at(-1);
      return last === undefined ? board : { ...board, ...last, past: board.past.slice(0, -1) };
    }
    case "load": {
      const entries = new Map(move.entries.map((entry) => [entry.id, entry]));
      const { start, expansions } = move.graph;
      return { start, entries, expansions, pinned: new Set(move.graph.pinned), past: [] };
    }
  }
};

/** Visible part of a graph. */
export interface GraphFilter {
  readonly text: string;
  readonly min_usd: number;
  readonly kinds: ReadonlySet<string>;
}

/** The start and pinned nodes always stay visible. */
export const filtered = (graph: Graph, filter: GraphFilter, pinned: ReadonlySet<string>): Graph => {
  const word = filter.text.trim().toLowerCase();
  const stays = (node: GraphNode): boolean =>
    node.id === graph.start ||
    pinned.has(node.id) ||
    ((filter.kinds.size === 0 || filter.kinds.has(kindOf(node))) &&
      (word === "" ||
        [node.address, node.label, node.entity, node.category].some((text) => text?.toLowerCase().includes(word))));
  const edges = new Map<string, GraphEdge>();
  const nodes = new Map([...graph.nodes].filter(([, node]) => stays(node)));
  for (const [id, edge] of graph.edges)
    if (nodes.has(edge.from) && nodes.has(edge.to) && (edge.usd ?? 0) >= filter.min_usd) edges.set(id, edge);
  if (filter.min_usd > 0) {
    const joined = new Set([...edges.values()].flatMap(({ from, to }) => [from, to]));
    for (const id of nodes.keys()) if (!joined.has(id) && id !== graph.start && !pinned.has(id)) nodes.delete(id);
  }
  return { start: graph.start, nodes, edges };
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
