/** Contradictions between answers about one wallet in one window. Pure. */
import type { AnyAnswer, HoldingAnswers, WalletAnswers } from "./answers.ts";

/** Rows of a sum are rounded to nanodollars, those of a list are not: a millionth of a dollar is tolerated. */
const isSame = (a: number, b: number): boolean =>
  Math.abs(a - b) <= Math.max(1e-6, 1e-9 * Math.max(Math.abs(a), Math.abs(b)));

const orZero = (value: number | null | undefined): number => value ?? 0;

interface Equation {
  readonly what: string;
  readonly left: number;
  readonly right: number;
}

const equation = (what: string, left: number | null, right: number | null): Equation => ({
  what,
  left: orZero(left),
  right: orZero(right),
});

/** Without a counterparty: minted, issued, burned. */
const totals = (tool: string, { summary }: AnyAnswer, stats: AnyAnswer): readonly Equation[] => {
  const { mints_usd, rewards_usd, burns_usd } = summary.left_out;
  const { of_which } = stats;
  return [
    equation(`inflow of ${tool}`, orZero(summary.total_in_usd) + mints_usd + rewards_usd, stats.total_in_usd),
    equation(`outflow of ${tool}`, orZero(summary.total_out_usd) + burns_usd, stats.total_out_usd),
    equation(`mints_usd of ${tool}`, mints_usd, of_which.in.mints_usd),
    equation(`rewards_usd of ${tool}`, rewards_usd, of_which.in.rewards_usd),
    equation(`burns_usd of ${tool}`, burns_usd, of_which.out.burns_usd),
    equation(`counterparties of ${tool}`, summary.counterparty_count, stats.unique_counterparties),
  ];
};

const rowsOf = (pages: readonly AnyAnswer[]): readonly AnyAnswer[] => pages.flatMap(({ data }) => data);

const sum = (rows: readonly AnyAnswer[], of: (row: AnyAnswer) => number | null): number =>
  rows.reduce((total, row) => total + orZero(of(row)), 0);

/** Rows of the list that are inflow or outflow: rent stays in an account, and a call moves nothing. */
const NO_FLOW: readonly string[] = ["rent", "call"];

const FUNGIBLE: readonly string[] = ["erc20", "spl", "trc20", "trc10"];
const COLLECTIBLE: readonly string[] = ["erc721", "erc1155"];

const largest = (rows: readonly AnyAnswer[]): number => Math.max(0, ...rows.map(({ usd_value }) => orZero(usd_value)));

const transferCounts = (rows: readonly AnyAnswer[], stats: AnyAnswer): readonly Equation[] => {
  const count = (kinds: readonly string[]): number => rows.filter(({ kind }) => kinds.includes(kind)).length;
  const tokens = new Set(rows.map(({ token_address }) => token_address));
  return [
    equation("token transfers of the list", count(FUNGIBLE), stats.token_transfer_count),
    equation("transfers of collectibles in the list", count(COLLECTIBLE), stats.nft_transfer_count),
    equation("tokens of the list", tokens.size, stats.unique_tokens),
  ];
};

/** A list that hides spam may hide a whole transaction, including its fee. */
const wholeTransactions = (rows: readonly AnyAnswer[], stats: AnyAnswer): readonly Equation[] => {
  const sent = rows.filter(({ fee_usd }) => fee_usd !== null);
  const hashes = new Set(rows.flatMap(({ tx_hash }) => tx_hash ?? []));
  const days = new Set(
    rows.flatMap(({ tx_hash, timestamp }) => ((tx_hash ?? null) === null ? [] : timestamp.slice(0, 10))),
  );
  return [
    equation("active days of the list", days.size, stats.active_days),
    equation("transactions of the list", hashes.size, stats.tx_count),
    equation(
      "fees of the list",
      sum(sent, ({ fee_usd }) => fee_usd),
      stats.gas_spent_usd,
    ),
  ];
};

const listed = (pages: readonly AnyAnswer[], stats: AnyAnswer): readonly Equation[] => {
  const all = rowsOf(pages);
  const rows = all.filter(({ kind }) => !NO_FLOW.includes(kind));
  const of = (direction: string) => rows.filter((row) => row.direction === direction);
  return [
    ...transferCounts(rows, stats),
    ...(stats.spam_transfers === 0 ? wholeTransactions(all, stats) : []),
    equation("largest receipt of the list", largest(of("in")), stats.largest_in?.usd_value),
    equation("largest payment of the list", largest(of("out")), stats.largest_out?.usd_value),
    equation(
      "inflow of the list of transactions",
      sum(of("in"), (row) => row.usd_value),
      stats.total_in_usd,
    ),
    equation(
      "outflow of the list of transactions",
      sum(of("out"), (row) => row.usd_value),
      stats.total_out_usd,
    ),
    equation(
      "spam of the list",
      sum(pages, ({ summary }) => summary.hidden_spam),
      stats.spam_transfers,
    ),
  ];
};

const paged = (pages: readonly AnyAnswer[]): readonly Equation[] => {
  const rows = rowsOf(pages);
  const [first] = pages;
  if (first === undefined) return [];
  const { summary } = first;
  return [
    equation(
      "inflow of all counterparties",
      sum(rows, (row) => row.volume_in_usd),
      summary.total_in_usd,
    ),
    equation(
      "outflow of all counterparties",
      sum(rows, (row) => row.volume_out_usd),
      summary.total_out_usd,
    ),
    equation("counterparties listed", rows.length, summary.counterparty_count),
  ];
};

const byCategory = ({ by_category, summary }: AnyAnswer): readonly Equation[] => [
  equation(
    "inflow by category",
    sum(by_category, (row) => row.in_usd),
    summary.total_in_usd,
  ),
  equation(
    "outflow by category",
    sum(by_category, (row) => row.out_usd),
    summary.total_out_usd,
  ),
];

const seconds = (text: string | null): number => (text === null ? 0 : Date.parse(text) / 1000);

const habits = ({ activity, flow_patterns, type_mix, summary }: AnyAnswer, stats: AnyAnswer): readonly Equation[] => [
  equation("inflow of patterns", flow_patterns.in_usd, stats.total_in_usd),
  equation("outflow of patterns", flow_patterns.out_usd, stats.total_out_usd),
  equation("transactions of patterns", activity.tx_count, stats.tx_count),
  equation(
    "transactions by type",
    sum(type_mix, ({ count }) => count),
    stats.tx_count,
  ),
  equation("own transactions of patterns", summary.own_tx_count, stats.tx_sent),
  equation("active days of patterns", activity.active_days, stats.active_days),
  equation("first seen in patterns", seconds(activity.first_seen), seconds(stats.first_seen)),
  equation("last seen in patterns", seconds(activity.last_seen), seconds(stats.last_seen)),
];

const lived = ({ activity }: AnyAnswer, life: AnyAnswer): readonly Equation[] => [
  equation("transactions of the profile", activity.tx_count, life.tx_count),
  equation("first seen in the profile", seconds(activity.first_seen), seconds(life.first_seen)),
  equation("last seen in the profile", seconds(activity.last_seen), seconds(life.last_seen)),
];

/** Books have the same fees; if they are not computed, the answer gives the reason. */
const paidFees = ({ pnl }: HoldingAnswers, stats: AnyAnswer): readonly Equation[] =>
  pnl.summary === undefined ? [] : [equation("fees of get_wallet_pnl", pnl.summary.gas_fees_usd, stats.gas_spent_usd)];

/** A tool without data states that the wallet had none of its kind. */
const silent = ({ counterparties, patterns, transactions }: WalletAnswers, stats: AnyAnswer): readonly Equation[] => {
  const { in: got, out: gave } = stats.of_which;
  const [total_in, total_out] = [orZero(stats.total_in_usd), orZero(stats.total_out_usd)];
  return [
    ...(counterparties.length > 0
      ? []
      : [
          equation("inflow without counterparties", got.mints_usd + got.rewards_usd, total_in),
          equation("outflow without counterparties", gave.burns_usd, total_out),
          equation("counterparties of a list without any", 0, stats.unique_counterparties),
        ]),
    ...(patterns === null ? [equation("transactions without patterns", 0, stats.tx_count)] : []),
    ...(transactions.length === 0 ? [equation("volume without a list", 0, total_in + total_out)] : []),
  ];
};

const equations = (answers: WalletAnswers): readonly Equation[] => {
  const { stats, life, patterns, profile, analysis, counterparties, transactions, held } = answers;
  if (stats === null) return [];
  const [first] = counterparties;
  return [
    wrapping(stats),
    ...silent(answers, stats),
    ...paidFees(held, stats),
    ...(first === undefined ? [] : totals("get_wallet_counterparties", first, stats)),
    ...(analysis === null ? [] : totals("get_wallet_counterparties_analysis", analysis, stats)),
    ...(analysis === null ? [] : byCategory(analysis)),
    ...paged(counterparties),
    ...(transactions.length === 0 ? [] : listed(transactions, stats)),
    ...(patterns === null ? [] : habits(patterns, stats)),
    ...(profile === null || life === null ? [] : lived(profile, life)),
    ...(life === null ? [] : [equation("transactions of all time", life.tx_count, stats.tx_count)]),
  ];
};

/** A wrap is an outflow and an inflow of the wallet for which it is made. */
const wrapping = ({ of_which }: AnyAnswer): Equation =>
  equation("wraps and unwraps", of_which.in.wraps_usd, of_which.out.wraps_usd);

/** Equations that do not hold, as sentences. */
export const walletContradictions = (answers: WalletAnswers): readonly string[] =>
  equations(answers)
    .filter(({ left, right }) => !isSame(left, right))
    .map(({ what, left, right }) => `${answers.name}: ${what} is ${left}, get_wallet_stats makes it ${right}`);

/** Number of equations checked for an answer. */
export const equationCount = (answers: WalletAnswers): number => equations(answers).length;
