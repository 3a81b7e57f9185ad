import type { Chain } from "../../chains/chain.ts";
import type { Basis, CallContext, SnapshotContext } from "../../domain/context.ts";
import { gapsOf } from "../../domain/window/gaps.ts";
import type { Hex } from "../../lib/bytes.ts";
import { figuresOver, type LedgerPnl, type NetworkPnl, readPnlAt } from "../wallet_pnl.ts";
import type { DetailedPnl, PnlInput } from "./shape.ts";

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

export const byNetwork = (found: readonly LedgerPnl[]): DetailedPnl["by_network"] =>
  found.map((of) => {
    const { all_tokens, ...figures } = figuresOver([of]);
    return { network: of.scope.chain.network.id, ...all_tokens, ...figures };
  });
