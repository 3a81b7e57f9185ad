/** Content of the canvas, with undo of the last step. */
import { CASE_LIMITS, type CaseResult, type GraphExpansion, type SavedGraph } from "../../../src/case/format.ts";
import type { Graph, GraphEdge, GraphNode } from "../../../src/case/graph.ts";

/** One state of a graph; the ones before it are kept for undo. */
interface BoardState {
  readonly expansions: readonly GraphExpansion[];
  readonly pinned: ReadonlySet<string>;
  /** The user's own labels and notes, by node. */
  readonly labels: ReadonlyMap<string, string>;
  readonly remarks: ReadonlyMap<string, string>;
  readonly hidden: ReadonlySet<string>;
}

export interface Board extends BoardState {
  readonly start: string;
  readonly entries: ReadonlyMap<string, CaseResult>;
  readonly past: readonly BoardState[];
}

export type BoardAction =
  | { readonly kind: "begin"; readonly start: string }
  | { readonly kind: "expand"; readonly entry: CaseResult; readonly categories: readonly string[] }
  | { readonly kind: "pin" | "hide"; readonly node: string }
  /** An empty text removes it. */
  | { readonly kind: "label" | "remark"; readonly node: string; readonly text: string }
  | { readonly kind: "show_hidden" }
  | { readonly kind: "undo" }
  | { readonly kind: "load"; readonly graph: SavedGraph; readonly entries: readonly CaseResult[] };

const STEPS_MAX = 100;

export const emptyBoard = (start: string): Board => ({
  ...{ start, entries: new Map(), expansions: [], pinned: new Set<string>(), past: [] },
  ...{ labels: new Map(), remarks: new Map(), hidden: new Set<string>() },
});

const stateOf = ({ expansions, pinned, labels, remarks, hidden }: BoardState): BoardState => ({
  ...{ expansions, pinned, labels, remarks, hidden },
});

const toggled = (set: ReadonlySet<string>, node: string): ReadonlySet<string> => {
  const next = new Set(set);
  if (!next.delete(node)) next.add(node);
  return next;
};

const written = (texts: ReadonlyMap<string, string>, node: string, text: string): ReadonlyMap<string, string> => {
  const next = new Map(texts);
  if (text === "") next.delete(node);
  else next.set(node, text);
  return next;
};

const stepped = (board: Board, next: Partial<Board>): Board => ({
  ...board,
  ...next,
  past: [...board.past, stateOf(board)].slice(-STEPS_MAX),
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
    case "pin":
      return stepped(board, { pinned: toggled(board.pinned, move.node) });
    case "hide":
      return stepped(board, { hidden: toggled(board.hidden, move.node) });
    case "show_hidden":
      return stepped(board, { hidden: new Set() });
    case "label":
      return stepped(board, {
        labels: written(board.labels, move.node, move.text.trim().slice(0, CASE_LIMITS.label_length)),
      });
    case "remark":
      return stepped(board, {
        remarks: written(board.remarks, move.node, move.text.trim().slice(0, CASE_LIMITS.remark_length)),
      });
    case "undo": {
      const last = board.past.at(-1);
      return last === undefined ? board : { ...board, ...last, past: board.past.slice(0, -1) };
    }
    case "load": {
      const entries = new Map(move.entries.map((entry) => [entry.id, entry]));
      const { start, expansions, pinned, labels, remarks, hidden } = move.graph;
      return {
        ...{ start, entries, expansions, pinned: new Set(pinned), past: [] },
        ...{ labels: new Map(labels), remarks: new Map(remarks), hidden: new Set(hidden) },
      };
    }
  }
};

/** Visible part of a graph. */
export interface GraphFilter {
  readonly text: string;
  readonly min_usd: number;
  readonly kinds: ReadonlySet<string>;
}

/** The graph with the user's own labels. */
export const labelled = (graph: Graph, labels: Board["labels"]): Graph =>
  labels.size === 0
    ? graph
    : {
        ...graph,
        nodes: new Map([...graph.nodes].map(([id, node]) => [id, { ...node, label: labels.get(id) ?? node.label }])),
      };

/** The start and pinned nodes always stay visible, unless the user hides them. */
export const filtered = (
  graph: Graph,
  filter: GraphFilter,
  { pinned, hidden }: Pick<Board, "pinned" | "hidden">,
): Graph => {
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
