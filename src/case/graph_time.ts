/** Payments of a graph by time and token. */
import { type Graph, type GraphEdge, type PaidToken, summedTokens, sumOrNull, tokenKey } from "./graph_model.ts";
import { type CaseTable, tableOf } from "./tables.ts";
import { withPayments } from "./transaction_rows.ts";

/** A part of the time and one token; null: all of it. Days, both included. */
export interface GraphWindow {
  readonly from: string | null;
  readonly to: string | null;
  /** Key of a token (`tokenKey`). */
  readonly token: string | null;
}

/** First and last day of the edges; null without a dated edge. */
export const daysOf = ({ edges }: Graph): { readonly first: string; readonly last: string } | null => {
  const days = [...edges.values()]
    .flatMap(({ pair_first, pair_last }) => [pair_first, pair_last])
    .flatMap((time) => time?.slice(0, 10) ?? [])
    .sort();
  const [first, last] = [days[0], days.at(-1)];
  return first === undefined || last === undefined ? null : { first, last };
};

/** Tokens of the edges by key, with their symbol: the most frequent first. */
export const tokensIn = ({ edges }: Graph): readonly { readonly key: string; readonly symbol: string }[] => {
  const found = new Map<string, { symbol: string; count: number }>();
  for (const token of [...edges.values()].flatMap(({ tokens }) => tokens)) {
    const key = tokenKey(token);
    const known = found.get(key);
    found.set(key, { symbol: token.symbol ?? token.address ?? "?", count: (known?.count ?? 0) + 1 });
  }
  return [...found]
    .sort(([a, x], [b, y]) => y.count - x.count || (a < b ? -1 : 1))
    .map(([key, { symbol }]) => ({ key, symbol }));
};

/** The part of an edge within the window; null: nothing of it. */
export const narrowed = (edge: GraphEdge, { from, to, token }: GraphWindow): GraphEdge | null => {
  const isWithin = (day: string): boolean => (from === null || day >= from) && (to === null || day <= to);
  const payments = edge.payments.filter(({ time }) => isWithin(time.slice(0, 10)));
  const { pair_first: first, pair_last: last } = edge;
  // Only a traced edge knows the day of each payment. The others are shown whole if their days overlap.
  const is_here = edge.is_part
    ? payments.length > 0
    : (from === null || last === null || last.slice(0, 10) >= from) &&
      (to === null || first === null || first.slice(0, 10) <= to);
  if (!is_here) return null;
  const timed = edge.is_part ? withPayments(edge, payments) : { ...edge, payments };
  return token === null ? timed : ofToken(timed, token);
};

/** The part of an edge that is of one token; null: nothing of it. */
const ofToken = (edge: GraphEdge, token: string): GraphEdge | null => {
  const isOf = (one: PaidToken): boolean => tokenKey(one) === token;
  const tokens = edge.tokens.filter(isOf);
  const [only] = tokens;
  if (only === undefined) return null;
  const payments = edge.payments.flatMap((payment) => {
    const own = payment.tokens.filter(isOf);
    return own.length === 0 ? [] : [{ ...payment, tokens: own, usd: sumOrNull(own.map(({ usd }) => usd ?? null)) }];
  });
  if (edge.is_part) return withPayments(edge, payments);
  if (edge.tokens.length === 1) return { ...edge, payments };
  // An answer about counterparties has one value, one count and one time for all tokens of an edge.
  const unknown = { transfers: null, unpriced_transfers: null, pair_first: null, pair_last: null };
  return { ...edge, ...unknown, tokens, payments, usd: only.usd ?? null };
};

/** Steps of time that payments are summed by. */
export const TIME_STEPS = ["day", "week", "month"] as const;
export type TimeStep = (typeof TIME_STEPS)[number];

const DAY_MS = 86_400_000;

/** First day of the step that a time belongs to; weeks begin on Monday. */
export const stepOf = (time: string, step: TimeStep): string => {
  const day = time.slice(0, 10);
  if (step === "day") return day;
  if (step === "month") return `${day.slice(0, 7)}-01`;
  const at = Date.parse(`${day}T00:00:00Z`);
  const since_monday = (new Date(at).getUTCDay() + 6) % 7;
  return new Date(at - since_monday * DAY_MS).toISOString().slice(0, 10);
};

/** Known payments by edge, token and step of time, the newest first; and the edge of each row. */
export const paymentTable = (
  graph: Graph,
  step: TimeStep,
): { readonly table: CaseTable; readonly ids: readonly string[] } => {
  const nameOf = (id: string): string => graph.nodes.get(id)?.label ?? graph.nodes.get(id)?.address ?? id;
  const rows = [...graph.edges.values()].flatMap((edge) => {
    const parts = new Map<string, { readonly since: string; readonly token: PaidToken; readonly txs: Set<string> }>();
    for (const { time, tx_hash, tokens } of edge.payments)
      for (const token of tokens) {
        const since = stepOf(time, step);
        const key = `${since} ${tokenKey(token)}`;
        const known = parts.get(key);
        const [sum = token] = summedTokens(known === undefined ? [token] : [known.token, token]);
        parts.set(key, { since, token: sum, txs: new Set([...(known?.txs ?? []), tx_hash]) });
      }
    return [...parts.values()].map(({ since, token, txs }) => ({
      ...{ id: edge.id, since, from: nameOf(edge.from), to: nameOf(edge.to), token: token.symbol ?? token.address },
      ...{ amount: token.amount, usd: token.usd ?? null, transactions: txs.size },
    }));
  });
  rows.sort((a, b) => (a.since < b.since ? 1 : a.since > b.since ? -1 : (b.usd ?? 0) - (a.usd ?? 0)));
  return {
    table: tableOf(
      "payments",
      rows.map(({ id: _, ...row }) => row),
    ),
    ids: rows.map(({ id }) => id),
  };
};
