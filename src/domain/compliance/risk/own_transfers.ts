import type { Hex } from "../../../lib/bytes.ts";
import { IS_COLLECTIBLE, IS_COST } from "../../address/movements/movements.ts";
import { tradedToken } from "../../aliases.ts";
import type { SnapshotContext } from "../../context.ts";
import { rowUsd, type ValuedHistory } from "../../wallet/history/history.ts";
import { wrapRows } from "../../wallet/history/wraps.ts";
import type { LedgerTransfer } from "./value_events_of.ts";

/** Rows of a history that move value from one owner to another, newest first. */
const transferRows = (life: ValuedHistory, limit: number): readonly number[] => {
  const { movements, wallet, first, end } = life;
  const { kind, peer } = movements;
  const self = movements.peers.find(wallet);
  const is_wrap = wrapRows(life);
  const rows: number[] = [];
  for (let row = end - 1; row >= first && rows.length < limit; row -= 1) {
    if (IS_COST[kind[row] ?? 0] === 0 && is_wrap[row] === 0 && peer[row] !== self) rows.push(row);
  }
  return rows;
};

/** The bucket of the native coin, which is money whatever the pools take: no account can issue it. */
export const NATIVE = "";

/** The key of an asset in a trade: the coin and its wrapped form are one, each collectible is its own. */
export const bucketOf = (scope: Pick<SnapshotContext, "chain">, token: Hex, token_id: bigint | null): string => {
  if (token_id !== null) return `${token}:${token_id}`;
  const { network } = scope.chain;
  const traded = tradedToken(network, token);
  return traded === (network.wrapped_native ?? "") ? NATIVE : traded;
};

/** The wallet's movements from its history, newest first: without fees, wraps and transfers to itself. */
export const ownTransfers = (
  scope: SnapshotContext,
  life: ValuedHistory,
  limit: number,
): { readonly transfers: readonly LedgerTransfer[]; readonly has_older: boolean } => {
  const { movements, wallet } = life;
  const rows = transferRows(life, limit);
  const transfers = rows.map((row): LedgerTransfer => {
    const [peer, is_in] = [movements.peerAt(row), movements.direction[row] === 1];
    const is_collectible = IS_COLLECTIBLE[movements.kind[row] ?? 0] === 1;
    const bucket = bucketOf(scope, movements.tokenAt(row), is_collectible ? movements.tokenIdAt(row) : null);
    return {
      block_number: movements.block_number[row] ?? 0,
      tx_index: movements.tx_index[row] ?? 0,
      position: movements.position[row] ?? 0,
      time: movements.time[row] ?? 0,
      source: is_in ? peer : wallet,
      destination: is_in ? wallet : peer,
      token: movements.tokenAt(row),
      is_collectible,
      bucket,
      amount: movements.amountAt(row),
      usd: rowUsd(life, row),
      is_limited: bucket !== NATIVE && life.values.is_limited[row] === 1,
    };
  });
  return { transfers, has_older: rows.length >= limit || !life.is_whole };
};
