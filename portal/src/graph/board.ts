/** Content of the canvas, with undo of the last step. */
import {
  CASE_LIMITS,
  type CaseResult,
  type GraphExpansion,
  type GraphGroup,
  type SavedGraph,
} from "../../../src/case/format.ts";
import type { TraceDirection } from "../../../src/case/graph_model.ts";

/** One state of a graph; the ones before it are kept for undo. */
interface BoardState {
  readonly expansions: readonly GraphExpansion[];
  readonly pinned: ReadonlySet<string>;
  /** The user's own labels and notes, by node. */
  readonly labels: ReadonlyMap<string, string>;
  readonly remarks: ReadonlyMap<string, string>;
  readonly hidden: ReadonlySet<string>;
  readonly groups: readonly GraphGroup[];
}

export interface Board extends BoardState {
  readonly start: string;
  readonly entries: ReadonlyMap<string, CaseResult>;
  readonly past: readonly BoardState[];
}

export type BoardAction =
  | { readonly kind: "begin"; readonly start: string }
  | {
      readonly kind: "expand";
      readonly entry: CaseResult;
      readonly categories: readonly string[];
      /** Left out: the counterparties of the answer. */
      readonly trace?: TraceDirection;
    }
  | { readonly kind: "pin" | "hide"; readonly node: string }
  /** An empty text removes it. */
  | { readonly kind: "label" | "remark"; readonly node: string; readonly text: string }
  | { readonly kind: "group"; readonly groups: readonly GraphGroup[] }
  /** Opens a closed group, and closes an open one. */
  | { readonly kind: "fold" | "ungroup"; readonly group: string }
  | { readonly kind: "show_hidden" }
  | { readonly kind: "undo" }
  | { readonly kind: "load"; readonly graph: SavedGraph; readonly entries: readonly CaseResult[] };

const STEPS_MAX = 100;

export const emptyBoard = (start: string): Board => ({
  ...{ start, entries: new Map(), expansions: [], pinned: new Set<string>(), past: [] },
  ...{ labels: new Map(), remarks: new Map(), hidden: new Set<string>(), groups: [] },
});

const stateOf = ({ expansions, pinned, labels, remarks, hidden, groups }: BoardState): BoardState => ({
  ...{ expansions, pinned, labels, remarks, hidden, groups },
});

export const toggled = (set: ReadonlySet<string>, node: string): ReadonlySet<string> => {
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

/** An address is in one group: a newer one takes it from an older one. */
const withGroups = (groups: readonly GraphGroup[], added: readonly GraphGroup[]): readonly GraphGroup[] => {
  const taken = new Set(added.flatMap(({ nodes }) => nodes));
  const left = groups.map((group) => ({ ...group, nodes: group.nodes.filter((node) => !taken.has(node)) }));
  return [...left.filter(({ nodes }) => nodes.length > 1), ...added].slice(0, CASE_LIMITS.groups);
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
      const { entry, categories, trace } = move;
      const entries = new Map([...board.entries, [entry.id, entry]]);
      return stepped(board, { entries, expansions: [...board.expansions, { entry: entry.id, categories, trace }] });
    }
    case "pin":
      return stepped(board, { pinned: toggled(board.pinned, move.node) });
    case "hide":
      return stepped(board, { hidden: toggled(board.hidden, move.node) });
    case "group":
      return stepped(board, { groups: withGroups(board.groups, move.groups) });
    case "fold":
      return stepped(board, {
        groups: board.groups.map((one) => (one.id === move.group ? { ...one, is_open: !one.is_open } : one)),
      });
    case "ungroup":
      return stepped(board, { groups: board.groups.filter(({ id }) => id !== move.group) });
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
      const { start, expansions, pinned, labels, remarks, hidden, groups } = move.graph;
      return {
        ...{ start, entries, expansions, pinned: new Set(pinned), past: [] },
        ...{ labels: new Map(labels), remarks: new Map(remarks), hidden: new Set(hidden), groups },
      };
    }
  }
};
