import type { Hex } from "../../../lib/bytes.ts";
import { AssayError } from "../../../lib/errors.ts";
import type { SnapshotContext, Warning } from "../../context.ts";
import type { ValuedHistory as WalletHistory } from "../../wallet/history/history.ts";
import { countsOf, readDeployedCount } from "../../wallet/history/stats/counts.ts";
import { gapsOf } from "../../window/gaps.ts";

/** Indexed part of a wallet's history on one network. */
export interface HistoryExtent {
  readonly is_seen: boolean;
  /** The wallet's indexed transactions among all that it sent; or shares of the chain if it sent none. */
  readonly known: number;
  readonly all: number;
  /** Unix seconds; null when the wallet was never seen. */
  readonly first_time: number | null;
  readonly last_time: number | null;
  readonly tx_count: number;
  readonly nft_transfers: number;
  readonly deployed: number;
  readonly gaps: readonly Warning[];
}

/** Number of transactions that the account ever sent; null when no node answers. */
const readNonce = async ({ chain, snapshot, signal }: SnapshotContext, wallet: Hex): Promise<number | null> => {
  try {
    return (await chain.account(wallet, signal, snapshot.block.number)).nonce;
  } catch (error) {
    if (error instanceof AssayError && error.code === "UPSTREAM_UNAVAILABLE") return null;
    throw error;
  }
};

/**
 * The known part of the history: all of it if the index reaches back to the beginning, else the wallet's indexed
 * transactions among all that it sent, else the indexed part of the chain.
 */
const knownExtent = async (
  scope: SnapshotContext,
  wallet: Hex,
  sent: number,
): Promise<Pick<HistoryExtent, "known" | "all">> => {
  const { coverage, block, from_block } = scope.snapshot;
  if (coverage.complete) return { known: Math.max(1, sent), all: Math.max(1, sent) };
  const nonce = await readNonce(scope, wallet);
  if (nonce !== null && nonce > 0) return { known: Math.min(sent, nonce), all: nonce };
  return { known: (block.number - from_block + 1) / (block.number + 1), all: 1 };
};

/** `life`: the wallet's history from the beginning. */
export const readHistory = async (life: WalletHistory): Promise<HistoryExtent> => {
  const { scope, wallet, window } = life;
  const counts = countsOf(life);
  const [deployed, gaps] = await Promise.all([
    readDeployedCount(scope, { wallet, ...window }),
    gapsOf(scope, { from: 0 }),
  ]);
  return {
    ...(await knownExtent(scope, wallet, counts.tx_sent)),
    is_seen: counts.sightings > 0 || deployed > 0 || life.is_contract,
    first_time: counts.first_time,
    last_time: counts.last_time,
    tx_count: counts.tx_count,
    nft_transfers: counts.nft_transfer_count,
    deployed,
    gaps,
  };
};

/** Known part of all histories, 0..100. */
export const coveragePercent = (histories: readonly HistoryExtent[]): number => {
  const all = histories.reduce((sum, history) => sum + history.all, 0);
  const known = histories.reduce((sum, history) => sum + history.known, 0);
  return all === 0 ? 100 : (100 * known) / all;
};
