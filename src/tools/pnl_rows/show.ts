import { metadataIn, metadataOf } from "../../domain/token/metadata/metadata.ts";
import { endOf } from "../../domain/wallet/pnl/compute.ts";
import { byTotal, type PnlRow } from "../../domain/wallet/pnl/rows.ts";
import type { LedgerPnl } from "../wallet_pnl.ts";
import { outputRow, tokenOf } from "./answer.ts";
import type { OutputRow } from "./shape.ts";

interface NetworkRow {
  readonly of: LedgerPnl;
  readonly row: PnlRow;
}

const idOf = ({ of }: NetworkRow): string => of.scope.chain.network.id;

export const rowsOver = (found: readonly LedgerPnl[]): readonly NetworkRow[] =>
  found
    .flatMap((of) => of.books.rows.map((row) => ({ of, row })))
    .sort((a, b) => byTotal(a.row, b.row) || (idOf(a) < idOf(b) ? -1 : 1));

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
