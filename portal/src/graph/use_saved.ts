/** Where a graph is saved: in a case from the first "Save" on, and until then in this browser, so that a reload loses no paid answer. */
import { useEffect, useRef, useState } from "preact/hooks";
import { CASE_LIMITS, type CaseResult, NO_FILTER, NO_MARKS, type SavedGraph } from "../../../src/case/format.ts";
import { nodeId } from "../../../src/case/graph_model.ts";
import type { GraphFilter } from "../../../src/case/graph_view.ts";
import { credential } from "../api/credential.ts";
import { keepDraft, readDraft } from "../case/browser_case.ts";
import { newId, openCase, openCaseOf, saveGraph, storeGraph, wholeCase } from "../case/case_store.ts";
import type { Outcome } from "../case/case_view.ts";
import { setQuery } from "../navigation.ts";
import { useStore } from "../store.ts";
import type { Board } from "./board.ts";
import type { NodePositions } from "./layout_matrix.ts";
import type { GraphQuestion } from "./question.ts";
import type { GraphUse } from "./use_graph.ts";

const PAUSE_MS = 1_000;

/** Everything of a graph page that is saved. */
export interface GraphContent {
  readonly question: GraphQuestion;
  readonly board: Board;
  readonly filter: GraphFilter;
  readonly places: NodePositions;
}

export const savedOf = ({ question, board, filter, places }: GraphContent, id: string): SavedGraph => ({
  ...{ id, title: `Graph from ${board.start}`, saved_at: new Date().toISOString() },
  ...{ network: question.network, start: board.start, expansions: board.expansions },
  pinned: [...board.pinned],
  places: [...places].map(([node, [x, y]]) => [node, x, y] as const),
  ...{ labels: [...board.labels], remarks: [...board.remarks], hidden: [...board.hidden], groups: board.groups },
  filter: { ...filter, text: filter.text.slice(0, CASE_LIMITS.label_length), kinds: [...filter.kinds] },
});

/** Each once: both traces of a wallet are of one answer. */
export const entriesOf = ({ expansions, entries }: Board): readonly CaseResult[] =>
  [...new Set(expansions.map(({ entry }) => entry))].flatMap((id) => entries.get(id) ?? []);

interface SavingParts {
  readonly query: URLSearchParams;
  readonly content: GraphContent;
  readonly use: GraphUse;
  readonly onFilter: (filter: GraphFilter) => void;
  /** Counts moved nodes, which are no part of the board. */
  readonly moves: number;
}

/** Puts a saved graph on the page. */
const shown = (
  { use, content: { places }, onFilter }: SavingParts,
  graph: SavedGraph,
  entries: readonly CaseResult[],
) => {
  places.clear();
  for (const [node, x, y] of graph.places) places.set(node, [x, y]);
  // A draft of an earlier release lacks newer members.
  onFilter({ ...NO_FILTER, ...graph.filter, kinds: new Set(graph.filter.kinds) });
  use.load({ ...NO_MARKS, ...graph }, entries);
};

/** Opens the graph of the address: of a case, or the one that this browser kept. @returns its id in the case; null for a draft */
const opened = async (parts: SavingParts): Promise<string | null> => {
  const { query, content } = parts;
  const [id, case_id] = [query.get("graph"), query.get("case")];
  if (id === null) {
    const draft = await readDraft();
    const { network, address } = content.question;
    if (draft?.graph.network === network && nodeId(draft.graph.start) === nodeId(address))
      shown(parts, draft.graph, draft.entries);
    return null;
  }
  if (case_id !== null) await openCaseOf(case_id);
  const file = await wholeCase();
  const graph = file?.graphs.find((one) => one.id === id);
  if (file === null || graph === undefined) return null;
  shown(parts, graph, file.entries);
  return id;
};

export interface GraphSaving {
  /** Result of the last save, as a sentence; null before the first. */
  readonly state: string | null;
  /** The graph is saved in a case. */
  readonly is_saved: boolean;
  readonly save: () => Promise<void>;
}

interface Storing extends Pick<SavingParts, "content" | "moves"> {
  /** Id of the graph in its case; null: the browser keeps it. */
  readonly saved_id: string | null;
  readonly onOutcome: (outcome: Outcome | "waiting") => void;
}

/** Stores the graph a second after each change. @returns a function that counts the content of the page as stored */
const useStoring = ({ content, moves, saved_id, onOutcome }: Storing): (() => void) => {
  const latest = useRef(content);
  latest.current = content;
  const work = useRef({ is_stored: true, is_running: false, is_late: false });

  const store = async (): Promise<void> => {
    work.current.is_late = work.current.is_running;
    if (work.current.is_running) return;
    work.current.is_running = true;
    const { board } = latest.current;
    const graph = savedOf(latest.current, saved_id ?? newId());
    if (saved_id === null) await keepDraft({ graph, entries: entriesOf(board) });
    else onOutcome(await storeGraph(graph, entriesOf(board)));
    work.current.is_running = false;
    // The graph was changed while it was stored.
    if (work.current.is_late) await store();
  };

  useEffect(() => {
    if (content.board.expansions.length === 0) return;
    if (work.current.is_stored && saved_id !== null) {
      work.current.is_stored = false;
      return;
    }
    if (saved_id !== null) onOutcome("waiting");
    const timer = setTimeout(() => void store(), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [content.board, content.filter, moves, saved_id]);

  return () => {
    work.current.is_stored = true;
  };
};

export const useSaving = (parts: SavingParts): GraphSaving => {
  const { query, content, moves } = parts;
  const [id, case_id] = [query.get("graph"), query.get("case")];
  const by = useStore(credential);
  const [saved_id, setSavedId] = useState<string | null>(null);
  const [state, setState] = useState<string | null>(null);
  const has_opened = useRef(false);

  const onOutcome = (outcome: Outcome | "waiting"): void => {
    if (outcome === "waiting") setState("Saving…");
    else if (outcome.kind === "done") setState("Saved.");
    else {
      setSavedId(null); // another person's graph is not overwritten
      setState(`${outcome.message} Later changes are not saved.`);
    }
  };
  const noteStored = useStoring({ content, moves, saved_id, onOutcome });

  useEffect(() => {
    if (id !== null && id === saved_id) return; // saved by this page
    const is_first = !has_opened.current;
    has_opened.current = true;
    // A graph that was started over is not the draft.
    if (id === null && !is_first) return setSavedId(null);
    void opened(parts).then((found) => {
      noteStored();
      setSavedId(found);
      setState(null);
    });
  }, [id, case_id, by]);

  return {
    ...{ state, is_saved: saved_id !== null },
    async save() {
      const graph = savedOf(content, newId());
      const outcome = await saveGraph(graph, entriesOf(content.board));
      setState(outcome.kind === "done" ? "Saved. Later changes are saved by themselves." : outcome.message);
      if (outcome.kind === "refused") return;
      noteStored();
      setSavedId(graph.id);
      setQuery({ graph: graph.id, case: openCase.get()?.id ?? null });
    },
  };
};
