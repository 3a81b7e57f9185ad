import type { EventLog, Network, Transaction } from "../../../chains/chain.ts";
import { ADDRESSES, INTERFACES } from "../../../knowledge/names.gen.ts";
import { type Hex, toHex } from "../../../lib/bytes.ts";
import { addressAt, uintAt, WORD_BYTES } from "../../../lib/words.ts";
import { topicOf } from "../../../protocols/protocol.ts";
import type { Action } from "../actions/action.ts";
import type { TransactionMovement } from "../decoding/movements.ts";
import { type ActingAccount, accountIn } from "./accounts.ts";
import { type RequestedCall, requestedCallsIn } from "./calls.ts";
import type { NameOf } from "./names.ts";
import { netsOf, type PartyNet } from "./nets.ts";

/**
 * The judged part of a transaction. For other senders' transactions the index has no logs, and only the function of the
 * call.
 */
type HeadlineTransaction = Pick<Transaction, "input" | "logs" | "succeeded">;

/** One mined transaction with its context. */
export interface HeadlineCase {
  readonly transaction: HeadlineTransaction;
  readonly sender: Hex;
  /** Null for a creation. */
  readonly recipient: Hex | null;
  readonly movements: readonly TransactionMovement[];
  /** Coins that moved inside of calls are not known. */
  readonly is_untraced?: boolean;
  readonly actions: readonly Pick<Action, "type" | "protocol">[];
  readonly wrapped_native: Hex | null;
  readonly name: NameOf;
  /** One of the network's dollar coins. */
  readonly is_dollar: (token: Hex) => boolean;
  /** Decimals of a token, '' the native coin; null when it reports none. */
  readonly decimals: (token: Hex) => number | null;
  /** Value of base units of a token at the time; null without a price. */
  readonly usd: (token: Hex, amount: bigint) => number | null;
}

/** A case with derived facts, computed once. */
export interface HeadlineReading extends HeadlineCase {
  readonly nets: ReadonlyMap<Hex, PartyNet>;
  /** The smart account that acts, if any. */
  readonly account: ActingAccount | null;
  readonly asked: readonly RequestedCall[];
  /** Contracts that logged an event. */
  readonly emitters: ReadonlySet<Hex>;
  /** The contract of the network's coin, where it logs every transaction. */
  readonly bookkeeper: Hex | null;
  readonly tokens: ReadonlySet<Hex>;
  /** Tokens minted or burned in the transaction. A wrapped coin is neither. */
  readonly minted: ReadonlySet<Hex>;
  readonly burnt: ReadonlySet<Hex>;
}

/** Reports whether a token is one of the network's dollar coins. */
export const dollarsOf =
  ({ stablecoins }: Pick<Network, "stablecoins">): HeadlineCase["is_dollar"] =>
  (token) =>
    stablecoins.some(({ address, peg }) => peg === "USD" && address === token);

const issuedIn = (movements: readonly TransactionMovement[], end: "source" | "destination"): ReadonlySet<Hex> => {
  const issued = new Set<Hex>();
  for (const move of movements)
    if (move[end] === "" && move.token !== "" && move.kind !== "wrap") issued.add(move.token);
  return issued;
};

/** Sender and recipient of a transaction. */
export const endsOf = ({ sender, recipient }: Pick<Transaction, "sender" | "recipient">) => ({
  sender: toHex(sender),
  recipient: recipient === null ? null : toHex(recipient),
});

/** Logs of every transaction about its fee and coins, by the coin's own contract. */
const BOOKKEEPING: readonly Hex[] = [INTERFACES.polygon_coin.LogTransfer, INTERFACES.polygon_coin.LogFeeTransfer].map(
  (event) => toHex(topicOf(event)),
);

const isBookkeeping = ({ topics: [topic], address }: EventLog): boolean =>
  topic !== undefined && BOOKKEEPING.includes(toHex(topic)) && toHex(address) === ADDRESSES.polygon_coin;

const withoutBookkeeping = (transaction: HeadlineTransaction): HeadlineTransaction => {
  if (!transaction.logs.some(isBookkeeping)) return transaction;
  const { input, succeeded } = transaction;
  return { input, succeeded, logs: transaction.logs.filter((log) => !isBookkeeping(log)) };
};

export const readingOf = (given: HeadlineCase): HeadlineReading => {
  const { sender, recipient, movements, actions, wrapped_native, name, is_dollar, decimals, usd } = given;
  const transaction = withoutBookkeeping(given.transaction);
  const nets = netsOf(movements);
  const account = accountIn(transaction.logs, recipient, nets);
  // Field by field: a spread copy costs more than the rest of judging an act, and this runs for every transaction of a
  // wallet.
  return {
    transaction,
    sender,
    recipient,
    movements,
    is_untraced: given.is_untraced ?? false,
    actions,
    wrapped_native,
    name,
    is_dollar,
    decimals,
    usd,
    nets,
    account,
    asked: requestedCallsIn(recipient, transaction.input, account?.address ?? null),
    emitters: new Set(transaction.logs.map(({ address }) => toHex(address))),
    bookkeeper: transaction === given.transaction ? null : ADDRESSES.polygon_coin,
    tokens: new Set(movements.map(({ token }) => token)),
    minted: issuedIn(movements, "source"),
    burnt: issuedIn(movements, "destination"),
  };
};

/** Reports whether the transaction calls the contract, directly or as a requested call. */
export const isCalled = ({ recipient, asked }: HeadlineReading, contract: Hex | null): boolean =>
  contract === recipient || asked.some(({ callee }) => callee === contract);

const NO_ADDRESS = /^0*$/;
const LEAD_BYTES = 12;

const isPadded = (word: Uint8Array): boolean => {
  for (let n = 0; n < LEAD_BYTES; n += 1) if (word[n] !== 0) return false;
  return true;
};

const addressOf = (word: Uint8Array | undefined): Hex | null => {
  if (word === undefined || word.length !== WORD_BYTES || !isPadded(word)) return null;
  const address = toHex(addressAt(word, 0));
  return NO_ADDRESS.test(address) ? null : address;
};

const wordAt = ({ data }: EventLog, n: number): Uint8Array => data.subarray(n * WORD_BYTES, (n + 1) * WORD_BYTES);

/** The address in an indexed field or a word of the payload; null without one. */
export const addressIn = (log: EventLog, scope: string): Hex | null => {
  const n = Number(scope.slice(1));
  return addressOf(scope.startsWith("t") ? log.topics[n] : wordAt(log, n));
};

const FIGURES_MAX = 8;

/** The first words of a log's data, as numbers. */
export const figuresIn = ({ data }: EventLog): readonly bigint[] =>
  Array.from({ length: Math.min(Math.floor(data.length / WORD_BYTES), FIGURES_MAX) }, (_, n) => uintAt(data, n));

const WORDS_MAX = 64;

/** Smaller numbers are amounts. Addresses with eight leading zero bytes belong to the network itself. */
const isNumber = (address: Hex): boolean => address.startsWith("0000000000000000");

/** Every address in a log. */
export const addressesIn = (log: EventLog): readonly Hex[] => {
  const found: Hex[] = [];
  const add = (word: Uint8Array | undefined): void => {
    const address = addressOf(word);
    if (address !== null && !isNumber(address)) found.push(address);
  };
  for (let n = 1; n < log.topics.length; n += 1) add(log.topics[n]);
  const words = Math.min(Math.floor(log.data.length / WORD_BYTES), WORDS_MAX);
  for (let n = 0; n < words; n += 1) add(wordAt(log, n));
  return found;
};
