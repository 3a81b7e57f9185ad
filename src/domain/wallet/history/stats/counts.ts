import type { Hex } from "../../../../lib/bytes.ts";
import { NanoSum } from "../../../../lib/nano_usd.ts";
import { DAY_S } from "../../../../lib/time.ts";
import {
  IS_COLLECTIBLE,
  IS_COST,
  IS_FEE,
  IS_FUNGIBLE,
  isNewTransaction,
  NO_TRANSACTION,
} from "../../../address/movements/movements.ts";
import type { IndexedFacts } from "../../../context.ts";
import type { ValuedHistory } from "../history.ts";
import { isPriced } from "../movement_values.ts";

/** A wallet's activity in a window, counted; flagged movements are counted apart. */
export interface ActivityCounts {
  /** Rows of the ledger, flagged ones too. */
  readonly sightings: number;
  readonly tx_count: number;
  readonly tx_sent: number;
  /** Part of tx_sent: votes stored as sums, without transactions of their own. */
  readonly votes: number;
  readonly tx_received: number;
  readonly token_transfer_count: number;
  readonly nft_transfer_count: number;
  readonly unique_tokens: number;
  /** Unix days with a transaction. */
  readonly days: readonly number[];
  /** Unix seconds; null when all movements are spam. */
  readonly first_time: number | null;
  readonly last_time: number | null;
  readonly spam_transfers: number;
}

/** State of one transaction while its rows are read: its sender, and whether it brought something. */
interface RowEffect {
  is_own: boolean;
  is_transaction: boolean;
  is_received: boolean;
}

/**
 * Counts a history. Collected fees and tips and coins issued by a block are sightings but no transactions; neither is a
 * transaction with flagged movements only.
 */
export const countsOf = ({ movements, wallet, spam, first, end }: ValuedHistory): ActivityCounts => {
  const { kind, direction, peer, token, time, tx_index, is_own } = movements;
  const self = movements.peers.find(wallet);
  const [tokens, days] = [new Set<number>(), new Set<number>()];
  const sums = { sightings: 0, tx_count: 0, tx_sent: 0, votes: 0, tx_received: 0 };
  const kinds = { token_transfer_count: 0, nft_transfer_count: 0, spam_transfers: 0 };
  let [first_time, last_time]: [number | null, number | null] = [null, null];
  let scope: RowEffect = { is_own: false, is_transaction: false, is_received: false };
  const close = (): void => {
    sums.tx_sent += Number(scope.is_own);
    sums.tx_count += Number(scope.is_transaction);
    sums.tx_received += Number(scope.is_received);
    scope = { is_own: false, is_transaction: false, is_received: false };
  };
  for (let row = first; row < end; row += 1) {
    if (isNewTransaction(movements, row)) close();
    const [of, is_in] = [kind[row] ?? 0, direction[row] === 1];
    // A transfer of the wallet to itself has two rows.
    if (peer[row] === self && is_in) continue;
    sums.sightings += 1;
    if ((spam[row] ?? 0) !== 0) {
      kinds.spam_transfers += 1;
      continue;
    }
    const at = time[row] ?? 0;
    first_time ??= at;
    last_time = at;
    kinds.token_transfer_count += IS_FUNGIBLE[of] ?? 0;
    kinds.nft_transfer_count += IS_COLLECTIBLE[of] ?? 0;
    if (IS_COST[of] === 0) tokens.add(token[row] ?? 0);
    const votes = movements.votesAt(row);
    if (votes > 0) {
      sums.votes += votes;
      days.add(Math.floor(at / DAY_S));
      continue;
    }
    if (is_own[row] === 1) scope.is_own = true;
    if (tx_index[row] === NO_TRANSACTION || (IS_FEE[of] === 1 && is_in)) continue;
    scope.is_transaction = true;
    if (is_in && is_own[row] === 0) scope.is_received = true;
    days.add(Math.floor(at / DAY_S));
  }
  close();
  sums.tx_count += sums.votes;
  sums.tx_sent += sums.votes;
  return { ...sums, ...kinds, unique_tokens: tokens.size, days: [...days], first_time, last_time };
};

export interface Gas {
  /** Base units of the native coin. */
  readonly raw: bigint;
  readonly usd: number;
  readonly fees: number;
  readonly unpriced: number;
}

/** Fees and tips that the wallet paid. */
export const gasOf = ({ movements, values, first, end }: ValuedHistory): Gas => {
  const nano = new NanoSum();
  let [raw, fees, unpriced] = [0n, 0, 0];
  for (let row = first; row < end; row += 1) {
    if (IS_FEE[movements.kind[row] ?? 0] === 0 || movements.direction[row] === 1) continue;
    raw += movements.amountAt(row);
    fees += 1;
    if (isPriced(values, row)) nano.add(values.nano_usd[row] ?? 0);
    else unpriced += 1;
  }
  return { raw, usd: nano.usd, fees, unpriced };
};

/** Number of contracts deployed by a wallet's transactions in the window [from, until), unix seconds. */
export const readDeployedCount = async (
  { facts, snapshot }: IndexedFacts,
  { wallet, from, until }: { readonly wallet: Hex; readonly from: number; readonly until: number },
): Promise<number> => {
  const [deployed] = await facts.ask(snapshot, "stats/deployed", { wallet, since: from, until });
  return deployed?.contracts ?? 0;
};
