import { isRecord } from "../lib/record.ts";
import { type Canvas, type ChartOptions, canvasOf, standaloneSvg } from "./frame.ts";
import { type SvgNode, svgText as textOf } from "./node.ts";
import { cohorts } from "./pictures/cohorts.ts";
import { blacklist, compliance } from "./pictures/compliance.ts";
import { counterparties } from "./pictures/counterparties.ts";
import { ego } from "./pictures/ego.ts";
import { holders } from "./pictures/holders.ts";
import { holdings, portfolio } from "./pictures/holdings.ts";
import { market } from "./pictures/market.ts";
import { netWorthOverTime, pnlOverTime } from "./pictures/over_time.ts";
import { patterns } from "./pictures/patterns.ts";
import { pnl } from "./pictures/pnl.ts";
import { deployed, developer } from "./pictures/timeline.ts";
import { tokenFlows } from "./pictures/token_flows.ts";
import { tokenRisk } from "./pictures/token_risk.ts";
import { transaction } from "./pictures/transaction.ts";
import { transactions } from "./pictures/transactions.ts";
import { walletRisk } from "./pictures/wallet_risk.ts";
import { type AnswerJson, at } from "./read.ts";

export type { ChartOptions } from "./frame.ts";
export type { SvgNode } from "./node.ts";
export { CHART_CSS } from "./theme.ts";

/** Draws an answer with data; null where this one holds nothing that a picture could show. */
type PictureRenderer = (answer: AnswerJson, canvas: Canvas) => SvgNode | null;

const PICTURES: Readonly<Record<string, PictureRenderer>> = {
  analyze_token_developer: developer,
  analyze_transaction: transaction,
  get_token_flow_intelligence: cohorts,
  get_token_flows: tokenFlows,
  get_token_holders_traders: holders,
  get_token_market_analysis: market,
  get_token_risk_traits: tokenRisk,
  get_wallet_counterparties: counterparties,
  get_wallet_counterparties_analysis: ego,
  get_wallet_deployed_contracts: deployed,
  get_wallet_pnl: pnl,
  get_wallet_portfolio_breakdown: portfolio,
  get_wallet_risk_overview: walletRisk,
  get_wallet_risk_score: walletRisk,
  get_wallet_stablecoin_compliance: compliance,
  get_wallet_token_holdings: holdings,
  get_wallet_transaction_patterns: patterns,
  get_wallet_transactions: transactions,
  is_address_blacklisted_by_stablecoin: blacklist,
  series_net_worth: netWorthOverTime,
  series_pnl: pnlOverTime,
};

/** Names of the tools whose answers have a picture. */
export const PICTURED_TOOLS: readonly string[] = Object.keys(PICTURES);

/**
 * The picture of a tool's whole answer (its REST object), the same wherever it is drawn. Null where the tool has none, and for
 * `no_data` and errors. It cleans and truncates untrusted text, and uses only classes and presentation attributes.
 */
export const chartOf = (tool_name: string, answer: unknown, options: ChartOptions = {}): SvgNode | null => {
  if (!Object.hasOwn(PICTURES, tool_name) || !isRecord(answer)) return null;
  if (at(answer, "status") === "no_data" || at(answer, "status") === "error") return null;
  return PICTURES[tool_name]?.(answer, canvasOf(tool_name, options)) ?? null;
};

/** The tree as XML; `standalone`: a document of its own, which brings its style and follows light and dark. */
export const svgText = (node: SvgNode, { standalone = false }: { readonly standalone?: boolean } = {}): string =>
  textOf(standalone ? standaloneSvg(node) : node);
