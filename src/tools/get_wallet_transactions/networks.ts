import type { Chain } from "../../chains/chain.ts";
import { labelsOf, withNames } from "../../domain/address/identity/parties.ts";
import type { Basis, CallContext, SnapshotContext, Warning } from "../../domain/context.ts";
import { readHistory, type ValuedHistory } from "../../domain/wallet/history/history.ts";
import { type ListFilter, type ListPage, pageOf } from "../../domain/wallet/history/list.ts";
import { readListed } from "../../domain/wallet/history/list_rows.ts";
import { type CollectedFees, collectedOf } from "../../domain/wallet/history/producer.ts";
import { type DateWindow, dateWindow } from "../../domain/window/dates.ts";
import { basisIn, gapsOf } from "../../domain/window/gaps.ts";
import { type Hex, hex } from "../../lib/bytes.ts";
import { type TransactionOutputRow, transactionOf } from "./row.ts";
import type { TransactionsInput } from "./shape.ts";

export interface NetworkList {
  readonly scope: SnapshotContext;
  readonly window: DateWindow;
  readonly history: ValuedHistory;
  readonly gaps: readonly Warning[];
  readonly filter: ListFilter;
  readonly collected: CollectedFees;
}

const ZEROS = /^0*$/;

/**
 * The counterparty as movements name it. Answers write none (mints and burns) as zeros, and coins may be paid to the address of zeros. Empty:
 * the network has no such address.
 */
const peersOf = ({ counterparty }: TransactionsInput, chain: Chain): readonly Hex[] | null => {
  if (counterparty === undefined) return null;
  const peer = counterparty.by_network.get(chain.network.id);
  return peer === undefined ? [] : ZEROS.test(peer) ? [hex(""), peer] : [peer];
};

const filterOf = (asked: TransactionsInput, chain: Chain): ListFilter => {
  const { token_address, direction, min_usd, include_spam } = asked;
  const token = token_address?.by_network.get(chain.network.id) ?? null;
  return { direction, token, peers: peersOf(asked, chain), min_usd, include_spam };
};

const NOTHING: CollectedFees = { count: 0, usd: 0 };

const isOfCoin = ({ direction, token, peers }: ListFilter): boolean =>
  direction !== "out" && peers === null && (token === null || token === "");

export const readNetwork = async (
  context: CallContext,
  asked: TransactionsInput,
  [chain, wallet]: readonly [Chain, Hex],
): Promise<{ readonly basis: Basis; readonly value: NetworkList }> => {
  const snapshot = await context.facts.snapshot(chain.network.id, asked.as_of_block ?? null);
  const scope: SnapshotContext = { facts: context.facts, chain, snapshot, signal: context.signal };
  const window = dateWindow(asked, snapshot.block.time);
  const filter = filterOf(asked, chain);
  const [history, gaps] = await Promise.all([readHistory(scope, wallet, window), gapsOf(scope, window)]);
  return {
    basis: await basisIn(scope, window),
    value: { scope, window, history, gaps, filter, collected: isOfCoin(filter) ? collectedOf(history) : NOTHING },
  };
};

/** True when nothing of the window is missing. */
export const isCovered = ({ gaps, history }: NetworkList): boolean => gaps.length === 0 && history.is_whole;

export const warningsOf = ({ window, gaps, history }: NetworkList): readonly Warning[] => [
  ...window.warnings,
  ...gaps,
  ...history.warnings,
];

/** A page over all networks: what each of them has on it. */
export interface MergedPage {
  readonly parts: readonly { readonly of: NetworkList; readonly page: ListPage }[];
  readonly order: readonly number[];
  readonly has_more_data: boolean;
  /** The windows are empty, hidden rows and collected fees included. */
  readonly is_empty: boolean;
}

/** Network of each row, newest first; rows of one second follow the order of the networks. */
const orderOf = (heads: readonly { readonly of: NetworkList; readonly page: ListPage }[]): readonly number[] =>
  heads
    .flatMap(({ of, page }, part) =>
      page.rows.map((row, i) => ({ part, i, time: of.history.movements.time[row] ?? 0 })),
    )
    .sort((a, b) => b.time - a.time || a.part - b.part || a.i - b.i)
    .map(({ part }) => part);

export const mergedPage = (
  lists: readonly NetworkList[],
  { page, records_per_page }: Pick<TransactionsInput, "page" | "records_per_page">,
): MergedPage => {
  const first = (page - 1) * records_per_page;
  const end = first + records_per_page;
  const heads = lists.map((of) => ({ of, page: pageOf(of.history, of.filter, { offset: 0, limit: end }) }));
  const all = orderOf(heads);
  const order = all.slice(first, end);
  const count = (places: readonly number[], wanted: number): number => places.filter((part) => part === wanted).length;
  return {
    parts: lists.map((of, i) => {
      const part = { offset: count(all.slice(0, first), i), limit: count(order, i) };
      return { of, page: pageOf(of.history, of.filter, part) };
    }),
    order,
    has_more_data: all.length > end || heads.some((one) => one.page.has_more_data),
    is_empty: heads.every(({ of, page: head }) => head.is_empty && of.collected.count === 0),
  };
};

/** Spam hidden since the end of the previous page; the last page also counts the rest. */
export const hiddenIn = ({ page }: MergedPage["parts"][number], is_last: boolean): number =>
  page.hidden_spam + (is_last ? page.hidden_behind : 0);

const rowsOf = async (
  { history }: NetworkList,
  page: ListPage,
  include_spam: boolean,
): Promise<readonly TransactionOutputRow[]> => {
  const { scope, wallet } = history;
  if (page.rows.length === 0) return [];
  const listed = await readListed(history, page, include_spam);
  const peers = listed.map(({ peer }) => peer);
  const parties = await withNames(scope, await labelsOf(scope.facts, scope.snapshot, peers), peers);
  return listed.map((row) => transactionOf({ chain: scope.chain, wallet }, row, parties.get(row.peer)));
};

export const readRows = async (
  { parts, order }: MergedPage,
  include_spam: boolean,
): Promise<readonly TransactionOutputRow[]> => {
  const rows = await Promise.all(parts.map(({ of, page }) => rowsOf(of, page, include_spam)));
  const next = rows.map(() => 0);
  return order.flatMap((part) => {
    const at = next[part] ?? 0;
    next[part] = at + 1;
    return rows[part]?.[at] ?? [];
  });
};
