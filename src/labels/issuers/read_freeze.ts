/** The statement of an issuer's log. Pure, and never throws on untrusted bytes. */
import type { FreezeEvent, Position } from "../../knowledge/issuer.ts";
import type { Bytes } from "../../lib/bytes.ts";
import { addressAt, uintAt, WORD_BYTES } from "../../lib/words.ts";

interface IssuerLog {
  readonly topics: readonly Bytes[];
  readonly data: Bytes;
}

/** The word at a position, as one-word data; null if the log has none there. */
const wordAt = ({ topics, data }: IssuerLog, position: Position): Bytes | null => {
  const n = Number(position.at(-1));
  const word = position.startsWith("topic") ? topics[n] : data.subarray(n * WORD_BYTES, (n + 1) * WORD_BYTES);
  return word?.length === WORD_BYTES ? word : null;
};

const isZero = (bytes: Bytes): boolean => bytes.every((byte) => byte === 0);

/** An address is padded with zeros; anything else in the word is another layout. */
const accountAt = (word: Bytes | null): Bytes | null =>
  word === null || !isZero(word.subarray(0, 12)) ? null : addressAt(word, 0);

/** Longest list of one event; a block's gas allows no longer one. */
const ACCOUNTS_MAX = 100_000n;

/** `address[]` as the only value in the data (Solidity ABI specification, dynamic types). */
const listAt = ({ topics, data }: IssuerLog): readonly Bytes[] | null => {
  if (topics.length !== 1 || data.length < 2 * WORD_BYTES || uintAt(data, 0) !== BigInt(WORD_BYTES)) return null;
  const count = uintAt(data, 1);
  if (count > ACCOUNTS_MAX || data.length !== (Number(count) + 2) * WORD_BYTES) return null;
  const accounts: Bytes[] = [];
  for (let i = 2; i < Number(count) + 2; i += 1) {
    const account = accountAt(data.subarray(i * WORD_BYTES, (i + 1) * WORD_BYTES));
    if (account === null) return null;
    accounts.push(account);
  }
  return accounts;
};

interface FreezeStatement {
  readonly accounts: readonly Bytes[];
  readonly effect: FreezeEvent["effect"];
  readonly amount: bigint | null;
}

/** Words of the data that fixed-size arguments take, or null if some argument is of another kind. */
const wordsOf = ({ signature }: FreezeEvent): number | null => {
  const types = signature.slice(signature.indexOf("(") + 1, -1).split(",");
  return types.every((type) => /^(address|bool|uint256)$/.test(type)) ? types.length : null;
};

/**
 * The same topic can have its arguments in topics or in the data: arguments that do not fill the log exactly are
 * another layout.
 */
const fits = (event: FreezeEvent, { topics, data }: IssuerLog): boolean => {
  const words = wordsOf(event);
  return words === null || topics.length - 1 + data.length / WORD_BYTES === words;
};

const readEvent = (event: FreezeEvent, log: IssuerLog): FreezeStatement | null => {
  if (event.account_at === "data_array") {
    const accounts = listAt(log);
    return accounts === null ? null : { accounts, effect: event.effect, amount: null };
  }
  const account = accountAt(wordAt(log, event.account_at));
  if (account === null || !fits(event, log)) return null;
  const amount = event.amount_at === null ? null : wordAt(log, event.amount_at);
  const direction = event.direction_bool_at === null ? null : wordAt(log, event.direction_bool_at);
  if ((event.amount_at !== null && amount === null) || (event.direction_bool_at !== null && direction === null)) {
    return null;
  }
  const turned = direction !== null && isZero(direction);
  return {
    accounts: [account],
    effect: turned ? "unfreeze" : event.effect,
    amount: amount === null ? null : uintAt(amount, 0),
  };
};

/** By the first layout that fits; null if none does. */
export const readFreeze = (layouts: readonly FreezeEvent[], log: IssuerLog): FreezeStatement | null => {
  for (const layout of layouts) {
    const said = readEvent(layout, log);
    if (said !== null) return said;
  }
  return null;
};
