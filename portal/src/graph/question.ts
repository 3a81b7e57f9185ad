/** Query of a graph, as stored in the page's URL. */
import type { JsonObject } from "../api/answer.ts";

export type FlowDirection = "all" | "in" | "out";

export interface GraphQuestion {
  readonly network: string;
  /** The wallet to start from. */
  readonly address: string;
  readonly direction: FlowDirection;
  readonly min_usd: number;
  /** Only these are taken into the graph; empty: all. */
  readonly categories: readonly string[];
  /** Days; null: as the tool does without. */
  readonly from_date: string | null;
  readonly to_date: string | null;
  /** All of a graph is of one block: the first answer's, unless one was named. */
  readonly as_of: number | null;
}

/** Counterparties of one answer. */
const ROWS = 50;

const dayOf = (text: string | null): string | null => (text !== null && /^\d{4}-\d\d-\d\d$/.test(text) ? text : null);

const numberOf = (text: string | null): number | null => {
  const number = text === null || text.trim() === "" ? Number.NaN : Number(text);
  return Number.isFinite(number) && number >= 0 ? number : null;
};

const isDirection = (word: string | null): word is FlowDirection => word === "all" || word === "in" || word === "out";

export const questionOf = (query: URLSearchParams): GraphQuestion => {
  const direction = query.get("direction");
  const as_of = numberOf(query.get("as_of"));
  return {
    network: query.get("network") ?? "",
    address: (query.get("address") ?? "").trim(),
    direction: isDirection(direction) ? direction : "all",
    min_usd: numberOf(query.get("min_usd")) ?? 0,
    categories: (query.get("categories") ?? "").split(",").filter((word) => /^[a-z_]{1,40}$/.test(word)),
    from_date: dayOf(query.get("from_date")),
    to_date: dayOf(query.get("to_date")),
    as_of: as_of === null || !Number.isSafeInteger(as_of) ? null : as_of,
  };
};

export const queryOf = (question: GraphQuestion): Readonly<Record<string, string | null>> => ({
  network: question.network || null,
  address: question.address || null,
  direction: question.direction === "all" ? null : question.direction,
  min_usd: question.min_usd === 0 ? null : String(question.min_usd),
  categories: question.categories.join(",") || null,
  from_date: question.from_date,
  to_date: question.to_date,
  as_of: question.as_of === null ? null : String(question.as_of),
});

const windowOf = ({ from_date, to_date, as_of }: GraphQuestion): JsonObject => ({
  ...(from_date === null ? {} : { from_date }),
  ...(to_date === null ? {} : { to_date }),
  ...(as_of === null ? {} : { as_of_block: as_of }),
});

/** Arguments of get_wallet_counterparties for one wallet of the graph. */
export const counterpartiesOf = (question: GraphQuestion, address: string, page: number): JsonObject => ({
  ...{ address, network: question.network, direction: question.direction, min_usd: question.min_usd },
  ...windowOf(question),
  ...{ page, records_per_page: ROWS },
});

/** Arguments of get_wallet_risk_overview, whose answer has the traces of a wallet: of its whole history. */
export const tracesOf = ({ network, as_of }: GraphQuestion, address: string): JsonObject => ({
  ...{ address, network },
  ...(as_of === null ? {} : { as_of_block: as_of }),
});

/** Arguments of get_wallet_transactions that hold what went over an edge, among others: the tool knows no counterparty. */
export const transactionsOf = (
  question: GraphQuestion,
  edge: {
    readonly wallet: string;
    readonly direction: FlowDirection;
    readonly pair_first: string | null;
    readonly pair_last: string | null;
  },
  page: number,
): JsonObject => ({
  ...{ address: edge.wallet, network: question.network, direction: edge.direction },
  ...windowOf({
    ...question,
    from_date: edge.pair_first?.slice(0, 10) ?? question.from_date,
    to_date: edge.pair_last?.slice(0, 10) ?? question.to_date,
  }),
  ...{ page, records_per_page: 100 },
});
