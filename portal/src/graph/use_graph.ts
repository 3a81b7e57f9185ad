/** A graph that grows by requests: its content, pending requests and errors. */
import { useEffect, useReducer, useState } from "preact/hooks";
import type { CaseResult, SavedGraph } from "../../../src/case/format.ts";
import { COUNTERPARTIES, type GraphNode, nodeId } from "../../../src/case/graph.ts";
import { call, catalog, isCatalog } from "../api/client.ts";
import { credential } from "../api/credential.ts";
import { pinnedEntry } from "../case/pin.tsx";
import { setQuery } from "../navigation.ts";
import { useStore } from "../store.ts";
import { type Board, type BoardAction, emptyBoard, moved } from "./board.ts";
import { counterpartiesOf, type GraphQuestion, queryOf } from "./question.ts";

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
  readonly load: (graph: SavedGraph, entries: readonly CaseResult[]) => void;
}

const isOf = (entry: CaseResult, address: string): boolean =>
  nodeId(String(entry.arguments.address)) === nodeId(address);

/** The newest answer about a wallet's counterparties. */
const lastOf = ({ expansions, entries }: Board, { address }: Pick<GraphNode, "address">): CaseResult | undefined =>
  expansions.flatMap(({ entry }) => entries.get(entry) ?? []).findLast((entry) => isOf(entry, address));

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

export const useGraph = (question: GraphQuestion, prices: CallPrices): GraphUse => {
  const [board, move] = useReducer(moved, emptyBoard(question.address));
  const [waiting, setWaiting] = useState<string | null>(null);
  const [fault, setFault] = useState<string | null>(null);
  const [notice, setNotice] = useState<string | null>(null);

  const ask = async (asked: GraphQuestion, address: string, page: number): Promise<void> => {
    setWaiting(address);
    setFault(null);
    setNotice(null);
    const args = counterpartiesOf(asked, address, page);
    const answer = await call(COUNTERPARTIES, args, prices.version === null ? {} : { catalog_version: prices.version });
    setWaiting(null);
    if (answer.status === "error") return setFault(answer.message);
    const entry = pinnedEntry({ tool: COUNTERPARTIES, args, answer, catalog_version: prices.version });
    if (entry === null) return setFault("The answer was not one to keep.");
    const rows = Array.isArray(answer.body.data) ? answer.body.data.length : 0;
    if (rows === 0) setNotice("It has no counterparties in this window.");
    move({ kind: "expand", entry, categories: asked.categories });
    const block = entry.as_of[0]?.block_number;
    if (asked.as_of === null && block !== undefined) setQuery(queryOf({ ...asked, as_of: block }));
  };
  return {
    ...{ board, move, waiting, fault, notice },
    async start(asked) {
      setQuery(queryOf(asked));
      move({ kind: "begin", start: asked.address });
      await ask(asked, asked.address, 1);
    },
    expand: (asked, address) => ask(asked, address, nextPage(board, { address }) ?? 1),
    load: (graph, entries) => move({ kind: "load", graph, entries }),
  };
};
