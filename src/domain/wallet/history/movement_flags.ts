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
  facesOf,
  type Imitation,
  likenessOf,
  lureOf,
  POISON_WINDOW_S,
  poisonConfidence,
  REAL_PEER_USD,
} from "../../poisoning.ts";
import { movementReasons, type SpamReason } from "../../token/metadata/spam.ts";
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
/** Bits of a look-alike peer and of a copied token. */
export const LOOKALIKE_BIT = 2;
const COPY_BIT = 16;

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
  /** A peer as it is written and compared. */
  readonly writtenAs: (peer: Hex) => string;
  /** Number of addresses that a token reached in the transaction of a row when it exceeds a hundred; else 0. */
  readonly receiversOf: (row: number) => number;
}

/** Value in nanodollars that makes a peer real. */
const REAL_NANO = REAL_PEER_USD * 1e9;

const isMovement = ({ kind, peer }: Movements, row: number, self: number): boolean =>
  IS_COST[kind[row] ?? 0] === 0 && peer[row] !== self;

/** Peers with a face that another peer has too, by code. */
function* doubles(
  movements: Movements,
  { first, end }: MovementRange,
  { writtenAs }: Pick<FlagFacts, "writtenAs">,
): Pieces<ReadonlyMap<number, SharedFace>> {
  const codes = new Map<string, number>();
  const shared = new Map<number, SharedFace>();
  const seen = new Uint8Array(movements.peers.texts.length);
  const share = (code: number, face: string): void => {
    const known = shared.get(code);
    if (known !== undefined) known.faces.add(face);
    else shared.set(code, { text: writtenAs(movements.peers.textOf(code)), faces: new Set([face]) });
  };
  for (let row = first; row < end; row += 1) {
    if (row % PIECE_ROWS === 0) yield;
    const code = movements.peer[row] ?? 0;
    if (seen[code] === 1 || IS_COST[movements.kind[row] ?? 0] === 1) continue;
    seen[code] = 1;
    const peer = movements.peers.textOf(code);
    if (peer === "") continue;
    for (const face of facesOf(writtenAs(peer))) {
      const other = codes.get(face);
      if (other === undefined) codes.set(face, code);
      else {
        share(other, face);
        share(code, face);
      }
    }
  }
  return shared;
}

interface SharedFace {
  readonly text: string;
  readonly faces: Set<string>;
}

/** Rows of one time but another position: a sighting at the same position is no earlier one. */
const isLater = ({ block_number, tx_index, position }: Movements, row: number, before: number): boolean =>
  block_number[row] !== block_number[before] ||
  tx_index[row] !== tx_index[before] ||
  position[row] !== position[before];

/** Real sightings of one peer: the newest row, and the one before it. */
type Sightings = readonly [newest: number, earlier: number];

/** Real sightings by face and peer. */
class RealPeers {
  readonly #movements: Movements;
  readonly #by_face = new Map<string, Map<number, Sightings>>();
  readonly #codes = new Set<number>();

  constructor(movements: Movements) {
    this.#movements = movements;
  }

  has(code: number): boolean {
    return this.#codes.has(code);
  }

  /** Other peers with one of these faces that were real before this row, within the window. */
  before(row: number, code: number, faces: ReadonlySet<string>): readonly number[] {
    const { time } = this.#movements;
    const from = (time[row] ?? 0) - POISON_WINDOW_S;
    const isBefore = (at: number): boolean => at >= 0 && isLater(this.#movements, row, at) && (time[at] ?? 0) >= from;
    return [...faces].flatMap((face) =>
      [...(this.#by_face.get(face) ?? [])].flatMap(([other, [newest, earlier]]) =>
        other !== code && (isBefore(newest) || isBefore(earlier)) ? [other] : [],
      ),
    );
  }

  see(row: number, code: number, faces: ReadonlySet<string>): void {
    this.#codes.add(code);
    for (const face of faces) {
      const sighted = this.#by_face.get(face) ?? new Map<number, Sightings>();
      this.#by_face.set(face, sighted);
      const [last = -1, before = -1] = sighted.get(code) ?? [];
      sighted.set(code, [row, last >= 0 && isLater(this.#movements, row, last) ? last : before]);
    }
  }
}

/** Rows by which a look-alike of a real counterparty writes itself into the history, each with what it imitates. */
function* lookalikes(
  movements: Movements,
  rows: MovementRange,
  facts: FlagFacts & { readonly values: MovementValues; readonly words: TokenWordBits },
): Pieces<ReadonlyMap<number, Imitation>> {
  const found = new Map<number, Imitation>();
  const shared = yield* doubles(movements, rows, facts);
  if (shared.size === 0) return found;
  const { peer, is_own } = movements;
  const { nano_usd, is_traded } = facts.values;
  const poisoners = new Set<number>();
  const real = new RealPeers(movements);
  for (let row = rows.first; row < rows.end; row += 1) {
    if (row % PIECE_ROWS === 0) yield;
    const code = peer[row] ?? 0;
    const face = shared.get(code);
    if (face === undefined || IS_COST[movements.kind[row] ?? 0] === 1) continue;
    const [amount, nano] = [movements.amountAt(row), nano_usd[row] ?? Number.NaN];
    const is_token = movements.tokenAt(row) !== "";
    const lure = lureOf({
      ...{ is_incoming: movements.direction[row] === 1, is_sent_by_wallet: is_own[row] === 1, is_token, amount },
      value_usd: Number.isNaN(nano) ? null : nano / 1e9,
      is_copy: is_token && (facts.words(row, is_traded[row] === 1) & COPY_BIT) !== 0,
    });
    // A counterparty of its own right may look like another.
    const others = lure === null || real.has(code) ? [] : real.before(row, code, face.faces);
    const best = others
      .map((other) => [other, likenessOf(face.text, shared.get(other)?.text ?? "")] as const)
      .sort(([a, more], [b, less]) => less - more || a - b)[0];
    if (lure !== null && best !== undefined) {
      const [other, likeness] = best;
      found.set(row, { imitates: movements.peers.textOf(other), confidence: poisonConfidence(lure, likeness) });
      poisoners.add(code);
    }
    // A poisoner does not become real by paying, nor by being paid in error.
    const is_real = (is_own[row] === 1 || nano >= REAL_NANO) && amount > 0n && !poisoners.has(code);
    if (is_real) real.see(row, code, face.faces);
  }
  return found;
}

type TokenWordBits = (row: number, is_traded: boolean) => number;

/** Flags from names, computed once per token. */
const wordBits = (movements: Movements, { wordsOf }: FlagFacts): TokenWordBits => {
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

/** Spam flags of rows, and the surest imitation of each poisoner. */
export interface MovementFlags {
  readonly bits: Uint16Array;
  readonly imitations: ReadonlyMap<Hex, Imitation>;
}

const byPeer = (movements: Movements, rows: ReadonlyMap<number, Imitation>): ReadonlyMap<Hex, Imitation> => {
  const surest = new Map<Hex, Imitation>();
  for (const [row, found] of rows) {
    const peer = movements.peerAt(row);
    const known = surest.get(peer);
    if (known === undefined || found.confidence > known.confidence) surest.set(peer, found);
  }
  return surest;
};

/**
 * Yields the spam flags of each row as bits (`spamReasonsOf`), 0 for rows outside `rows`, and for fees, tips and rent;
 * and the look-alikes among the peers. Rows up to `POISON_WINDOW_S` before the period establish which peers are real.
 */
export function* flagMovements(
  movements: Movements,
  rows: MovementRange,
  facts: FlagFacts & { readonly values: MovementValues },
): Pieces<MovementFlags> {
  const bits = new Uint16Array(movements.length);
  const self = movements.peers.find(facts.wallet);
  const words = wordBits(movements, facts);
  const similar = yield* lookalikes(movements, rows, { ...facts, words });
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
  return { bits, imitations: byPeer(movements, similar) };
}
