import type { Hex } from "../../lib/bytes.ts";
import { type Party, partiesIn } from "../identity/parties.ts";
import type { History } from "./history.ts";
import { IS_COST, isNewPlace } from "./movements.ts";
import { wrapRows } from "./wraps.ts";

/** With whom a wallet dealt in each movement, and who these are. */
export interface Parties {
  /**
   * By row, a code of the movements' peers: the other side, or the labelled exchange contract that the wallet called in a
   * transaction of its own in which it gave and got; the pools behind that one are `peer`.
   */
  readonly party: Uint32Array;
  /** The other side, by row: minting and burning the wrapped coin is dealing with its contract. */
  readonly peer: Uint32Array;
  /** Those of them that a label names. */
  readonly labels: ReadonlyMap<Hex, Party>;
}

/** The other side of each row of the window, as the ledger tells it; of a wrap, the wrapped coin's contract. */
const peersOf = (history: History): Uint32Array => {
  const { movements, place, first, end } = history;
  const peers = Uint32Array.from(movements.peer);
  const wrapped = place.chain.network.wrapped_native;
  const is_wrap = wrapRows(history);
  if (wrapped === null || !is_wrap.includes(1)) return peers;
  const contract = movements.peers.codeOf(wrapped);
  for (let row = first; row < end; row += 1) if (is_wrap[row] === 1) peers[row] = contract;
  return peers;
};

/** True when the wallet gave and got in one transaction of its own. */
const hasExchange = ({ movements, first, end }: History): boolean => {
  let [gave, got] = [false, false];
  for (let row = first; row < end; row += 1) {
    if (isNewPlace(movements, row)) [gave, got] = [false, false];
    if (movements.is_own[row] === 0 || IS_COST[movements.kind[row] ?? 0] === 1) continue;
    if (movements.direction[row] === 1) got = true;
    else gave = true;
    if (gave && got) return true;
  }
  return false;
};

/** Exchange contracts that the wallet called, by row. */
const putCalled = async (history: History, party: Uint32Array): Promise<readonly Hex[]> => {
  const { place, wallet, window, movements, first, end } = history;
  if (!hasExchange(history)) return [];
  const asked = { wallet, since: window.from, until: window.until };
  const called = await place.facts.columns(place.snapshot, "wallet_history/called_exchanges", asked);
  const { block_number, tx_index, recipient, length } = called;
  const codes = recipient.texts.map((text) => movements.peers.codeOf(text));
  let row = first;
  for (let i = 0; i < length; i += 1) {
    const [block, index] = [block_number[i] ?? 0, tx_index[i] ?? 0];
    const isBefore = (at: number): boolean => {
      const of = movements.block_number[at] ?? 0;
      return of < block || (of === block && (movements.tx_index[at] ?? 0) < index);
    };
    while (row < end && isBefore(row)) row += 1;
    for (; row < end && movements.block_number[row] === block && movements.tx_index[row] === index; row += 1) {
      party[row] = codes[recipient.codes[i] ?? 0] ?? 0;
    }
  }
  return [...new Set(recipient.codes)].map((code) => recipient.texts[code] ?? "");
};

/** Asks with whom the wallet dealt in the window. */
export const readParties = async (history: History): Promise<Parties> => {
  const { place, wallet, window } = history;
  const peer = peersOf(history);
  const party = Uint32Array.from(peer);
  const called = await putCalled(history, party);
  const wrapped = place.chain.network.wrapped_native;
  const rows = await place.facts.ask(place.snapshot, "wallet_history/peer_labels", {
    wallet,
    since: window.from,
    until: window.until,
    called: [...called, ...(wrapped === null ? [] : [wrapped])].sort(),
  });
  return { party, peer, labels: partiesIn(rows) };
};
