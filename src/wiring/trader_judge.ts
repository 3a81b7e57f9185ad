import type { Chain } from "../chains/chain.ts";
import { anchorsOf } from "../domain/valuation/prices/pools.ts";
import { computeWallet } from "../domain/wallet/pnl/compute.ts";
import { costCoveragePercent, winRatePercent } from "../domain/wallet/pnl/rows.ts";
import type { JudgeTrader } from "../indexer/cohorts.ts";
import type { Facts } from "../store/facts.ts";

/** Judges traders by the books of `get_wallet_pnl`, so that its answer shows why a wallet is in a cohort. */
export const traderJudge =
  (chain: Chain, facts: Facts): JudgeTrader =>
  async (wallet, { snapshot, from }, signal) => {
    const place = { facts: facts.withSignal(signal), chain, snapshot, signal };
    const window = { from: Math.max(0, from), until: snapshot.block.time + 1 };
    const { book, rows, readSpam } = await computeWallet(place, wallet, { window, basis: "average" });
    const spam = await readSpam();
    const counted = rows.filter(({ entry }) => !spam.has(entry.bucket));
    const money = new Set(["", ...anchorsOf(chain.network)]);
    const sold = counted.filter(({ entry }) => !money.has(entry.bucket) && entry.trading.sell_count > 0);
    return {
      closed_trades: sold.reduce((sum, { entry }) => sum + entry.trading.sell_count, 0),
      tokens: sold.length,
      win_rate_percent: winRatePercent(book),
      realized_usd: counted.reduce((sum, { realized_usd }) => sum + realized_usd, 0),
      cost_coverage_percent: costCoveragePercent(book, counted),
    };
  };
