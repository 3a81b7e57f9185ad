import type { Hex } from "../../../lib/bytes.ts";
import { PIECE_ROWS, type Pieces } from "../../../lib/turns.ts";
import {
  IS_COST,
  IS_FUNGIBLE,
  isNewTransaction,
  type MovementRange,
  type Movements,
} from "../../address/movements/movements.ts";
import {
  LOOKALIKE_WINDOW_S,
  lookalikeKey,
  movementReasons,
  REAL_PEER_USD,
  type SpamReason,
} from "../../token/metadata/spam.ts";
import { isPriced, type MovementValues } from "./movement_values.ts";

/** Flags as bits, for rows and for sums over rows. */
const REASON_BITS: readonly (readonly [number, SpamReason])[] = [
  [1, "zero_value_transfer"],
  [2, "lookalike_peer"],
  [4, "mass_airdrop"],
  [8, "unrequested_outflow"],
  [16, "symbol_copy"],
  [32, "url_in_name"],
  [64, "claim_wording"],
  [128, "instruction_text"],
  [256, "hidden_characters"],
];
/** Bit of a look-alike peer. */
export const LOOKALIKE_BIT = 2;

export const spamReasonsOf = (bits: number): SpamReason[] =>
  REASON_BITS.filter(([bit]) => (bits & bit) !== 0).map(([, reason]) => reason);

const bitsOf = (reasons: readonly SpamReason[]): number =>
  REASON_BITS.reduce((bits, [bit, reason]) => (reasons.includes(reason) ? bits | bit : bits), 0);

/** Facts that decide flags, beyond the movements and their values. */
export interface FlagFacts {
  readonly wallet: Hex;
  /** A contract signs nothing, so an unsigned outflow is no sign of theft. */
  readonly is_contract: boolean;
  /** Flags from a token's name and symbol, with and without a market of some depth. */
  readonly wordsOf: (token: Hex, is_traded: boolean) => readonly SpamReason[];
  /** Number of addresses that a token reached in the transaction of a row when it exceeds a hundred; else 0. */
  readonly receiversOf: (row: number) => number;
}

/** Value in nanodollars that makes a peer real. */
const REAL_NANO = REAL_PEER_USD * 1e9;

const isMovement = ({ kind, peer }: Movements, row: number, self: number): boolean =>
  IS_COST[kind[row] ?? 0] === 0 && peer[row] !== self;

/** Peers that share their visible digits with another peer, by code. */
function* doubles(movements: Movements, { first, end }: MovementRange): Pieces<ReadonlyMap<number, string>> {
  const codes = new Map<string, number>();
  const shared = new Map<number, string>();
  const seen = new Uint8Array(movements.peers.texts.length);
  for (let row = first; row < end; row += 1) {
    if (row % PIECE_ROWS === 0) yield;
    const code = movements.peer[row] ?? 0;
    if (seen[code] === 1 || IS_COST[movements.kind[row] ?? 0] === 1) continue;
    seen[code] = 1;
    const peer = movements.peers.textOf(code);
    if (peer === "") continue;
    const key = lookalikeKey(peer);
    const other = codes.get(key);
    if (other === undefined) codes.set(key, code);
    else shared.set(other, key).set(code, key);
  }
  return shared;
}

/** Rows of one time but another position: a sighting at the same position is no earlier one. */
const isLater = ({ block_number, tx_index, position }: Movements, row: number, before: number): boolean =>
  block_number[row] !== block_number[before] ||
  tx_index[row] !== tx_index[before] ||
  position[row] !== position[before];

/** Rows whose peer looks like a real peer of the 24 hours before. */
function* lookalikes(
  movements: Movements,
  rows: MovementRange,
  { nano_usd }: MovementValues,
): Pieces<ReadonlySet<number>> {
  const found = new Set<number>();
  const shared = yield* doubles(movements, rows);
  if (shared.size === 0) return found;
  const { peer, time, is_own } = movements;
  /** Real sightings by visible digits: the newest row of each peer, and the one before it. */
  const real = new Map<string, Map<number, readonly [newest: number, earlier: number]>>();
  for (let row = rows.first; row < rows.end; row += 1) {
    if (row % PIECE_ROWS === 0) yield;
    const code = peer[row] ?? 0;
    const key = shared.get(code);
    if (key === undefined || IS_COST[movements.kind[row] ?? 0] === 1) continue;
    const sighted = real.get(key) ?? new Map<number, readonly [number, number]>();
    real.set(key, sighted);
    const from = (time[row] ?? 0) - LOOKALIKE_WINDOW_S;
    const isBefore = (at: number): boolean => at >= 0 && isLater(movements, row, at) && (time[at] ?? 0) >= from;
    for (const [other, [newest, earlier]] of sighted) {
      if (other !== code && (isBefore(newest) || isBefore(earlier))) found.add(row);
    }
    // A peer flagged as an imitation does not become real by paying.
    const is_real = is_own[row] === 1 || ((nano_usd[row] ?? Number.NaN) >= REAL_NANO && !found.has(row));
    if (!is_real || movements.amountAt(row) === 0n) continue;
    const [last = -1, before = -1] = sighted.get(code) ?? [];
    sighted.set(code, [row, last >= 0 && isLater(movements, row, last) ? last : before]);
  }
  return found;
}

/** Flags from names, computed once per token. */
const wordBits = (movements: Movements, { wordsOf }: FlagFacts) => {
  const known: [number[], number[]] = [[], []];
  return (row: number, is_traded: boolean): number => {
    const code = movements.token[row] ?? 0;
    const bits = known[is_traded ? 1 : 0];
    const found = bits[code] ?? bitsOf(wordsOf(movements.tokens.textOf(code), is_traded));
    bits[code] = found;
    return found;
  };
};

/**
 * Reports whether a transaction of another sender was business of the wallet: the wallet received something unflagged
 * in it, or something of the wallet was burned (a debt repaid, a receipt redeemed).
 */
const isSettlement = (movements: Movements, { first, end }: MovementRange, bits: Uint16Array): boolean => {
  for (let row = first; row < end; row += 1) {
    if (IS_COST[movements.kind[row] ?? 0] === 1 || bits[row] !== 0 || movements.amountAt(row) === 0n) continue;
    if (movements.direction[row] === 1 || movements.peerAt(row) === "") return true;
  }
  return false;
};

/**
 * Yields the spam flags of each row as bits (`spamReasonsOf`): 0 for rows outside `rows`, and for fees, tips and rent.
 * Rows up to `LOOKALIKE_WINDOW_S` before the period establish which peers are real.
 */
export function* flagMovements(
  movements: Movements,
  rows: MovementRange,
  facts: FlagFacts & { readonly values: MovementValues },
): Pieces<Uint16Array> {
  const bits = new Uint16Array(movements.length);
  const self = movements.peers.find(facts.wallet);
  const similar = yield* lookalikes(movements, rows, facts.values);
  const words = wordBits(movements, facts);
  const judge = (row: number, is_settlement: boolean): number => {
    const is_priced = isPriced(facts.values, row);
    const is_own = movements.is_own[row] === 1;
    const incoming = movements.direction[row] === 1;
    const said = movements.tokenAt(row) === "" ? 0 : words(row, facts.values.is_traded[row] === 1);
    if (is_own) return said;
    const is_self = movements.peer[row] === self;
    const reasons = movementReasons({
      direction: is_self ? "self" : incoming ? "in" : "out",
      is_fungible_token: IS_FUNGIBLE[movements.kind[row] ?? 0] === 1,
      is_token: movements.tokenAt(row) !== "",
      amount: movements.amountAt(row),
      is_priced,
      is_sent_by_wallet: is_own,
      is_wallet_contract: facts.is_contract,
      receivers: incoming && !is_priced ? facts.receiversOf(row) : 0,
      is_lookalike: similar.has(row),
      is_settlement,
    });
    return said | bitsOf(reasons);
  };
  let judged = rows.first;
  for (let from = rows.first; from < rows.end; ) {
    if (from - judged >= PIECE_ROWS) {
      judged = from;
      yield;
    }
    let to = from + 1;
    while (to < rows.end && !isNewTransaction(movements, to)) to += 1;
    for (let row = from; row < to; row += 1) {
      if (isMovement(movements, row, -1)) bits[row] = judge(row, true);
    }
    const is_settled = movements.is_own[from] === 1 || isSettlement(movements, { first: from, end: to }, bits);
    for (let row = from; row < to && !is_settled; row += 1) {
      if (isMovement(movements, row, self) && movements.direction[row] === -1) bits[row] = judge(row, false);
    }
    from = to;
  }
  return bits;
}
