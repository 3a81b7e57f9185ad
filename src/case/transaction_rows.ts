/** Payments of the edges of a graph, from answers of get_wallet_transactions. */
import { isRecord } from "../lib/record.ts";
import type { CaseResult, JsonMembers } from "./format.ts";
import {
  type EdgePayment,
  edgeId,
  type GraphEdge,
  nodeId,
  numberOr,
  type PaidToken,
  summedTokens,
  sumOrNull,
  textOr,
} from "./graph_model.ts";
import { walletOf } from "./peer_pairs.ts";

/** A transfer between a wallet and what a transaction shows as the other side. */
export interface TransactionRow {
  readonly wallet: string;
  readonly peer: string;
  readonly is_received: boolean;
  readonly tx_hash: string;
  readonly time: string;
  readonly token: PaidToken;
}

export const isOfTransactions = ({ answer }: Pick<CaseResult, "answer">): boolean => answer.type === "transactions";

const rowOf = (row: JsonMembers, wallet: string): readonly TransactionRow[] => {
  const { direction, peer, status, kind } = row;
  const [tx_hash, time, amount] = [textOr(row.tx_hash), textOr(row.timestamp), numberOr(row.amount)];
  const address = isRecord(peer) ? textOr(peer.address) : null;
  if (address === null || tx_hash === null || time === null || status === "failed" || kind === "call") return [];
  if ((direction !== "in" && direction !== "out") || amount === 0) return [];
  const token = { symbol: textOr(row.token), address: textOr(row.token_address), amount, usd: numberOr(row.usd_value) };
  return [{ wallet, peer: nodeId(address), is_received: direction === "in", tx_hash, time, token }];
};

export const transactionsIn = (entry: Pick<CaseResult, "id" | "arguments" | "answer">): readonly TransactionRow[] => {
  const rows = Array.isArray(entry.answer.data) ? entry.answer.data.filter(isRecord) : [];
  const wallet = nodeId(walletOf(entry));
  return rows.flatMap((row) => rowOf(row, wallet));
};

/** The edge of a row. Transactions show a contract that acts for the counterparty (`via`) as the other side. */
const edgeOfRow = (
  edges: ReadonlyMap<string, GraphEdge>,
  by_wallet: ReadonlyMap<string, readonly GraphEdge[]>,
  { wallet, peer, is_received }: TransactionRow,
): string | null => {
  const own = is_received ? edgeId(peer, wallet) : edgeId(wallet, peer);
  if (edges.has(own)) return own;
  const through = (by_wallet.get(wallet) ?? []).find(
    ({ from, to, via }) => (is_received ? to : from) === wallet && via.some((one) => nodeId(one) === peer),
  );
  return through?.id ?? null;
};

const paymentOf = (rows: readonly [TransactionRow, ...TransactionRow[]]): EdgePayment => ({
  tx_hash: rows[0].tx_hash,
  time: rows[0].time,
  usd: sumOrNull(rows.map(({ token }) => token.usd ?? null)),
  tokens: summedTokens(rows.map(({ token }) => token)),
});

/** The edges with the payments that the rows name: each transaction once, in the order of time. */
export const withTransactions = (
  edges: ReadonlyMap<string, GraphEdge>,
  rows: readonly TransactionRow[],
): ReadonlyMap<string, GraphEdge> => {
  if (rows.length === 0) return edges;
  const by_wallet = new Map<string, GraphEdge[]>();
  for (const edge of edges.values())
    for (const end of [edge.from, edge.to]) by_wallet.set(end, [...(by_wallet.get(end) ?? []), edge]);
  const found = new Map<string, Map<string, [TransactionRow, ...TransactionRow[]]>>();
  for (const row of rows) {
    const id = edgeOfRow(edges, by_wallet, row);
    if (id === null) continue;
    const of_edge = found.get(id) ?? new Map<string, [TransactionRow, ...TransactionRow[]]>();
    const known = of_edge.get(row.tx_hash);
    of_edge.set(row.tx_hash, known === undefined ? [row] : [...known, row]);
    found.set(id, of_edge);
  }
  const changed = new Map(edges);
  for (const [id, of_edge] of found) {
    const edge = edges.get(id);
    if (edge === undefined) continue;
    const others = edge.payments.filter(({ tx_hash }) => !of_edge.has(tx_hash));
    const payments = [...others, ...[...of_edge.values()].map(paymentOf)].toSorted((a, b) =>
      a.time < b.time ? -1 : 1,
    );
    changed.set(id, edge.is_part ? withPayments(edge, payments) : { ...edge, payments });
  }
  return changed;
};

/** An edge whose figures are those of its payments. */
export const withPayments = (edge: GraphEdge, payments: readonly EdgePayment[]): GraphEdge => ({
  ...edge,
  payments,
  usd: sumOrNull(payments.map(({ usd }) => usd)),
  tokens: summedTokens(payments.flatMap(({ tokens }) => tokens)),
  pair_transactions: payments.length,
  ...{ pair_first: payments[0]?.time ?? null, pair_last: payments.at(-1)?.time ?? null },
});
