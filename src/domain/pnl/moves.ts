import type { Hex } from "../../lib/bytes.ts";
import { hourOf } from "../../lib/time.ts";
import type { Columns } from "../../store/facts.ts";
import type { Move } from "./legs.ts";

/** Where a transaction stands: `block:index`. */
export const placeKey = (row: { readonly block_number: number; readonly tx_index: number }): string =>
  `${row.block_number}:${row.tx_index}`;

/** Token contracts use the address of zeros for the void. */
const ZEROS: Hex = "0".repeat(40);

/** No address: a plain trade does not say whom it was made with. */
const NOBODY: Hex = "-";

/** Tokens that name themselves by their contract. */
export interface Naming {
  /** Wrapped native coin; it and the native coin are one bucket ''. Null where the network has none. */
  readonly wrapped: Hex | null;
  /** Dollar coins. */
  readonly anchors: ReadonlySet<Hex>;
}

type LedgerColumns = Columns<"pnl/ledger">;

/** Which of a list of codes were met. */
const codesMet = (texts: readonly Hex[], met: Uint8Array): Hex[] => texts.filter((_, code) => met[code] === 1);

/**
 * What moved of a wallet, transaction by transaction, oldest first, as columns: 100,000 of them are not 100,000 objects.
 *
 * Native and wrapped native coin are one bucket ''; a wrap moves between '' and the wrapped coin's contract, so that both
 * of its sides meet at one peer and cancel out. Peer '' is the void, and whoever pays a tip. A plain trade (one token in,
 * another out, nothing of it minted or burned) has no peers: its cost follows its value alone.
 */
export class Moves {
  readonly #rows: LedgerColumns;
  readonly #wrapped: Hex | null;
  /** First row of each transaction, and the end of the last one. */
  readonly #starts: Uint32Array;
  /** Transactions that are plain trades. */
  readonly #plain: Uint8Array;
  /** Buckets by token code; two tokens are one where their canonical codes are the same. */
  readonly #buckets: readonly Hex[];
  readonly #canonical: Uint32Array;
  readonly #is_wrapped: Uint8Array;
  readonly #is_anchor: Uint8Array;
  readonly #is_void: Uint8Array;
  /** Rows that are fee or rent: no part of a trade, a receipt or a payment. */
  readonly #is_cost: Uint8Array;

  constructor(rows: LedgerColumns, { wrapped, anchors }: Naming) {
    const { texts } = rows.token;
    this.#rows = rows;
    this.#wrapped = wrapped;
    this.#buckets = texts.map((token) => (token === wrapped ? "" : token));
    const codes = new Map([...this.#buckets.entries()].map(([code, bucket]) => [bucket, code]));
    this.#canonical = Uint32Array.from(this.#buckets, (bucket) => codes.get(bucket) ?? 0);
    this.#is_wrapped = Uint8Array.from(texts, (token) => Number(token === wrapped));
    this.#is_anchor = Uint8Array.from(this.#buckets, (bucket) => Number(anchors.has(bucket)));
    this.#is_void = Uint8Array.from(rows.peer.texts, (peer) => Number(peer === "" || peer === ZEROS));
    this.#is_cost = Uint8Array.from(rows.is_fee, (is_fee, row) => is_fee | (rows.is_rent[row] ?? 0));
    this.#starts = startsOf(rows);
    this.#plain = new Uint8Array(this.length);
    for (let i = 0; i < this.length; i += 1) this.#plain[i] = Number(this.#isPlain(i));
  }

  /** Transactions. */
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
    return placeKey({ block_number: this.blockOf(i), tx_index: this.indexOf(i) });
  }

  /** Base units of the native coin. */
  feeOf(i: number): bigint {
    let fee = 0n;
    for (let row = this.#first(i); row < this.#first(i + 1); row += 1) {
      if (this.#rows.is_fee[row] === 1) fee += this.#rows.amount.at(row);
    }
    return fee;
  }

  hasFee(i: number): boolean {
    for (let row = this.#first(i); row < this.#first(i + 1); row += 1) {
      if (this.#rows.is_fee[row] === 1) return true;
    }
    return false;
  }

  /** Base units of the native coin: positive = more was given back than put in. */
  rentOf(i: number): bigint {
    const { is_rent, direction, amount } = this.#rows;
    let rent = 0n;
    for (let row = this.#first(i); row < this.#first(i + 1); row += 1) {
      if (is_rent[row] === 1) rent += (direction[row] ?? 0) < 0 ? -amount.at(row) : amount.at(row);
    }
    return rent;
  }

  movesOf(i: number): Move[] {
    const { direction, amount } = this.#rows;
    const moves: Move[] = [];
    const is_plain = this.#plain[i] === 1;
    for (let row = this.#first(i); row < this.#first(i + 1); row += 1) {
      if (this.#is_cost[row] === 1) continue;
      const units = amount.at(row);
      moves.push({
        bucket: this.#bucketAt(row),
        peer: is_plain ? NOBODY : this.#peerAt(row),
        delta: (direction[row] ?? 0) < 0 ? -units : units,
      });
    }
    return moves;
  }

  /** True when the wallet only received in a transaction of its own: it may have claimed something. */
  mayClaim(): boolean {
    const { is_own, direction } = this.#rows;
    for (let i = 0; i < this.length; i += 1) {
      let [is_mine, gets, gives] = [false, false, false];
      for (let row = this.#first(i); row < this.#first(i + 1); row += 1) {
        is_mine ||= is_own[row] === 1;
        if (this.#is_cost[row] === 1) continue;
        if ((direction[row] ?? 0) < 0) gives = true;
        else gets = true;
      }
      if (is_mine && gets && !gives) return true;
    }
    return false;
  }

  /** Transactions that moved a bucket, beyond fees and rent. */
  movedIn(bucket: Hex): number[] {
    const moved: number[] = [];
    for (let i = 0; i < this.length; i += 1) {
      for (let row = this.#first(i); row < this.#first(i + 1); row += 1) {
        if (this.#is_cost[row] === 1 || this.#bucketAt(row) !== bucket) continue;
        moved.push(i);
        break;
      }
    }
    return moved;
  }

  /** The dollar coin that alone sets the value of a trade of two tokens; null when both sides have to be looked at. */
  valuedBy(i: number): Hex | null {
    const pair = this.#pairOf(i);
    if (pair === null) return null;
    const [a, b] = pair;
    const [ours, theirs] = [this.#is_anchor[this.#codeAt(a)], this.#is_anchor[this.#codeAt(b)]];
    if (ours === theirs) return null;
    return this.#bucketAt(ours === 1 ? a : b);
  }

  /**
   * Over the first `transactions` of them: buckets that moved; those that did in one of the wallet's own; those of which
   * something came in.
   */
  touched(transactions: number): { readonly all: Hex[]; readonly initiated: Hex[]; readonly received: Hex[] } {
    const { is_own, direction } = this.#rows;
    const [all, initiated, received] = [this.#marks(), this.#marks(), this.#marks()];
    // Whose transaction it is may stand in any of its rows.
    for (let i = 0; i < transactions; i += 1) {
      let is_mine = false;
      for (let row = this.#first(i); row < this.#first(i + 1); row += 1) is_mine ||= is_own[row] === 1;
      if (!is_mine) continue;
      for (let row = this.#first(i); row < this.#first(i + 1); row += 1) {
        if (this.#is_cost[row] !== 1) initiated[this.#codeAt(row)] = 1;
      }
    }
    for (let row = 0; row < this.#first(transactions); row += 1) {
      if (this.#is_cost[row] === 1) continue;
      all[this.#codeAt(row)] = 1;
      if ((direction[row] ?? 0) > 0) received[this.#codeAt(row)] = 1;
    }
    const of = (met: Uint8Array): Hex[] => [...new Set(codesMet(this.#buckets, met))];
    return { all: of(all), initiated: of(initiated), received: of(received) };
  }

  /** Over the first `transactions` of them: peers that are told apart, and those that received something. */
  peers(transactions: number): { readonly all: ReadonlySet<Hex>; readonly paid: ReadonlySet<Hex> } {
    const all = new Set<Hex>();
    const paid = new Set<Hex>();
    for (let i = 0; i < transactions; i += 1) {
      if (this.#plain[i] === 1) continue;
      for (let row = this.#first(i); row < this.#first(i + 1); row += 1) {
        const peer = this.#is_cost[row] === 1 ? "" : this.#peerAt(row);
        if (peer === "") continue;
        all.add(peer);
        if ((this.#rows.direction[row] ?? 0) < 0) paid.add(peer);
      }
    }
    return { all, paid };
  }

  /** Calls back with each bucket and the first second of each hour whose price is needed, most of them once. */
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
        if (this.#is_cost[row] === 1) {
          if (newest_fee !== hour) want("", hour);
          newest_fee = hour;
        } else if (valued_by === null || valued_by === this.#bucketAt(row)) note(row, hour);
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
    return this.#canonical[this.#rows.token.codes[row] ?? 0] ?? 0;
  }

  #bucketAt(row: number): Hex {
    return this.#buckets[this.#rows.token.codes[row] ?? 0] ?? "";
  }

  #peerAt(row: number): Hex {
    const { peer, token, is_issued } = this.#rows;
    const code = peer.codes[row] ?? 0;
    const is_void = this.#is_void[code] === 1;
    if (is_void && this.#is_wrapped[token.codes[row] ?? 0] === 1) return this.#wrapped ?? "";
    return is_void || is_issued[row] === 1 ? "" : (peer.texts[code] ?? "");
  }

  /** The two rows of a transaction that moves two things in opposite directions, without its fee and rent; null for any other. */
  #pairOf(i: number): readonly [number, number] | null {
    const { direction } = this.#rows;
    let [a, b] = [-1, -1];
    for (let row = this.#first(i); row < this.#first(i + 1); row += 1) {
      if (this.#is_cost[row] === 1) continue;
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

  /** Minted for the wallet or burned from it, or handed to the token's own contract. */
  #isIssuedAt(row: number): boolean {
    const peer = this.#peerAt(row);
    return peer === "" || peer === this.#bucketAt(row);
  }
}

const startsOf = ({ block_number, tx_index, length }: LedgerColumns): Uint32Array => {
  const starts = new Uint32Array(length + 1);
  let count = 0;
  for (let row = 0; row < length; row += 1) {
    if (row > 0 && block_number[row] === block_number[row - 1] && tx_index[row] === tx_index[row - 1]) continue;
    starts[count] = row;
    count += 1;
  }
  starts[count] = length;
  return starts.slice(0, count + 1);
};
