import type { SnapshotContext, Warning } from "../domain/context.ts";
import { computeWallet, type PnlComputation } from "../domain/wallet/pnl/compute.ts";
import { totalsOver } from "../domain/wallet/pnl/ledger.ts";
import type { CostBasis } from "../domain/wallet/pnl/position.ts";
import { costCoveragePercent, type PnlRow, sumRows, winRatePercent } from "../domain/wallet/pnl/rows.ts";
import { type DateWindow, type DayBounds, dateWindow } from "../domain/window/dates.ts";
import type { Hex } from "../lib/bytes.ts";

interface NetworkLedger {
  readonly computed: PnlComputation;
  readonly spam: Awaited<ReturnType<PnlComputation["readSpam"]>>;
  readonly rows: readonly PnlRow[];
}

export interface NetworkPnl {
  readonly scope: SnapshotContext;
  readonly wallet: Hex;
  readonly window: DateWindow;
  /** Null where no profits are computed: the network's own note says why. */
  readonly books: NetworkLedger | null;
}

/** A network where profits are computed. */
export type LedgerPnl = NetworkPnl & { readonly books: NetworkLedger };

interface PnlQuestion extends DayBounds {
  readonly cost_basis_method: CostBasis;
  readonly include_spam: boolean;
}

/** Profits of a wallet at a snapshot, as get_wallet_pnl and its series show them. */
export const readPnlAt = async (scope: SnapshotContext, wallet: Hex, asked: PnlQuestion): Promise<NetworkPnl> => {
  const { chain, snapshot } = scope;
  const window = dateWindow(asked, snapshot.block.time);
  const of = { scope, wallet, window };
  if (chain.network.pnl_note !== undefined) return { ...of, books: null };
  const computed = await computeWallet(scope, wallet, { window, basis: asked.cost_basis_method });
  const spam = await computed.readSpam();
  const rows = asked.include_spam ? computed.rows : computed.rows.filter(({ entry }) => !spam.has(entry.bucket));
  return { ...of, books: { computed, spam, rows } };
};

/** Purchases before the indexed blocks, or in a gap, have no cost: what was gained on them is not in any total. */
export const partialWarnings = ({
  snapshot,
  chain,
}: Pick<SnapshotContext, "snapshot" | "chain">): readonly Warning[] => {
  const { complete, gaps, logs } = snapshot.coverage;
  if (complete && gaps.length === 0 && logs) return [];
  const message = `The index does not cover the whole history of ${chain.network.id}: trades outside it are missing, so gains, losses and costs are only those of the indexed part.`;
  return [{ code: "HISTORY_INCOMPLETE", message }];
};

export const warningsOf = (found: NetworkPnl): readonly Warning[] => {
  const { scope, window, books } = found;
  const { pnl_note, id } = scope.chain.network;
  const silent = pnl_note === undefined ? [] : [{ code: "PNL_UNAVAILABLE", message: `${id}: ${pnl_note}` }];
  return [
    ...window.warnings,
    ...silent,
    ...(books === null ? [] : [...partialWarnings(scope), ...books.computed.warnings]),
  ];
};

export const hasLedger = (found: NetworkPnl): found is LedgerPnl => found.books !== null;

export const figuresOver = (found: readonly LedgerPnl[]) => {
  const rows = found.flatMap(({ books }) => books.rows);
  const totals = totalsOver(found.map(({ books }) => books.computed.book));
  const is_free = totals.gas_fees_unpriced === 0 || totals.gas_fees_usd > 0;
  return {
    all_tokens: sumRows(rows),
    win_rate_percent: winRatePercent({ totals }),
    gas_fees_usd: is_free ? totals.gas_fees_usd : null,
    hidden_spam: found.reduce((sum, { books }) => sum + books.computed.rows.length - books.rows.length, 0),
    cost_coverage_percent: costCoveragePercent({ totals }, rows),
  };
};
