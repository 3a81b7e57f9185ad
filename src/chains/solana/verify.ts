/**
 * What a block of Solana lets one check. Its hash is that of a chain of hashes over entries that nodes do not tell, so
 * nothing in it follows from the hash: what is checked is that transactions were signed by those who are said to have
 * sent them, and that what is told of them adds up (docs/threat_model.md).
 */
import { createPublicKey, type KeyObject, randomInt, verify } from "node:crypto";
import { type Bytes, toHex } from "../../lib/bytes.ts";
import { BadAnswer } from "../node/answer.ts";
import type { RawTransaction } from "./transaction.ts";

/**
 * Transactions whose signatures are checked, of each kind: those that moved most coins, and any. One costs some 0.3 ms,
 * all of a block of the main network half a second of the 0.4 in which the next one comes. Smaller blocks are checked whole.
 */
const SAMPLE = { largest: 16, any: 16 };
/** From then on no account paid rent any more (SIMD-0084): unix seconds of 2025-07-01, when every network had it. */
const NO_RENT_FROM = 1_751_328_000;
/** Of a key of ed25519 in DER (RFC 8410), before its 32 bytes. */
const DER_PREFIX = Buffer.from("302a300506032b6570032100", "hex");
const KEYS_MAX = 4_096;

/** `below` gives a number from 0 up to it, the end left out. */
type Random = (below: number) => number;

/** @throws BadAnswer when anything told of the transactions cannot be so */
export const checkTransactions = (
  transactions: readonly RawTransaction[],
  time: number | null,
  random: Random = (below) => randomInt(below),
): void => {
  checkRepeated(transactions);
  for (const one of transactions) checkCoins(one, time);
  for (const one of sampleOf(transactions, random)) checkSignatures(one);
};

/** A transaction is called by its first signature, and is processed once. */
const checkRepeated = (transactions: readonly RawTransaction[]): void => {
  const seen = new Set(transactions.map(({ signature }) => toHex(signature)));
  if (seen.size !== transactions.length) throw new BadAnswer("a block with a transaction that stands in it twice");
};

/** Programs can make and destroy no coins: all accounts together have less by the fee (agave, `UnbalancedTransaction`). */
const checkCoins = ({ lamports, fee }: RawTransaction, time: number | null): void => {
  const sum = (amounts: readonly bigint[]): bigint => amounts.reduce((total, amount) => total + amount, 0n);
  const rent = sum(lamports.before) - sum(lamports.after) - fee;
  if (rent < 0n) throw new BadAnswer("a transaction after which there are more coins than before");
  if (rent > 0n && time !== null && time >= NO_RENT_FROM)
    throw new BadAnswer("a transaction after which coins are missing");
};

const movedBy = ({ lamports }: RawTransaction): bigint =>
  lamports.before.reduce((most, before, i) => {
    const change = (lamports.after[i] ?? 0n) - before;
    const size = change < 0n ? -change : change;
    return size > most ? size : most;
  }, 0n);

/** Which they are nobody can know before. */
const sampleOf = (transactions: readonly RawTransaction[], random: Random): readonly RawTransaction[] => {
  if (transactions.length <= SAMPLE.largest + SAMPLE.any) return transactions;
  const moved = transactions.map((one) => ({ one, amount: movedBy(one) }));
  const sorted = moved.sort((a, b) => (a.amount < b.amount ? 1 : a.amount > b.amount ? -1 : 0)).map(({ one }) => one);
  const rest = sorted.slice(SAMPLE.largest);
  const any = Array.from({ length: SAMPLE.any }, () => rest.splice(random(rest.length), 1)).flat();
  return [...sorted.slice(0, SAMPLE.largest), ...any];
};

/** Keys that were made of their bytes: the same wallets sign again and again. */
const keys = new Map<string, KeyObject>();

const keyOf = (bytes: Bytes): KeyObject => {
  const name = toHex(bytes);
  const known = keys.get(name);
  if (known !== undefined) return known;
  const key = createPublicKey({ key: Buffer.concat([DER_PREFIX, bytes]), format: "der", type: "spki" });
  if (keys.size >= KEYS_MAX) keys.clear();
  keys.set(name, key);
  return key;
};

/** The first accounts signed the message, one for each signature. */
const checkSignatures = ({ wire, accounts }: RawTransaction): void => {
  if (wire === null) throw new BadAnswer("a transaction in an encoding that was not asked for");
  for (const [i, signature] of wire.signatures.entries())
    if (!verify(null, wire.message, keyOf(accounts.bytes(i)), signature))
      throw new BadAnswer("a transaction that its sender has not signed");
};
