import type { Chain } from "../../chains/chain.ts";
import type { Basis, CallContext, SnapshotContext } from "../../domain/context.ts";
import { metadataIn, metadataOf } from "../../domain/token/metadata/metadata.ts";
import { endOf } from "../../domain/wallet/pnl/compute.ts";
import { byTotal, type PnlRow } from "../../domain/wallet/pnl/rows.ts";
import { gapsOf } from "../../domain/window/gaps.ts";
import type { Hex } from "../../lib/bytes.ts";
import { figuresOver, type LedgerPnl, type NetworkPnl, readPnlAt } from "../wallet_pnl.ts";
import { outputRow, tokenOf } from "./answer.ts";
import type { DetailedPnl, OutputRow, PnlInput } from "./shape.ts";

export const readNetwork = async (
  context: CallContext,
  asked: PnlInput,
  [chain, wallet]: readonly [Chain, Hex],
): Promise<{ readonly basis: Basis; readonly value: NetworkPnl }> => {
  const snapshot = await context.facts.snapshot(chain.network.id, asked.as_of_block ?? null);
  const scope: SnapshotContext = { facts: context.facts, chain, snapshot, signal: context.signal };
  return { basis: snapshot, value: await readPnlAt(scope, wallet, asked) };
};

/** True when nothing that could have touched the wallet is missing from the index. */
export const isComplete = ({ scope: { snapshot } }: NetworkPnl): boolean => {
  const { coverage } = snapshot;
  return coverage.complete && coverage.gaps.length === 0 && coverage.logs && coverage.traces;
};

/** Whether the index has every block of the windows: one that begins later knows nothing of the days before. */
export const areCovered = async (found: readonly NetworkPnl[]): Promise<boolean> =>
  (await Promise.all(found.map(({ scope, window }) => gapsOf(scope, window)))).every((gaps) => gaps.length === 0);

interface NetworkRow {
  readonly of: LedgerPnl;
  readonly row: PnlRow;
}

const idOf = ({ of }: NetworkRow): string => of.scope.chain.network.id;

export const rowsOver = (found: readonly LedgerPnl[]): readonly NetworkRow[] =>
  found
    .flatMap((of) => of.books.rows.map((row) => ({ of, row })))
    .sort((a, b) => byTotal(a.row, b.row) || (idOf(a) < idOf(b) ? -1 : 1));

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
