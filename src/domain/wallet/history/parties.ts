import type { Hex } from "../../../lib/bytes.ts";
import { labelRowsOf, type Party, partiesIn } from "../../address/identity/parties.ts";
import { IS_COST, isNewTransaction, type MovementRange } from "../../address/movements/movements.ts";
import { type Acts, exchangeAt, readActs } from "./acts/act.ts";
import type { ValuedHistory } from "./history.ts";
import { NAMED_MAX, peersIn } from "./movement_selection.ts";
import { wrapRows } from "./wraps.ts";

/** The counterparties of a wallet by movement, and their labels. */
export interface MovementParties {
  /**
   * Code of the movements' peers by row: the other side, or the labelled exchange contract that the wallet called in
   * its own transaction in which it gave and received; `peer` then has the pools behind it.
   */
  readonly party: Uint32Array;
  /** The other side by row; for mints and burns of the wrapped coin, its contract. */
  readonly peer: Uint32Array;
  /** Those peers that have a label. */
  readonly labels: ReadonlyMap<Hex, Party>;
}

/** The other side of each row of the window from the ledger; for a wrap, the wrapped coin's contract. */
const peersOf = (history: ValuedHistory): Uint32Array => {
  const { movements, scope, first, end } = history;
  const peers = Uint32Array.from(movements.peer);
  const wrapped = scope.chain.network.wrapped_native;
  const is_wrap = wrapRows(history);
  if (wrapped === null || !is_wrap.includes(1)) return peers;
  const contract = movements.peers.codeOf(wrapped);
  for (let row = first; row < end; row += 1) if (is_wrap[row] === 1) peers[row] = contract;
  return peers;
};

/** The wallet's own transactions of the window in which it gave and received. */
const exchangesOf = ({ movements, first, end }: ValuedHistory): readonly MovementRange[] => {
  const found: MovementRange[] = [];
  for (let from = first; from < end; ) {
    let [to, gave, got] = [from, false, false];
    while (to < end && (to === from || !isNewTransaction(movements, to))) {
      const is_moved = movements.is_own[to] === 1 && IS_COST[movements.kind[to] ?? 0] === 0;
      if (is_moved && movements.direction[to] === 1) got = true;
      else if (is_moved) gave = true;
      to += 1;
    }
    if (gave && got) found.push({ first: from, end: to });
    from = to;
  }
  return found;
};

/** Replaces pools by the exchange contract that the wallet called, by row. */
const putCalled = async (history: ValuedHistory, party: Uint32Array, known: Acts | null): Promise<readonly Hex[]> => {
  const exchanged = exchangesOf(history);
  if (exchanged.length === 0) return [];
  const acts = known ?? (await readActs(history));
  const called = new Set<Hex>();
  for (const rows of exchanged) {
    const exchange = exchangeAt(history, acts, rows.first);
    if (exchange === null) continue;
    called.add(exchange);
    party.fill(history.movements.peers.codeOf(exchange), rows.first, rows.end);
  }
  return [...called];
};

/** Labels of the window's counterparties and of the called contracts. */
const readLabels = async (history: ValuedHistory, called: readonly Hex[]) => {
  const { scope, wallet, window, movements, first, end, is_whole } = history;
  const { facts, snapshot } = scope;
  const named = new Set([...called, ...peersIn(movements, { first, end })]);
  if (named.size <= NAMED_MAX) return labelRowsOf(facts, snapshot, [...named]);
  const from_block = is_whole ? snapshot.from_block : (movements.block_number[first] ?? 0);
  return facts.ask({ ...snapshot, from_block }, "history/peer_labels", {
    wallet,
    since: window.from,
    until: window.until,
    called: [...called].sort(),
  });
};

/** Reads the counterparties of the window. `acts`: reused when already read. */
export const readParties = async (history: ValuedHistory, acts: Acts | null): Promise<MovementParties> => {
  const peer = peersOf(history);
  const party = Uint32Array.from(peer);
  const called = await putCalled(history, party, acts);
  const wrapped = history.scope.chain.network.wrapped_native;
  const rows = await readLabels(history, wrapped === null ? called : [...called, wrapped]);
  return { party, peer, labels: partiesIn(rows) };
};
