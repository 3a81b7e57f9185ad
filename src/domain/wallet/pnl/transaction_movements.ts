import { type Hex, hex } from "../../../lib/bytes.ts";
import { hourOf } from "../../../lib/time.ts";
import { IS_FEE, IS_REWARD, type MovementRange, type Movements } from "../../address/movements/movements.ts";
import type { BucketDelta } from "./legs.ts";
import { ROLE, rolesOf, startsOf } from "./row_roles.ts";

/** Key of a transaction: `block:index`. */
export const transactionKey = (row: { readonly block_number: number; readonly tx_index: number }): string =>
  `${row.block_number}:${row.tx_index}`;

/** Token contracts use the zero address for the void. */
const ZEROS = hex("0".repeat(40));

export const isVoid = (peer: Hex): boolean => peer === "" || peer === ZEROS;

/** A single byte is no address: a plain trade has no counterparty. */
export const NO_PEER = hex("00");

/** Tokens identified by their contract. */
export interface CanonicalTokens {
  /** Wrapped native coin; it and the native coin are one bucket ''. Null on a network without one. */
  readonly wrapped: Hex | null;
  /** Dollar coins. */
  readonly anchors: ReadonlySet<Hex>;
}

/** Texts of the codes that occurred. */
const codesMet = (texts: readonly Hex[], met: Uint8Array): Hex[] => texts.filter((_, code) => met[code] === 1);

/**
 * Movements of a wallet by transaction, oldest first: a view of the history's columns.
 *
 * Native and wrapped native coin are one bucket ''; a wrap moves between '' and the wrapped coin's contract, so that
 * both of its sides meet at one peer and cancel out. Peer '' is the void, and also the payer of a tip. A plain trade
 * (one token in, another out, nothing of it minted or burned) has no peers: its cost follows its value alone.
 */
export class TransactionMovements {
  readonly #rows: Movements;
  readonly #wrapped: Hex | null;
  readonly #wrapped_code: number;
  /** By row: a `ROLE`. */
  readonly #role: Uint8Array;
  /** First row of each transaction, and the end of the last one. */
  readonly #starts: Uint32Array;
  /** Transactions that are plain trades. */
  readonly #plain: Uint8Array;
  /** Buckets by token code; two tokens are one where their canonical codes are the same. */
  readonly #buckets: readonly Hex[];
  readonly #canonical: Uint32Array;
  readonly #is_anchor: Uint8Array;
  readonly #is_void: Uint8Array;

  constructor(movements: Movements, rows: MovementRange, { wrapped, anchors }: CanonicalTokens) {
    this.#rows = movements;
    this.#wrapped = wrapped;
    this.#wrapped_code = wrapped === null ? -1 : movements.tokens.find(wrapped);
    this.#buckets = movements.tokens.texts.map((token) => (token === wrapped ? "" : token));
    const codes = new Map([...this.#buckets.entries()].map(([code, bucket]) => [bucket, code]));
    this.#canonical = Uint32Array.from(this.#buckets, (bucket) => codes.get(bucket) ?? 0);
    this.#is_anchor = Uint8Array.from(this.#buckets, (bucket) => Number(anchors.has(bucket)));
    this.#is_void = Uint8Array.from(movements.peers.texts, (peer) => Number(isVoid(peer)));
    this.#role = rolesOf(movements, rows);
    this.#starts = startsOf(movements, this.#role, rows);
    this.#plain = new Uint8Array(this.length);
    for (let i = 0; i < this.length; i += 1) this.#plain[i] = Number(this.#isPlain(i));
  }

  /** Number of transactions. */
  get length(): number {
    return this.#starts.length - 1;
  }

  blockOf(i: number): number {
    return this.#rows.block_number[this.#first(i)] ?? 0;
  }

  indexOf(i: number): number {
    return this.#rows.tx_index[this.#first(i)] ?? 0;
  }

  timeOf(i: number): number {
    return this.#rows.time[this.#first(i)] ?? 0;
  }

  keyOf(i: number): string {
    return transactionKey({ block_number: this.blockOf(i), tx_index: this.indexOf(i) });
  }

  /** Base units of the native coin. */
  feeOf(i: number): bigint {
    let fee = 0n;
    for (let row = this.#first(i); row < this.#first(i + 1); row += 1) {
      if (this.#role[row] === ROLE.fee) fee += this.#rows.amountAt(row);
    }
    return fee;
  }

  /** Base units of the native coin: positive = more was refunded than paid in. */
  rentOf(i: number): bigint {
    let rent = 0n;
    for (let row = this.#first(i); row < this.#first(i + 1); row += 1) {
      if (this.#role[row] === ROLE.rent) rent += this.#deltaAt(row);
    }
    return rent;
  }

  movesOf(i: number): BucketDelta[] {
    const moves: BucketDelta[] = [];
    const is_plain = this.#plain[i] === 1;
    for (let row = this.#first(i); row < this.#first(i + 1); row += 1) {
      if (this.#role[row] !== ROLE.moves) continue;
      const peer = is_plain ? NO_PEER : this.#peerAt(row);
      moves.push({ bucket: this.#bucketAt(row), peer, delta: this.#deltaAt(row) });
    }
    return moves;
  }

  /** Buckets of a transaction that moved both in and out; null for any other. */
  exchanged(i: number): readonly Hex[] | null {
    if (this.#plain[i] === 1) return (this.#pairOf(i) ?? []).map((row) => this.#bucketAt(row));
    const buckets = new Set<Hex>();
    let [gets, gives] = [false, false];
    for (let row = this.#first(i); row < this.#first(i + 1); row += 1) {
      if (this.#role[row] !== ROLE.moves) continue;
      buckets.add(this.#bucketAt(row));
      if ((this.#rows.direction[row] ?? 0) < 0) gives = true;
      else gets = true;
    }
    return gets && gives && buckets.size > 1 ? [...buckets] : null;
  }

  /** Transactions that moved a bucket, beyond fees and rent. */
  movedIn(bucket: Hex): number[] {
    const moved: number[] = [];
    for (let i = 0; i < this.length; i += 1) {
      for (let row = this.#first(i); row < this.#first(i + 1); row += 1) {
        if (this.#role[row] !== ROLE.moves || this.#bucketAt(row) !== bucket) continue;
        moved.push(i);
        break;
      }
    }
    return moved;
  }

  /** The dollar coin that alone values a trade of two tokens; null when both sides must be valued. */
  valuedBy(i: number): Hex | null {
    const pair = this.#pairOf(i);
    if (pair === null) return null;
    const [a, b] = pair;
    const [ours, theirs] = [this.#is_anchor[this.#codeAt(a)], this.#is_anchor[this.#codeAt(b)]];
    if (ours === theirs) return null;
    return this.#bucketAt(ours === 1 ? a : b);
  }

  /** Buckets that moved in the first `transactions` transactions, and those that moved in the wallet's own. */
  touched(transactions: number): { readonly moved: Hex[]; readonly initiated: Hex[] } {
    const { is_own } = this.#rows;
    const [moved, initiated] = [this.#marks(), this.#marks()];
    // Any row of a transaction may identify its sender.
    for (let i = 0; i < transactions; i += 1) {
      let is_mine = false;
      for (let row = this.#first(i); row < this.#first(i + 1); row += 1) {
        if (this.#role[row] !== ROLE.none) is_mine ||= is_own[row] === 1;
      }
      for (let row = this.#first(i); row < this.#first(i + 1); row += 1) {
        if (this.#role[row] !== ROLE.moves) continue;
        const code = this.#codeAt(row);
        moved[code] = 1;
        if (is_mine) initiated[code] = 1;
      }
    }
    const of = (met: Uint8Array): Hex[] => [...new Set(codesMet(this.#buckets, met))];
    return { moved: of(moved), initiated: of(initiated) };
  }

  /** Peers of the first `transactions` transactions: those to classify, and those that received something. */
  peers(transactions: number): { readonly all: ReadonlySet<Hex>; readonly paid: ReadonlySet<Hex> } {
    const all = new Set<Hex>();
    const paid = new Set<Hex>();
    for (let i = 0; i < transactions; i += 1) {
      if (this.#plain[i] === 1) continue;
      for (let row = this.#first(i); row < this.#first(i + 1); row += 1) {
        const peer = this.#role[row] === ROLE.moves ? this.#peerAt(row) : "";
        if (peer === "") continue;
        all.add(peer);
        if ((this.#rows.direction[row] ?? 0) < 0) paid.add(peer);
      }
    }
    return { all, paid };
  }

  /** Calls back with each bucket and the first second of each hour that needs a price, mostly once. */
  eachHour(want: (bucket: Hex, hour: number) => void): void {
    const newest = new Float64Array(this.#buckets.length).fill(-1);
    let newest_fee = -1;
    const note = (row: number, hour: number): void => {
      const code = this.#codeAt(row);
      if (newest[code] === hour) return;
      newest[code] = hour;
      want(this.#bucketAt(row), hour);
    };
    for (let i = 0; i < this.length; i += 1) {
      const hour = hourOf(this.timeOf(i));
      const valued_by = this.valuedBy(i);
      for (let row = this.#first(i); row < this.#first(i + 1); row += 1) {
        const role = this.#role[row];
        if (role === ROLE.fee || role === ROLE.rent) {
          if (newest_fee !== hour) want("", hour);
          newest_fee = hour;
        } else if (role === ROLE.moves && (valued_by === null || valued_by === this.#bucketAt(row))) note(row, hour);
      }
    }
  }

  #first(i: number): number {
    return this.#starts[i] ?? 0;
  }

  #marks(): Uint8Array {
    return new Uint8Array(this.#buckets.length);
  }

  #codeAt(row: number): number {
    return this.#canonical[this.#rows.token[row] ?? 0] ?? 0;
  }

  #bucketAt(row: number): Hex {
    return this.#buckets[this.#rows.token[row] ?? 0] ?? "";
  }

  #deltaAt(row: number): bigint {
    const amount = this.#rows.amountAt(row);
    return (this.#rows.direction[row] ?? 0) < 0 ? -amount : amount;
  }

  #peerAt(row: number): Hex {
    const { peer, kind, token } = this.#rows;
    const code = peer[row] ?? 0;
    const is_void = this.#is_void[code] === 1;
    if (is_void && token[row] === this.#wrapped_code) return this.#wrapped ?? "";
    const of = kind[row] ?? 0;
    // Issued without a sender, or paid to the block's producer.
    const is_issued = IS_REWARD[of] === 1 || IS_FEE[of] === 1;
    return is_void || is_issued ? "" : this.#rows.peers.textOf(code);
  }

  /**
   * The two rows of a transaction that moves two tokens in opposite directions, without its fee and rent; null for any
   * other.
   */
  #pairOf(i: number): readonly [number, number] | null {
    const { direction } = this.#rows;
    let [a, b] = [-1, -1];
    for (let row = this.#first(i); row < this.#first(i + 1); row += 1) {
      if (this.#role[row] !== ROLE.moves) continue;
      if (b !== -1) return null;
      if (a === -1) a = row;
      else b = row;
    }
    return b === -1 || direction[a] === direction[b] ? null : [a, b];
  }

  #isPlain(i: number): boolean {
    const pair = this.#pairOf(i);
    if (pair === null) return false;
    const [a, b] = pair;
    if (this.#codeAt(a) === this.#codeAt(b)) return false;
    return !this.#isIssuedAt(a) && !this.#isIssuedAt(b);
  }

  /** Minted for the wallet, burned from it, or sent to the token's own contract. */
  #isIssuedAt(row: number): boolean {
    const peer = this.#peerAt(row);
    return peer === "" || peer === this.#bucketAt(row);
  }
}
