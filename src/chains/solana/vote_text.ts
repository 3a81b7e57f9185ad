/**
 * Plain votes read from the bytes of an answer: two thirds of a block's transactions, of which nothing is kept but who paid how much.
 * What is a plain vote, and what must hold of a transaction, is what `votes.ts`, `transaction.ts` and `verify.ts` say: what is not
 * told as nodes tell votes is left to them (docs/decisions/0065).
 */
import type { Bytes } from "../../lib/bytes.ts";
import { ADDRESS_BYTES, SIGNATURE_BYTES } from "./address.ts";
import { CLOSE_FIELDS, CLOSE_LIST, COMMA, JsonWalk, OPEN_FIELDS, OPEN_LIST } from "./json_walk.ts";
import type { LaterJson } from "./long_answer.ts";
import { COMPUTE_BUDGET_KEY, VOTE_PROGRAM_KEY } from "./programs.ts";
import { isVotingNumber } from "./votes.ts";

export interface TextVote {
  readonly signature: Bytes;
  readonly voter: Bytes;
  readonly fee: bigint;
}

/** Far more than a transaction has (1,232). The last one that was read lies here. */
const WIRE_BYTES_MAX = 2_048;
const wire = Buffer.alloc(WIRE_BYTES_MAX);
/** Lengths of more take more than one byte. */
const COUNT_MAX = 127;
const [before, after] = [new Float64Array(COUNT_MAX), new Float64Array(COUNT_MAX)];

/** Null for what is no plain vote, or not plainly told. Its bytes are good until the next one is read. */
export const voteIn = ({ bytes, from, to }: LaterJson): TextVote | null => {
  const told = new ToldVote(new JsonWalk(bytes, { from, to }));
  if (!told.read() || !isVoteOf(told.accounts, told.wire) || !paysFee(told.accounts, told.fee)) return null;
  const voter = wire.subarray(KEYS_AT, KEYS_AT + ADDRESS_BYTES);
  return { signature: wire.subarray(1, MESSAGE_AT), voter, fee: BigInt(told.fee) };
};

const named = (name: string): Uint8Array => Buffer.from(name);
const NAMES = {
  transaction: named("transaction"),
  meta: named("meta"),
  base64: named("base64"),
  err: named("err"),
  fee: named("fee"),
  pre_balances: named("preBalances"),
  post_balances: named("postBalances"),
  inner: named("innerInstructions"),
  pre_tokens: named("preTokenBalances"),
  post_tokens: named("postTokenBalances"),
  units: named("computeUnitsConsumed"),
  loaded: named("loadedAddresses"),
  writable: named("writable"),
  readonly: named("readonly"),
} as const;

/** Without one of them it is no vote; what else is told must fit, and need not be there. */
const NEEDED = [NAMES.transaction, NAMES.fee, NAMES.pre_balances, NAMES.post_balances, NAMES.inner];

/** What a transaction tells, as far as it is what stands beside a plain vote. */
class ToldVote {
  /** Bytes of the transaction itself. */
  wire = 0;
  fee = 0;
  accounts = 0;
  readonly #walk: JsonWalk;
  /** Fields that were there: none may be there twice. */
  readonly #seen: Uint8Array[] = [];

  constructor(walk: JsonWalk) {
    this.#walk = walk;
  }

  /** False for anything else. */
  read(): boolean {
    const walk = this.#walk;
    if (!walk.take(OPEN_FIELDS)) return false;
    do if (!walk.name() || !this.#readField()) return false;
    while (walk.take(COMMA));
    const is_whole = walk.take(CLOSE_FIELDS) && walk.next() === 0 && walk.at === walk.end;
    return is_whole && NEEDED.every((name) => this.#has(name));
  }

  #has(name: Uint8Array): boolean {
    return this.#seen.includes(name);
  }

  #is(name: Uint8Array): boolean {
    return this.#walk.isText(name);
  }

  /** Remembers a field. False when it was there before. */
  #first(name: Uint8Array): boolean {
    if (this.#has(name)) return false;
    this.#seen.push(name);
    return true;
  }

  #readField(): boolean {
    if (this.#is(NAMES.transaction)) return this.#first(NAMES.transaction) && this.#readWire();
    if (this.#is(NAMES.meta)) return this.#first(NAMES.meta) && this.#readMeta();
    return this.#walk.skip();
  }

  /** `[transaction, "base64"]`. */
  #readWire(): boolean {
    const walk = this.#walk;
    if (!walk.take(OPEN_LIST) || !walk.anyText()) return false;
    this.wire = decode(walk.bytes.toString("latin1", walk.from, walk.to));
    return this.wire > 0 && walk.take(COMMA) && walk.text() && walk.isText(NAMES.base64) && walk.take(CLOSE_LIST);
  }

  #readMeta(): boolean {
    const walk = this.#walk;
    if (!walk.take(OPEN_FIELDS)) return false;
    do if (!walk.name() || !this.#readMetaField()) return false;
    while (walk.take(COMMA));
    return walk.take(CLOSE_FIELDS);
  }

  #readMetaField(): boolean {
    const walk = this.#walk;
    if (this.#is(NAMES.err)) return this.#first(NAMES.err) && walk.isNull();
    if (this.#is(NAMES.fee)) return this.#first(NAMES.fee) && this.#readFee();
    if (this.#is(NAMES.pre_balances)) return this.#first(NAMES.pre_balances) && this.#readBalances(before);
    if (this.#is(NAMES.post_balances)) return this.#first(NAMES.post_balances) && this.#readBalances(after);
    if (this.#is(NAMES.inner)) return this.#first(NAMES.inner) && walk.emptyList();
    if (this.#is(NAMES.pre_tokens)) return this.#first(NAMES.pre_tokens) && this.#isNone();
    if (this.#is(NAMES.post_tokens)) return this.#first(NAMES.post_tokens) && this.#isNone();
    if (this.#is(NAMES.units)) return this.#first(NAMES.units) && (walk.isNull() || walk.integer() >= 0);
    if (this.#is(NAMES.loaded)) return this.#first(NAMES.loaded) && (walk.isNull() || this.#loadsNone());
    return walk.skip();
  }

  #isNone(): boolean {
    return this.#walk.isNull() || this.#walk.emptyList();
  }

  #readFee(): boolean {
    this.fee = this.#walk.integer();
    return this.fee > 0;
  }

  /** As many before as after. */
  #readBalances(balances: Float64Array): boolean {
    const walk = this.#walk;
    if (!walk.take(OPEN_LIST)) return false;
    let count = 0;
    do {
      const balance = walk.integer();
      if (balance < 0 || count === balances.length) return false;
      balances[count] = balance;
      count += 1;
    } while (walk.take(COMMA));
    const is_first = this.accounts === 0;
    if (is_first) this.accounts = count;
    return walk.take(CLOSE_LIST) && this.accounts === count;
  }

  /** No accounts of look-up tables. */
  #loadsNone(): boolean {
    const walk = this.#walk;
    if (!walk.take(OPEN_FIELDS)) return false;
    do {
      if (!walk.name()) return false;
      const name = this.#is(NAMES.writable) ? NAMES.writable : NAMES.readonly;
      if (!this.#is(name) || !this.#first(name) || !walk.emptyList()) return false;
    } while (walk.take(COMMA));
    return walk.take(CLOSE_FIELDS) && this.#has(NAMES.writable) && this.#has(NAMES.readonly);
  }
}

/** How many bytes; 0 where there are others than digits of base64, which the decoder passes over. */
const decode = (text: string): number => {
  if (text.length % 4 !== 0) return 0;
  const padding = text.endsWith("==") ? 2 : text.endsWith("=") ? 1 : 0;
  const length = (text.length / 4) * 3 - padding;
  return length <= WIRE_BYTES_MAX && wire.write(text, "base64") === length ? length : 0;
};

/** Nothing changed but the payer's coins, by the fee. */
const paysFee = (accounts: number, fee: number): boolean => {
  for (let at = 1; at < accounts; at += 1) if (before[at] !== after[at]) return false;
  return (before[0] ?? 0) - (after[0] ?? 0) === fee;
};

// One signature, then the message: header, keys, a block's hash, instructions (`message.ts`).
const MESSAGE_AT = 1 + SIGNATURE_BYTES;
const COUNT_AT = MESSAGE_AT + 3;
const KEYS_AT = COUNT_AT + 1;
const BLOCKHASH_BYTES = 32;

const isKey = (position: number, key: Bytes): boolean => {
  const from = KEYS_AT + position * ADDRESS_BYTES;
  for (let i = 0; i < ADDRESS_BYTES; i += 1) if (wire[from + i] !== key[i]) return false;
  return true;
};

/** A message of the first version that its payer alone signed, whose instructions vote or set the compute budget; whole. */
const isVoteOf = (accounts: number, length: number): boolean => {
  if (wire[0] !== 1 || wire[MESSAGE_AT] !== 1 || wire[COUNT_AT] !== accounts) return false;
  let at = KEYS_AT + accounts * ADDRESS_BYTES + BLOCKHASH_BYTES;
  // What lies behind the end is of an older one, and so large that it is nothing.
  const byte = (): number => {
    at += 1;
    return at > length ? COUNT_MAX + 1 : (wire[at - 1] ?? 0);
  };
  const count = byte();
  if (count > COUNT_MAX) return false;
  let votes = 0;
  for (let instruction = 0; instruction < count; instruction += 1) {
    const program = byte();
    const given = byte();
    if (program >= accounts || given > COUNT_MAX) return false;
    for (let i = 0; i < given; i += 1) if (byte() >= accounts) return false;
    const size = byte();
    if (size > COUNT_MAX || at + size > length) return false;
    if (isKey(program, VOTE_PROGRAM_KEY) && size >= 4 && isVotingNumber(wire.readUInt32LE(at))) votes += 1;
    else if (!isKey(program, COMPUTE_BUDGET_KEY)) return false;
    at += size;
  }
  return votes > 0 && at === length;
};
