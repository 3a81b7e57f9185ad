import type { Chain } from "../../chains/chain.ts";
import type { Basis, CallContext, SnapshotContext, Warning } from "../../domain/context.ts";
import { metadataIn, metadataOf } from "../../domain/token/metadata/metadata.ts";
import { computeWallet, endOf, type PnlComputation } from "../../domain/wallet/pnl/compute.ts";
import { totalsOver } from "../../domain/wallet/pnl/ledger.ts";
import { byTotal, costCoveragePercent, type PnlRow, sumRows, winRatePercent } from "../../domain/wallet/pnl/rows.ts";
import { type DateWindow, dateWindow } from "../../domain/window/dates.ts";
import { gapsOf } from "../../domain/window/gaps.ts";
import type { Hex } from "../../lib/bytes.ts";
import { outputRow, tokenOf } from "./answer.ts";
import type { DetailedPnl, OutputRow, PnlInput } from "./shape.ts";

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

export const readNetwork = async (
  context: CallContext,
  asked: PnlInput,
  [chain, wallet]: readonly [Chain, Hex],
): Promise<{ readonly basis: Basis; readonly value: NetworkPnl }> => {
  const snapshot = await context.facts.snapshot(chain.network.id, asked.as_of_block ?? null);
  const scope: SnapshotContext = { facts: context.facts, chain, snapshot, signal: context.signal };
  const window = dateWindow(asked, snapshot.block.time);
  const of = { scope, wallet, window };
  if (chain.network.pnl_note !== undefined) return { basis: snapshot, value: { ...of, books: null } };
  const computed = await computeWallet(scope, wallet, { window, basis: asked.cost_basis_method });
  const spam = await computed.readSpam();
  const rows = asked.include_spam ? computed.rows : computed.rows.filter(({ entry }) => !spam.has(entry.bucket));
  return { basis: snapshot, value: { ...of, books: { computed, spam, rows } } };
};

/** True when nothing that could have touched the wallet is missing from the index. */
export const isComplete = ({ scope: { snapshot } }: NetworkPnl): boolean => {
  const { coverage } = snapshot;
  return coverage.complete && coverage.gaps.length === 0 && coverage.logs && coverage.traces;
};

/** Whether the index has every block of the windows: one that begins later knows nothing of the days before. */
export const areCovered = async (found: readonly NetworkPnl[]): Promise<boolean> =>
  (await Promise.all(found.map(({ scope, window }) => gapsOf(scope, window)))).every((gaps) => gaps.length === 0);

/** Purchases before the indexed blocks, or in a gap, have no cost: what was gained on them is not in any total. */
const partialWarnings = ({ scope: { snapshot, chain } }: NetworkPnl): readonly Warning[] => {
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
    ...(books === null ? [] : [...partialWarnings(found), ...books.computed.warnings]),
  ];
};

interface NetworkRow {
  readonly of: NetworkPnl & { readonly books: NetworkLedger };
  readonly row: PnlRow;
}

type LedgerPnl = NetworkRow["of"];

export const hasLedger = (found: NetworkPnl): found is LedgerPnl => found.books !== null;

const idOf = ({ of }: NetworkRow): string => of.scope.chain.network.id;

export const rowsOver = (found: readonly LedgerPnl[]): readonly NetworkRow[] =>
  found
    .flatMap((of) => of.books.rows.map((row) => ({ of, row })))
    .sort((a, b) => byTotal(a.row, b.row) || (idOf(a) < idOf(b) ? -1 : 1));

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

export const byNetwork = (found: readonly LedgerPnl[]): DetailedPnl["by_network"] =>
  found.map((of) => {
    const { all_tokens, ...figures } = figuresOver([of]);
    return { network: of.scope.chain.network.id, ...all_tokens, ...figures };
  });

export const showRows = async (shown: readonly NetworkRow[]): Promise<OutputRow[]> => {
  const written = new Map<NetworkRow, OutputRow>();
  for (const of of new Set(shown.map((one) => one.of))) {
    const { scope, wallet, window } = of;
    const { spam, computed } = of.books;
    const { faces: known, prices } = computed;
    const [digits, end] = [wallet.length, endOf(window, scope)];
    const own = shown.filter((one) => one.of === of);
    const tokens = own.map(({ row }) => tokenOf(row.entry.bucket, digits)).filter((token) => !known.has(token));
    const faces = new Map([...known, ...(await metadataOf(scope, tokens))]);
    for (const one of own) {
      const { bucket } = one.row.entry;
      const face = metadataIn(faces, tokenOf(bucket, digits));
      const price = prices.priceAt(bucket, end);
      const spam_reasons = [...(spam.get(bucket) ?? [])];
      written.set(one, outputRow(one.row, { chain: scope.chain, digits, face, price, spam_reasons }));
    }
  }
  return shown.flatMap((one) => written.get(one) ?? []);
};
