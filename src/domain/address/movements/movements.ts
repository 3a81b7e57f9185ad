import type { Hex } from "../../../lib/bytes.ts";
import type { Pieces } from "../../../lib/turns.ts";
import type { TextColumn } from "../../../store/columns.ts";
import { type AnswerRows, type CodedMovements, MovementBuffer, type MovementColumns } from "./movement_buffer.ts";

/** Kinds of movements in the ledger. */
export const KINDS = [
  "native",
  "internal",
  "erc20",
  "erc721",
  "erc1155",
  "wrap",
  "fee",
  "tip",
  "reward",
  "withdrawal",
  "spl",
  "trc20",
  "trc10",
  "rent",
] as const;
export type MovementKind = (typeof KINDS)[number];

const FEE = KINDS.indexOf("fee");

/** Flags by the code of a kind, which is its index in `KINDS`. */
const marksOf = (...kinds: readonly MovementKind[]): Uint8Array =>
  Uint8Array.from(KINDS, (kind) => Number(kinds.includes(kind)));

/** Costs of a transaction and deposits of an account: income of no address. */
export const IS_COST = marksOf("fee", "tip", "rent");
/** Paid by the sender of a transaction, collected by the block's producer. */
export const IS_FEE = marksOf("fee", "tip");
export const IS_COLLECTIBLE = marksOf("erc721", "erc1155");
export const IS_FUNGIBLE = marksOf("erc20", "spl", "trc20", "trc10");
/** Coins that a block issues. */
export const IS_REWARD = marksOf("reward", "withdrawal");
export const IS_WRAP = marksOf("wrap");

/** `tx_index` of what happens without a transaction. */
export const NO_TRANSACTION = 4_294_967_295;

/** Distinct texts by code. It only grows, so that tables with older and newer rows share it. */
export class Dictionary<T extends string = Hex> {
  readonly texts: (T | "")[] = [];
  readonly #codes = new Map<T | "", number>();

  codeOf(text: T | ""): number {
    const known = this.#codes.get(text);
    if (known !== undefined) return known;
    this.#codes.set(text, this.texts.length);
    return this.texts.push(text) - 1;
  }

  /** The code of a known text; -1 for any other. */
  find(text: T | ""): number {
    return this.#codes.get(text) ?? -1;
  }

  textOf(code: number | undefined): T | "" {
    return this.texts[code ?? -1] ?? "";
  }
}

interface Dictionaries {
  readonly tokens: Dictionary;
  readonly peers: Dictionary;
  readonly ids: Dictionary<string>;
}

/**
 * The ledger of one wallet, oldest first, as columns: 100,000 rows are not 100,000 objects. Immutable. Tokens, peers
 * and NFT ids are codes of their dictionaries, kinds are indexes in `KINDS`.
 */
export class Movements {
  readonly length: number;
  readonly block_number: Float64Array;
  readonly tx_index: Uint32Array;
  readonly position: Uint32Array;
  /** Unix seconds. */
  readonly time: Uint32Array;
  /** 1 in, -1 out. */
  readonly direction: Int8Array;
  readonly kind: Uint8Array;
  /** The wallet signed the transaction. */
  readonly is_own: Uint8Array;
  /** '' is the native coin. */
  readonly token: Uint32Array;
  /** '' is the void. */
  readonly peer: Uint32Array;
  readonly token_id: Uint32Array;
  readonly #room: MovementBuffer;
  readonly #texts: Dictionaries;

  private constructor(length: number, room: MovementBuffer, texts: Dictionaries) {
    this.length = length;
    this.block_number = room.block_number.subarray(0, length);
    this.tx_index = room.tx_index.subarray(0, length);
    this.position = room.position.subarray(0, length);
    this.time = room.time.subarray(0, length);
    this.direction = room.direction.subarray(0, length);
    this.kind = room.kind.subarray(0, length);
    this.is_own = room.is_own.subarray(0, length);
    this.token = room.token.subarray(0, length);
    this.peer = room.peer.subarray(0, length);
    this.token_id = room.token_id.subarray(0, length);
    this.#room = room;
    this.#texts = texts;
  }

  static empty(): Movements {
    return new Movements(0, MovementBuffer.empty(), {
      tokens: new Dictionary(),
      peers: new Dictionary(),
      ids: new Dictionary(),
    });
  }

  /** The first `length` rows, followed by these rows of an answer in reverse order. */
  *with(length: number, newer: MovementColumns, rows: AnswerRows): Pieces<Movements> {
    const count = rows.to - rows.from;
    if (count === 0 && length === this.length) return this;
    const room = yield* this.#room.with(length, this.#coded(newer), rows);
    return new Movements(length + count, room, this.#texts);
  }

  amountAt(row: number): bigint {
    return this.#room.amounts.at(row);
  }

  /** The amount rounded to the nearest double. */
  amountNumberAt(row: number): number {
    return this.#room.amounts.numberAt(row);
  }

  tokenAt(row: number): Hex {
    return this.#texts.tokens.textOf(this.token[row]);
  }

  peerAt(row: number): Hex {
    return this.#texts.peers.textOf(this.peer[row]);
  }

  tokenIdAt(row: number): bigint {
    return BigInt(this.#texts.ids.textOf(this.token_id[row]));
  }

  /** Number of validator votes whose fees a row contains, without stored transactions; 0 for other rows. */
  votesAt(row: number): number {
    return this.kind[row] === FEE ? Number(this.#texts.ids.textOf(this.token_id[row])) : 0;
  }

  get tokens(): Dictionary {
    return this.#texts.tokens;
  }

  get peers(): Dictionary {
    return this.#texts.peers;
  }

  /** Rough size in memory. */
  get bytes(): number {
    const texts = this.#texts.tokens.texts.length + this.#texts.peers.texts.length + this.#texts.ids.texts.length;
    return this.length * ROW_BYTES + texts * TEXT_BYTES;
  }

  #coded(newer: MovementColumns): CodedMovements {
    const { tokens, peers, ids } = this.#texts;
    const kinds = newer.kind.texts.map(kindCode);
    return {
      newer,
      kind: (row) => kinds[newer.kind.codes[row] ?? 0] ?? 0,
      token: codesIn(tokens, newer.token),
      peer: codesIn(peers, newer.peer),
      token_id: codesIn(ids, newer.token_id),
    };
  }
}

const ROW_BYTES = 52;
const TEXT_BYTES = 160;

const KIND_CODES: ReadonlyMap<string, number> = new Map(KINDS.map((kind, code) => [kind, code]));

const kindCode = (text: string): number => {
  // The engine's dictionaries have the empty text as well, of no row.
  const code = text === "" ? 0 : KIND_CODES.get(text);
  if (code === undefined) throw new RangeError(`${text} is no kind of movement`);
  return code;
};

/** Codes of our dictionary by the rows of an answer; texts of rows that are not taken are not added. */
const codesIn = <T extends string>(
  dictionary: Dictionary<T>,
  { texts, codes }: TextColumn<T>,
): ((row: number) => number) => {
  const known = new Int32Array(texts.length).fill(-1);
  return (row) => {
    const code = codes[row] ?? 0;
    const learned = known[code] ?? -1;
    if (learned >= 0) return learned;
    const own = dictionary.codeOf(texts[code] ?? "");
    known[code] = own;
    return own;
  };
};

/** The first row whose value is at least `wanted`, of values that never fall. */
export const firstAtLeast = (values: ArrayLike<number>, wanted: number): number => {
  let [low, high] = [0, values.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((values[middle] ?? 0) < wanted) low = middle + 1;
    else high = middle;
  }
  return low;
};

/** Rows [first, end). */
export interface MovementRange {
  readonly first: number;
  readonly end: number;
}

/** True when a row belongs to another transaction than the previous one. */
export const isNewTransaction = ({ block_number, tx_index }: Movements, row: number): boolean =>
  row === 0 || block_number[row] !== block_number[row - 1] || tx_index[row] !== tx_index[row - 1];
