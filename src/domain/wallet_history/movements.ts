import type { Hex } from "../../lib/bytes.ts";
import { PIECE_ROWS, type Pieces } from "../../lib/turns.ts";
import type { TextColumn } from "../../store/columns.ts";
import type { Columns } from "../../store/facts.ts";

/** What moves value, as the ledger calls it. */
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
export type Kind = (typeof KINDS)[number];

const FEE = KINDS.indexOf("fee");

/** Marks by the code of a kind, which is its place in `KINDS`. */
const marksOf = (...kinds: readonly Kind[]): Uint8Array =>
  Uint8Array.from(KINDS, (kind) => Number(kinds.includes(kind)));

/** What a transaction costs, and what an account needs to be there: nobody's gain. */
export const IS_COST = marksOf("fee", "tip", "rent");
/** Paid by who sends a transaction, collected by who makes the block. */
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

  /** The code of a text that is in; -1 of any other. */
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

const LIMBS = 2;

/** Amounts in base units: almost all of them fit into 128 bits. */
class Amounts {
  readonly #limbs: BigUint64Array;
  /** The same memory; 32 bits at a time make no object. */
  readonly #words: Uint32Array;
  readonly #wide: Map<number, bigint>;

  constructor(length: number) {
    this.#limbs = new BigUint64Array(length * LIMBS);
    this.#words = new Uint32Array(this.#limbs.buffer);
    this.#wide = new Map();
  }

  at(row: number): bigint {
    const low = this.#limbs[row * LIMBS] ?? 0n;
    const high = this.#limbs[row * LIMBS + 1] ?? 0n;
    const narrow = high === 0n ? low : (high << 64n) | low;
    return this.#wide.size === 0 ? narrow : (this.#wide.get(row) ?? narrow);
  }

  /** The nearest double: the sum of two halves of 64 bits is rounded once, like the number itself. */
  numberAt(row: number): number {
    const [word, words] = [row * 2 * LIMBS, this.#words];
    if (this.#wide.size > 0 || words[word + 2] !== 0 || words[word + 3] !== 0) return Number(this.at(row));
    return (words[word + 1] ?? 0) * 2 ** 32 + (words[word] ?? 0);
  }

  put(row: number, amount: bigint): void {
    // A limb takes what of the number fits.
    this.#limbs[row * LIMBS] = amount;
    this.#limbs[row * LIMBS + 1] = amount >> 64n;
    if (amount >> 128n !== 0n) this.#wide.set(row, amount);
  }

  /** The first rows of others. */
  copy(others: Amounts, length: number): void {
    this.#limbs.set(others.#limbs.subarray(0, length * LIMBS));
    for (const [row, amount] of others.#wide) if (row < length) this.#wide.set(row, amount);
  }
}

/** Rows of an answer: [from, to). */
interface Taken {
  readonly from: number;
  readonly to: number;
}

/** One answer of the store: rows newest first. */
export type MovementColumns = Columns<"wallet_history/movements">;

/**
 * The ledger of one wallet, oldest first, as columns: 100,000 rows are not 100,000 objects. It never changes. Tokens, peers
 * and ids of items stand as codes of their dictionaries, kinds as places in `KINDS`.
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
  readonly #amounts: Amounts;
  readonly #texts: Dictionaries;

  private constructor(length: number, texts: Dictionaries) {
    this.length = length;
    this.block_number = new Float64Array(length);
    this.tx_index = new Uint32Array(length);
    this.position = new Uint32Array(length);
    this.time = new Uint32Array(length);
    this.direction = new Int8Array(length);
    this.kind = new Uint8Array(length);
    this.is_own = new Uint8Array(length);
    this.token = new Uint32Array(length);
    this.peer = new Uint32Array(length);
    this.token_id = new Uint32Array(length);
    this.#amounts = new Amounts(length);
    this.#texts = texts;
  }

  static empty(): Movements {
    return new Movements(0, { tokens: new Dictionary(), peers: new Dictionary(), ids: new Dictionary() });
  }

  /** The first `length` rows, and behind them these rows of an answer, turned round. */
  *with(length: number, newer: MovementColumns, rows: Taken): Pieces<Movements> {
    const count = rows.to - rows.from;
    if (count === 0 && length === this.length) return this;
    const made = new Movements(length + count, this.#texts);
    made.#copy(this, length);
    yield* made.#append(length, newer, rows);
    return made;
  }

  amountAt(row: number): bigint {
    return this.#amounts.at(row);
  }

  /** The amount as near as a double tells it. */
  amountNumberAt(row: number): number {
    return this.#amounts.numberAt(row);
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

  /** How many votes of a validator a row is the fees of, of which no transactions are stored; 0 for any other row. */
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

  #copy(older: Movements, length: number): void {
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
    this.#amounts.copy(older.#amounts, length);
  }

  *#append(at: number, newer: MovementColumns, rows: Taken): Pieces<void> {
    const { tokens, peers, ids } = this.#texts;
    const [token, peer, id] = [codesIn(tokens, newer.token), codesIn(peers, newer.peer), codesIn(ids, newer.token_id)];
    const kinds = newer.kind.texts.map(kindCode);
    for (let row = at, from = rows.to - 1; from >= rows.from; row += 1, from -= 1) {
      if (row % PIECE_ROWS === 0) yield;
      this.block_number[row] = newer.block_number[from] ?? 0;
      this.tx_index[row] = newer.tx_index[from] ?? 0;
      this.position[row] = newer.position[from] ?? 0;
      this.time[row] = newer.time[from] ?? 0;
      this.direction[row] = newer.direction[from] ?? 0;
      this.kind[row] = kinds[newer.kind.codes[from] ?? 0] ?? 0;
      this.is_own[row] = newer.is_own[from] ?? 0;
      this.token[row] = token(from);
      this.peer[row] = peer(from);
      this.token_id[row] = id(from);
      this.#amounts.put(row, newer.amount.at(from));
    }
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

/** Codes of our dictionary by the rows of an answer; a text of no row that is taken is not learned. */
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
export interface Rows {
  readonly first: number;
  readonly end: number;
}

/** True where a row belongs to another transaction than the one before it. */
export const isNewTransaction = ({ block_number, tx_index }: Movements, row: number): boolean =>
  row === 0 || block_number[row] !== block_number[row - 1] || tx_index[row] !== tx_index[row - 1];
