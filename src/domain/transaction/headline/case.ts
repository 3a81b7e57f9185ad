import type { EventLog, Network, Transaction } from "../../../chains/chain.ts";
import { type Hex, toHex } from "../../../lib/bytes.ts";
import { addressAt, uintAt, WORD_BYTES } from "../../../lib/words.ts";
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

export const readingOf = (given: HeadlineCase): HeadlineReading => {
  const { transaction, sender, recipient, movements, actions, wrapped_native, name, is_dollar, decimals, usd } = given;
  const nets = netsOf(movements);
  const account = accountIn(transaction.logs, recipient, nets);
  // Field by field: a spread copy costs more than the rest of judging an act, and this runs for every transaction of a
  // wallet.
  return {
    transaction,
    sender,
    recipient,
    movements,
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

const isPadded = (word: Uint8Array): boolean => word.subarray(0, LEAD_BYTES).every((byte) => byte === 0);

/** The address in an indexed field or a word of the payload; null without one. */
export const addressIn = (log: EventLog, scope: string): Hex | null => {
  const n = Number(scope.slice(1));
  const word = scope.startsWith("t") ? log.topics[n] : log.data.subarray(n * WORD_BYTES, (n + 1) * WORD_BYTES);
  if (word === undefined || word.length !== WORD_BYTES || !isPadded(word)) return null;
  const address = toHex(addressAt(word, 0));
  return NO_ADDRESS.test(address) ? null : address;
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
  const words = Math.min(Math.floor(log.data.length / WORD_BYTES), WORDS_MAX);
  const places = [
    ...log.topics.slice(1).map((_, i) => `t${i + 1}`),
    ...Array.from({ length: words }, (_, i) => `w${i}`),
  ];
  return places.flatMap((scope) => addressIn(log, scope) ?? []).filter((address) => !isNumber(address));
};
