import type { Hex } from "../../../lib/bytes.ts";
import { AssayError } from "../../../lib/errors.ts";
import type { TransactionPosition } from "../../transaction_hashes.ts";
import type { BucketDelta } from "./legs.ts";
import type { WalletTransaction } from "./pnl.ts";
import type { PositionEvent } from "./position_events.ts";
import { NO_PEER } from "./transaction_movements.ts";

const placeOf = ({ place }: WalletTransaction): TransactionPosition => {
  if (place === undefined) throw new AssayError({ code: "BUG", message: "a transaction of a group has no place" });
  return place;
};

const compare = (a: TransactionPosition, b: TransactionPosition): number =>
  a.block_number - b.block_number || a.tx_index - b.tx_index;

/**
 * Movements between members leave both sides together. Only a plain trade hides its counterparties: beside one, both sides stay, without a
 * peer, and cancel each other out as one bucket's movements do.
 */
const joinMoves = (parts: readonly WalletTransaction[], members: ReadonlySet<Hex>): readonly BucketDelta[] => {
  const all = parts.flatMap(({ moves }) => moves);
  if (!all.some(({ peer }) => peer === NO_PEER)) return all.filter(({ peer }) => !members.has(peer));
  return all.map((move) => (members.has(move.peer) ? { ...move, peer: NO_PEER } : move));
};

const textOf = (event: PositionEvent): string =>
  JSON.stringify(event, (_, value) => (typeof value === "bigint" ? value.toString() : value));

/** An event that concerns several members counts once. A position that another member received stays in the books. */
const joinEvents = (parts: readonly WalletTransaction[], members: ReadonlySet<Hex>): readonly PositionEvent[] => {
  const events: PositionEvent[] = [];
  const seen = new Map<string, number>();
  for (const { events: own } of parts) {
    const counted = new Map<string, number>();
    for (const event of own) {
      if (event.kind === "handed_over" && members.has(event.to)) continue;
      const text = textOf(event);
      const count = (counted.get(text) ?? 0) + 1;
      counted.set(text, count);
      if (count <= (seen.get(text) ?? 0)) continue;
      seen.set(text, count);
      events.push(event);
    }
  }
  return events;
};

/** One transaction of several members as that of one wallet. */
const join = (parts: readonly WalletTransaction[], members: ReadonlySet<Hex>): WalletTransaction => {
  const [first] = parts;
  if (first === undefined) throw new AssayError({ code: "BUG", message: "nothing to join" });
  const coins = new Set(parts.flatMap(({ valued_by }) => valued_by ?? []));
  const [coin] = coins;
  return {
    place: placeOf(first),
    time: first.time,
    fee: parts.reduce((sum, { fee }) => sum + fee, 0n),
    rent: parts.reduce((sum, { rent }) => sum + rent, 0n),
    moves: joinMoves(parts, members),
    valued_by: coins.size === 1 ? (coin ?? null) : null,
    is_claim: parts.some(({ is_claim }) => is_claim),
    events: joinEvents(parts, members),
    pool_worth: new Map(parts.flatMap(({ pool_worth }) => [...pool_worth])),
    balances: [],
  };
};

/** The transactions of several wallets as those of one, in the order of the chain. Each list is in that order. */
export function* groupTransactions(
  lists: readonly Iterable<WalletTransaction>[],
  members: ReadonlySet<Hex>,
): Generator<WalletTransaction> {
  const open = lists.map((list) => list[Symbol.iterator]());
  const heads = open.map((list) => list.next());
  while (true) {
    const waiting = heads.flatMap((head) => (head.done === true ? [] : [placeOf(head.value)]));
    const [first, ...others] = waiting;
    if (first === undefined) return;
    const next = others.reduce((least, place) => (compare(place, least) < 0 ? place : least), first);
    const parts: WalletTransaction[] = [];
    for (const [i, list] of open.entries()) {
      for (let head = heads[i]; head !== undefined && head.done !== true; head = heads[i]) {
        if (compare(placeOf(head.value), next) !== 0) break;
        parts.push(head.value);
        heads[i] = list.next();
      }
    }
    yield join(parts, members);
  }
}
