import type { Hex } from "../../../lib/bytes.ts";
import { SMART_TRADER } from "./definitions.ts";

/** How a wallet traded in the window of the rule. */
export interface TradeRecord {
  /** Sales of tokens that are neither a dollar coin nor the native coin. */
  readonly closed_trades: number;
  /** Tokens that were sold so. */
  readonly tokens: number;
  /** Null without a disposal of known cost. */
  readonly win_rate_percent: number | null;
  readonly realized_usd: number;
  /** Null when neither proceeds nor holdings have a value. */
  readonly cost_coverage_percent: number | null;
}

export interface SmartTrader extends TradeRecord {
  readonly address: Hex;
  readonly win_rate_percent: number;
  readonly cost_coverage_percent: number;
}

/** The trader when the record meets every threshold; null otherwise. */
export const smartTrader = (address: Hex, record: TradeRecord): SmartTrader | null => {
  const { win_rate_percent, cost_coverage_percent } = record;
  if (win_rate_percent === null || cost_coverage_percent === null) return null;
  const is_smart =
    record.closed_trades >= SMART_TRADER.closed_trades_min &&
    record.tokens >= SMART_TRADER.tokens_min &&
    win_rate_percent >= SMART_TRADER.win_rate_percent_min &&
    record.realized_usd >= SMART_TRADER.realized_usd_min &&
    cost_coverage_percent >= SMART_TRADER.cost_coverage_percent_min;
  return is_smart ? { ...record, address, win_rate_percent, cost_coverage_percent } : null;
};

/** The best by realized USD, ties by address. */
export const ranked = (traders: readonly SmartTrader[]): readonly SmartTrader[] =>
  [...traders]
    .sort((a, b) => b.realized_usd - a.realized_usd || (a.address < b.address ? -1 : 1))
    .slice(0, SMART_TRADER.members_max);
