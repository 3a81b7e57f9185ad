import type { EventLog, Network, Transaction } from "../chains/chain.ts";
import type { FreezeEvent, Position } from "../knowledge/issuer.ts";
import { familiesOf, issuerCoins, topicOf } from "../labels/issuers/index.ts";
import { type Bytes, EMPTY, type Hex, toHex } from "../lib/bytes.ts";
import { addressAt, uintAt, WORD_BYTES } from "../lib/words.ts";
import { type BlockScope, transactionColumns } from "./decode_scope.ts";

/** Freeze events of the issuers that the decoder follows. */
export interface FreezeList {
  /** First four bytes of the topics, to skip the many other logs without formatting their topics. */
  readonly prefixes: ReadonlySet<number>;
  /**
   * Tokens whose freezes are kept if the chain itself states them: any account can make a token and freeze its holders.
   */
  readonly tokens: ReadonlySet<Hex>;
  /** Contract, then first topic; a coin of several families can have several layouts of one topic. */
  readonly events: ReadonlyMap<Hex, ReadonlyMap<Hex, readonly FreezeEvent[]>>;
}

const prefixOf = (topic: Bytes): number => new DataView(topic.buffer, topic.byteOffset, 4).getUint32(0);

const lists = new WeakMap<Network, FreezeList>();

/** The issuers' registry in the form that decoding needs; built once per network. */
export const freezeListOf = (network: Network): FreezeList => {
  const known = lists.get(network);
  if (known !== undefined) return known;
  const events = new Map<Hex, Map<Hex, FreezeEvent[]>>();
  for (const coin of issuerCoins(network)) {
    const byTopic = new Map<Hex, FreezeEvent[]>();
    for (const event of familiesOf(coin).flatMap((family) => family.events)) {
      byTopic.set(topicOf(event), [...(byTopic.get(topicOf(event)) ?? []), event]);
    }
    if (byTopic.size > 0) events.set(coin.address, byTopic);
  }
  const topics = [...events.values()].flatMap((byTopic) => [...byTopic.keys()]);
  const made = {
    prefixes: new Set(topics.map((topic) => Number.parseInt(topic.slice(0, 8), 16))),
    tokens: new Set(issuerCoins(network).map(({ address }) => address)),
    events,
  };
  lists.set(network, made);
  return made;
};

/** Rows of an issuer's event; none for any other log. Pure, and never throws on untrusted bytes. */
export const decodeFreeze = (scope: BlockScope, transaction: Transaction, log: EventLog): void => {
  const [topic] = log.topics;
  if (topic === undefined || topic.length < 4 || !scope.freezes.prefixes.has(prefixOf(topic))) return;
  const layouts = scope.freezes.events.get(toHex(log.address))?.get(toHex(topic));
  if (layouts === undefined) return;
  const at = { ...transactionColumns(scope, transaction), log_index: log.index, token: log.address, holding: EMPTY };
  for (const layout of layouts) {
    const said = readEvent(layout, log);
    if (said === null) continue;
    for (const account of said.accounts) {
      scope.rows.freeze_events.push({ ...at, account, effect: said.effect, amount: said.amount });
    }
    return;
  }
  scope.rows.freeze_events.push({ ...at, account: EMPTY, effect: "unreadable", amount: null });
};

/** The word at a position, as one-word data; null if the log has none there. */
const wordAt = ({ topics, data }: EventLog, position: Position): Bytes | null => {
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
const listAt = ({ topics, data }: EventLog): readonly Bytes[] | null => {
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
const fits = (event: FreezeEvent, { topics, data }: EventLog): boolean => {
  const words = wordsOf(event);
  return words === null || topics.length - 1 + data.length / WORD_BYTES === words;
};

const readEvent = (event: FreezeEvent, log: EventLog): FreezeStatement | null => {
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
