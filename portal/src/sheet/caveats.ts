/** Limits of figures, shown below them: a sum that leaves something out says so where it is read. */
import type { JsonObject } from "../api/answer.ts";
import { countText, percentText, usdText } from "../ui/format.ts";
import { at, numberAt, reasonAt } from "./read.ts";

type Caveat = (body: JsonObject) => string | null;

/** `without $1,234.00 held at unknown cost`, where there is any. */
const without =
  (path: string, text: (value: number) => string): Caveat =>
  (body) => {
    const value = numberAt(body, path);
    return value === null || value === 0 ? null : text(value);
  };

const held = without("summary.uncosted_value_usd", (usd) => `without ${usdText(usd)} held at unknown cost`);
const sold = without(
  "summary.all_tokens.proceeds_without_cost_usd",
  (usd) => `without ${usdText(usd)} sold at unknown cost`,
);

const both: Caveat = (body) => {
  const parts = [held, sold].flatMap((one) => one(body)?.replace(/^without /, "") ?? []);
  return parts.length === 0 ? null : `without ${parts.join(" and ")}`;
};

const unpriced = (path: string): Caveat =>
  without(
    path,
    (count) =>
      `without ${countText(count)} ${count === 1 ? "transfer" : "transfers"} that ${count === 1 ? "has" : "have"} no price`,
  );

const tokens = (path: string): Caveat =>
  without(path, (count) => `without ${countText(count)} ${count === 1 ? "token" : "tokens"} without a price`);

/** A score is its lower bound: what is unknown could add to it. */
const upTo =
  (score: string, most: string, words: string): Caveat =>
  (body) => {
    const [now, bound] = [numberAt(body, score), numberAt(body, most)];
    return now === null || bound === null || now === bound ? null : `up to ${bound}, ${words}`;
  };

const history: Caveat = (body) => {
  const indexed = numberAt(body, "coverage_percent");
  const unlisted = reasonAt(body, "categories");
  if (indexed !== null && indexed < 100) return `of ${percentText(indexed)} of the history`;
  if (at(body, "tracing.is_complete") === false) return "tracing left out a part of the money";
  return unlisted === null ? null : "some categories have no list here: see the unknown fields";
};

const SCORE = upTo("risk_score", "score_range.max", "if all that is unknown were bad");

const CAVEATS: Readonly<Record<string, Readonly<Record<string, Caveat>>>> = {
  get_wallet_pnl: {
    "summary.total_pnl_usd": both,
    "summary.total_realized_pnl_usd": sold,
    "summary.total_unrealized_pnl_usd": held,
  },
  get_wallet_portfolio_breakdown: { total_value_usd: tokens("tokens_without_price") },
  get_wallet_token_holdings: { "summary.total_value_usd": tokens("summary.tokens_without_price") },
  get_wallet_stats: { total_in_usd: unpriced("unpriced_transfers"), total_out_usd: unpriced("unpriced_transfers") },
  get_wallet_transactions: {
    "summary.total_in_usd": without(
      "summary.rows_without_price",
      (rows) => `without ${countText(rows)} rows that have no price`,
    ),
    "summary.total_out_usd": without(
      "summary.rows_without_price",
      (rows) => `without ${countText(rows)} rows that have no price`,
    ),
  },
  get_wallet_risk_score: { risk_score: SCORE, risk_level: history },
  get_wallet_risk_overview: { risk_score: SCORE, risk_level: history },
  get_token_risk_traits: {
    "risk_overview.security_score": upTo(
      "risk_overview.security_score",
      "risk_overview.score_range.max",
      "if nothing unknown is bad",
    ),
  },
  get_wallet_address_profile: { "wealth.total_value_usd": () => "without tokens that have no price" },
};

/** The limit of a figure; null without one. */
export const caveatOf = (tool: string, path: string, body: JsonObject): string | null => {
  const rules = Object.hasOwn(CAVEATS, tool) ? CAVEATS[tool] : undefined;
  const rule = rules !== undefined && Object.hasOwn(rules, path) ? rules[path] : undefined;
  return at(body, path) === null ? null : (rule?.(body) ?? null);
};
