/** A graph that grows by requests: its content, pending requests and errors. */
import { useEffect, useReducer, useState } from "preact/hooks";
import type { CaseResult, SavedGraph } from "../../../src/case/format.ts";
import { COUNTERPARTIES, type GraphNode, nodeId, type TraceDirection } from "../../../src/case/graph_model.ts";
import { TRACES } from "../../../src/case/traces.ts";
import type { JsonObject } from "../api/answer.ts";
import { answerStore } from "../api/answers.ts";
import { call, catalog, isCatalog } from "../api/client.ts";
import { credential } from "../api/credential.ts";
import { pinnedEntry } from "../case/pin.tsx";
import { setQuery } from "../navigation.ts";
import { useStore } from "../store.ts";
import { type Board, type BoardAction, emptyBoard, moved } from "./board.ts";
import { counterpartiesOf, type GraphQuestion, queryOf, tracesOf } from "./question.ts";

/** Credits of one call by the name of its tool, as this caller is shown them; and the version that they are of. */
export interface CallPrices {
  readonly version: string | null;
  readonly of: (tool: string) => number | null;
}

export const usePrices = (): CallPrices => {
  const who = useStore(credential);
  const [prices, setPrices] = useState<CallPrices>({ version: null, of: () => null });
  useEffect(() => {
    let is_wanted = true;
    void catalog().then((read) => {
      if (!is_wanted || !isCatalog(read)) return;
      const credits = new Map(read.tools.map((tool) => [tool.name, tool.credits]));
      setPrices({ version: read.version, of: (tool) => credits.get(tool) ?? null });
    });
    return () => {
      is_wanted = false;
    };
  }, [who]);
  return prices;
};

/** Label of a button with a price. */
export const priced = (words: string, credits: number | null): string =>
  credits === null ? words : `${words} · ${credits} credit${credits === 1 ? "" : "s"}`;

export interface GraphUse {
  readonly board: Board;
  readonly move: (move: BoardAction) => void;
  /** The wallet whose answer is waited for. */
  readonly waiting: string | null;
  readonly fault: string | null;
  readonly notice: string | null;
  readonly start: (question: GraphQuestion) => Promise<void>;
  readonly expand: (question: GraphQuestion, address: string) => Promise<void>;
  /** Draws the paths of a wallet's money, by a call unless its answer is already here. */
  readonly trace: (question: GraphQuestion, address: string, direction: TraceDirection) => Promise<void>;
  /** Begins a graph with a trace. */
  readonly startTrace: (question: GraphQuestion, direction: TraceDirection) => Promise<void>;
  readonly load: (graph: SavedGraph, entries: readonly CaseResult[]) => void;
}

const isOf = (entry: CaseResult, tool: string, address: string): boolean =>
  entry.tool === tool && nodeId(String(entry.arguments.address)) === nodeId(address);

/** The newest answer about a wallet's counterparties. */
const lastOf = ({ expansions, entries }: Board, { address }: Pick<GraphNode, "address">): CaseResult | undefined =>
  expansions.flatMap(({ entry }) => entries.get(entry) ?? []).findLast((entry) => isOf(entry, COUNTERPARTIES, address));

/** Number of a wallet's counterparties in the requested window, shown or not; null before the request. */
export const peersOf = (board: Board, node: Pick<GraphNode, "address">): number | null => {
  const summary = lastOf(board, node)?.answer.summary;
  const count = typeof summary === "object" && summary !== null && Reflect.get(summary, "counterparty_count");
  return typeof count === "number" ? count : null;
};

/** Which page of a wallet's counterparties comes next; null where all are there. */
export const nextPage = (board: Board, node: Pick<GraphNode, "address">): number | null => {
  const last = lastOf(board, node);
  if (last === undefined) return 1;
  const { pagination } = last.answer;
  const has_more = typeof pagination === "object" && pagination !== null && Reflect.get(pagination, "has_more_data");
  return has_more === true ? Number(last.arguments.page ?? 1) + 1 : null;
};

/** An answer with the traces of the wallet, as far as the graph has one. */
export const tracesKnown = ({ entries }: Board, address: string): CaseResult | undefined =>
  [...entries.values()].findLast((entry) => isOf(entry, TRACES, address));

/** Whether the graph already has the trace. */
export const isTraced = (board: Board, address: string, direction: TraceDirection): boolean => {
  const entry = tracesKnown(board, address);
  return entry !== undefined && board.expansions.some((one) => one.entry === entry.id && one.trace === direction);
};

/** When the answer was given that a page of this tab has already, so that the trace costs nothing, unix milliseconds; null without one. */
export const answeredAt = (question: GraphQuestion, address: string): number | null => {
  const known = answerStore({ tool: TRACES, args: tracesOf(question, address) }).get();
  return known?.kind === "answered" && known.answer.status !== "error" ? known.answer.at_ms : null;
};

interface AskedPart {
  readonly tool: string;
  readonly args: JsonObject;
  readonly wallet: string;
}

/** Asks for entries of the graph, with the pending call and its failure. */
const useAsking = (prices: CallPrices) => {
  const [waiting, setWaiting] = useState<string | null>(null);
  const [fault, setFault] = useState<string | null>(null);
  const [notice, setNotice] = useState<string | null>(null);

  /** An entry for the graph; null after a failure, which the page then shows. */
  const entryOf = async ({ tool, args, wallet }: AskedPart): Promise<CaseResult | null> => {
    setWaiting(wallet);
    setFault(null);
    setNotice(null);
    const paid = answerStore({ tool, args }).get();
    const answer =
      paid?.kind === "answered" && paid.answer.status !== "error"
        ? paid.answer
        : await call(tool, args, prices.version === null ? {} : { catalog_version: prices.version });
    setWaiting(null);
    if (answer.status === "error") {
      setFault(answer.message);
      return null;
    }
    // Prices may have changed since a kept answer was paid.
    const catalog_version = answer.is_kept === true ? null : prices.version;
    const entry = pinnedEntry({ tool, args, answer, catalog_version });
    if (entry === null) setFault("The answer was not one to keep.");
    return entry;
  };
  return { waiting, fault, notice, setNotice, entryOf };
};

export const useGraph = (question: GraphQuestion, prices: CallPrices): GraphUse => {
  const [board, move] = useReducer(moved, emptyBoard(question.address));
  const { waiting, fault, notice, setNotice, entryOf } = useAsking(prices);

  const noteBlock = (asked: GraphQuestion, entry: CaseResult): void => {
    const block = entry.as_of[0]?.block_number;
    if (asked.as_of === null && block !== undefined) setQuery(queryOf({ ...asked, as_of: block }));
  };

  const ask = async (asked: GraphQuestion, wallet: string, page: number): Promise<void> => {
    const entry = await entryOf({ tool: COUNTERPARTIES, args: counterpartiesOf(asked, wallet, page), wallet });
    if (entry === null) return;
    const rows = Array.isArray(entry.answer.data) ? entry.answer.data.length : 0;
    if (rows === 0) setNotice("It has no counterparties in this window.");
    move({ kind: "expand", entry, categories: asked.categories });
    noteBlock(asked, entry);
  };

  const drawTrace = async (
    asked: GraphQuestion,
    known: CaseResult | undefined,
    { wallet, direction }: { readonly wallet: string; readonly direction: TraceDirection },
  ): Promise<void> => {
    const entry = known ?? (await entryOf({ tool: TRACES, args: tracesOf(asked, wallet), wallet }));
    if (entry === null) return;
    move({ kind: "expand", entry, categories: [], trace: direction });
    noteBlock(asked, entry);
  };
  return {
    ...{ board, move, waiting, fault, notice },
    async start(asked) {
      setQuery(queryOf(asked));
      move({ kind: "begin", start: asked.address });
      await ask(asked, asked.address, 1);
    },
    trace: (asked, wallet, direction) => drawTrace(asked, tracesKnown(board, wallet), { wallet, direction }),
    async startTrace(asked, direction) {
      setQuery(queryOf(asked));
      move({ kind: "begin", start: asked.address });
      await drawTrace(asked, undefined, { wallet: asked.address, direction });
    },
    expand: (asked, address) => ask(asked, address, nextPage(board, { address }) ?? 1),
    load: (graph, entries) => move({ kind: "load", graph, entries }),
  };
};
