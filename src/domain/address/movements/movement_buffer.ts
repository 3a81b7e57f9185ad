import { PIECE_ROWS, type Pieces } from "../../../lib/turns.ts";
import type { QueryColumns } from "../../../store/facts.ts";
import { Amounts } from "./amounts.ts";

/** One answer of the store: rows newest first. */
export type MovementColumns = QueryColumns<"movements/movements">;

/** Rows of an answer: [from, to). */
export interface AnswerRows {
  readonly from: number;
  readonly to: number;
}

/** An answer with its texts by row, as codes of the wallet's dictionaries. */
export interface CodedMovements {
  readonly newer: MovementColumns;
  readonly kind: (row: number) => number;
  readonly token: (row: number) => number;
  readonly peer: (row: number) => number;
  readonly token_id: (row: number) => number;
}

/** Spare rows after the existing ones, so that the rows of the next blocks need no copy. */
const spareOf = (rows: number): number => Math.max(64, rows >> 3);

/**
 * Columns of movements, oldest first, with spare memory. A row is written once and never changed: histories with the
 * same start share a room, each with its own length, and a history that does not continue the last row gets a new room.
 */
export class MovementBuffer {
  readonly block_number: Float64Array;
  readonly tx_index: Uint32Array;
  readonly position: Uint32Array;
  readonly time: Uint32Array;
  readonly direction: Int8Array;
  readonly kind: Uint8Array;
  readonly is_own: Uint8Array;
  readonly token: Uint32Array;
  readonly peer: Uint32Array;
  readonly token_id: Uint32Array;
  readonly amounts: Amounts;
  readonly #rows_max: number;
  /** Rows written or being written. */
  #claimed = 0;

  private constructor(rows_max: number) {
    this.#rows_max = rows_max;
    this.block_number = new Float64Array(rows_max);
    this.tx_index = new Uint32Array(rows_max);
    this.position = new Uint32Array(rows_max);
    this.time = new Uint32Array(rows_max);
    this.direction = new Int8Array(rows_max);
    this.kind = new Uint8Array(rows_max);
    this.is_own = new Uint8Array(rows_max);
    this.token = new Uint32Array(rows_max);
    this.peer = new Uint32Array(rows_max);
    this.token_id = new Uint32Array(rows_max);
    this.amounts = new Amounts(rows_max);
  }

  static empty(): MovementBuffer {
    return new MovementBuffer(0);
  }

  /**
   * Returns a room with the first `length` rows of this one, followed by these rows of an answer in reverse order: this
   * room when possible.
   */
  *with(length: number, coded: CodedMovements, rows: AnswerRows): Pieces<MovementBuffer> {
    const end = length + rows.to - rows.from;
    const known = yield* this.#sameFrom(length, coded, rows);
    if (length + known === end) return this;
    if (length + known === this.#claimed && end <= this.#rows_max) {
      this.#claimed = end;
      yield* this.#write(length + known, coded, { from: rows.from, to: rows.to - known });
      return this;
    }
    const made = new MovementBuffer(end + spareOf(end));
    made.#claimed = end;
    made.#copy(this, length);
    yield* made.#write(length, coded, rows);
    return made;
  }

  /** Number of these rows of an answer that already follow the first `length` rows. */
  *#sameFrom(length: number, coded: CodedMovements, rows: AnswerRows): Pieces<number> {
    const most = Math.min(this.#claimed - length, rows.to - rows.from);
    let same = 0;
    while (same < most && this.#is(length + same, coded, rows.to - 1 - same)) {
      same += 1;
      if (same % PIECE_ROWS === 0) yield;
    }
    return same;
  }

  /** Whether a row equals one of an answer. An unwritten row has no direction, so it is equal to none. */
  #is(row: number, { newer, kind, token, peer, token_id }: CodedMovements, from: number): boolean {
    return (
      this.direction[row] === newer.direction[from] &&
      this.block_number[row] === newer.block_number[from] &&
      this.tx_index[row] === newer.tx_index[from] &&
      this.position[row] === newer.position[from] &&
      this.time[row] === newer.time[from] &&
      this.kind[row] === kind(from) &&
      this.is_own[row] === newer.is_own[from] &&
      this.token[row] === token(from) &&
      this.peer[row] === peer(from) &&
      this.token_id[row] === token_id(from) &&
      this.amounts.at(row) === newer.amount.at(from)
    );
  }

  #copy(older: MovementBuffer, length: number): void {
    this.block_number.set(older.block_number.subarray(0, length));
    this.tx_index.set(older.tx_index.subarray(0, length));
    this.position.set(older.position.subarray(0, length));
    this.time.set(older.time.subarray(0, length));
    this.direction.set(older.direction.subarray(0, length));
    this.kind.set(older.kind.subarray(0, length));
    this.is_own.set(older.is_own.subarray(0, length));
    this.token.set(older.token.subarray(0, length));
    this.peer.set(older.peer.subarray(0, length));
    this.token_id.set(older.token_id.subarray(0, length));
    this.amounts.copy(older.amounts, length);
  }

  *#write(at: number, { newer, kind, token, peer, token_id }: CodedMovements, rows: AnswerRows): Pieces<void> {
    for (let row = at, from = rows.to - 1; from >= rows.from; row += 1, from -= 1) {
      if (row % PIECE_ROWS === 0) yield;
      this.block_number[row] = newer.block_number[from] ?? 0;
      this.tx_index[row] = newer.tx_index[from] ?? 0;
      this.position[row] = newer.position[from] ?? 0;
      this.time[row] = newer.time[from] ?? 0;
      this.kind[row] = kind(from);
      this.is_own[row] = newer.is_own[from] ?? 0;
      this.token[row] = token(from);
      this.peer[row] = peer(from);
      this.token_id[row] = token_id(from);
      this.amounts.put(row, newer.amount.at(from));
      // Written last: a row with a direction is complete.
      this.direction[row] = newer.direction[from] ?? 0;
    }
  }
}
