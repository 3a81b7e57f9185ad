import type { Hex } from "../../../lib/bytes.ts";
import { IS_COST } from "../../address/movements/movements.ts";
import { readMovements } from "../../address/movements/read_movements.ts";
import type { SnapshotContext } from "../../context.ts";
import { hashesOf, type ValuedHistory } from "./history.ts";

/** The first transfer between a wallet and another address, in one direction. */
export interface Contact {
  readonly peer: Hex;
  readonly tx_hash: Hex;
  /** Unix seconds. */
  readonly time: number;
}

/** The window's first transfers with each of these peers, outgoing before incoming. */
export const readContacts = async (history: ValuedHistory, peers: readonly Hex[]): Promise<readonly Contact[]> => {
  const { movements, first, end } = history;
  const wanted = new Set(peers.map((peer) => movements.peers.find(peer)));
  const firsts = new Map<number, { out: number; in: number }>();
  for (let row = first; row < end; row += 1) {
    const code = movements.peer[row] ?? 0;
    if (!wanted.has(code) || IS_COST[movements.kind[row] ?? 0] === 1) continue;
    const known = firsts.get(code) ?? { out: -1, in: -1 };
    const side = movements.direction[row] === 1 ? "in" : "out";
    if (known[side] >= 0 || movements.amountAt(row) === 0n) continue;
    known[side] = row;
    firsts.set(code, known);
  }
  const rows = [...firsts.values()].flatMap((known) => [known.out, known.in]).filter((row) => row >= 0);
  const hashOf = await hashesOf(history, rows);
  return rows.map((row) => ({
    peer: movements.peerAt(row),
    tx_hash: hashOf(row),
    time: movements.time[row] ?? 0,
  }));
};

/** Addresses with which the wallet dealt before a time (unix seconds). */
export const readEarlierPeers = async (
  scope: SnapshotContext,
  wallet: Hex,
  until: number,
): Promise<ReadonlySet<Hex>> => {
  const { movements, first, end } = await readMovements(scope, wallet, { since: 0, until });
  const met = new Uint8Array(movements.peers.texts.length);
  for (let row = first; row < end; row += 1) {
    if (IS_COST[movements.kind[row] ?? 0] === 0) met[movements.peer[row] ?? 0] = 1;
  }
  return new Set(movements.peers.texts.filter((_, code) => met[code] === 1));
};
