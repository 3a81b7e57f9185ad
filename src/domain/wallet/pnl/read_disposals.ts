import type { Hex } from "../../../lib/bytes.ts";
import type { SnapshotContext } from "../../context.ts";
import type { DateWindow } from "../../window/dates.ts";
import { computeWallet, type PnlComputation } from "./compute.ts";
import type { Disposal } from "./ledger.ts";
import type { CostBasis } from "./position.ts";

export interface WalletDisposals {
  /** Oldest first; those of one sale in the order of their lots. */
  readonly list: readonly Disposal[];
  readonly spam: ReadonlyMap<Hex, readonly string[]>;
  readonly computed: PnlComputation;
}

/** The sales of a wallet in a window, by the lots that they sold: the parts of the books' own gains. */
export const readDisposals = async (
  scope: SnapshotContext,
  wallet: Hex,
  { window, basis }: { readonly window: DateWindow; readonly basis: CostBasis },
): Promise<WalletDisposals> => {
  const list: Disposal[] = [];
  const onDisposal = (part: Disposal): void => {
    list.push(part);
  };
  const computed = await computeWallet(scope, wallet, { window, basis, onDisposal });
  return { list, spam: await computed.readSpam(), computed };
};
