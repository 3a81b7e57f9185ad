/**
 * Checks of a Solana block. Its hash is that of a chain of hashes over entries that nodes do not serve, so nothing in
 * the block follows from the hash. The checks are that the stated senders signed the transactions, and that their
 * stated effects add up (docs/threat_model.md).
 */
import { createPublicKey, type KeyObject, randomInt, verify } from "node:crypto";
import { type Bytes, toHex } from "../../lib/bytes.ts";
import { BadAnswer } from "../node/answer.ts";
import type { Coins, RawTransaction } from "./transaction.ts";

/**
 * Transactions whose signatures are checked, of each kind: those that moved most coins, and random ones. One costs some
 * 0.3 ms, all of a block of the main network half a second of the 0.4 in which the next one comes. Smaller blocks are
 * checked whole.
 */
const SAMPLE = { largest: 16, any: 16 };
/** From then on no account paid rent any more (SIMD-0084): unix seconds of 2025-07-01, when every network had it. */
const NO_RENT_FROM = 1_751_328_000;
const KEYS_MAX = 4_096;

/** Returns a number from 0 up to `below`, the end excluded. */
type Random = (below: number) => number;

/** Checks the transactions of one block, each while it is read, and keeps none of them: they are many. */
export class BlockChecks {
  readonly #time: number | null;
  readonly #names = new Set<string>();
  /** Coins that each moved. */
  readonly #moved: number[] = [];

  constructor(time: number | null) {
    this.#time = time;
  }

  /** Ids of transactions that are known to be unique in the block; only needed if others are to come by `take`. */
  begin(names: Iterable<Bytes>): void {
    for (const name of names) this.#names.add(textOf(name));
  }

  /** @throws BadAnswer if the transaction is impossible */
  take(one: RawTransaction): void {
    // The first signature of a transaction is its id; each is processed once.
    const name = textOf(one.signature);
    if (this.#names.has(name)) throw new BadAnswer("a block that has one transaction twice", "transaction_twice");
    this.#names.add(name);
    this.takeNamed(one);
  }

  /** `take` for a transaction whose id `begin` received. @throws BadAnswer */
  takeNamed(one: RawTransaction): void {
    const { missing, moved } = one.coins ?? coinsOf(one);
    this.#moved.push(moved);
    checkCoins(missing, this.#time);
  }

  /** A vote whose id `begin` received, and that changed only its payer's coins, by the fee. */
  takeVote(fee: number): void {
    this.#moved.push(fee);
  }

  /** `read` returns a transaction by its position once more. @throws BadAnswer if one of the sample was not signed */
  finish(read: (at: number) => RawTransaction, random: Random = (below) => randomInt(below)): void {
    for (const at of sampleOf(this.#moved, random)) checkSignatures(read(at));
  }
}

/** A character for each byte: the shortest text of bytes. */
const textOf = ({ buffer, byteOffset, byteLength }: Bytes): string =>
  Buffer.from(buffer, byteOffset, byteLength).toString("latin1");

/** @throws BadAnswer if the transactions are impossible */
export const checkTransactions = (
  transactions: readonly RawTransaction[],
  time: number | null,
  random?: Random,
): void => {
  const checks = new BlockChecks(time);
  for (const one of transactions) checks.take(one);
  const read = (at: number): RawTransaction => {
    const found = transactions[at];
    if (found === undefined) throw new RangeError(`there is no transaction ${at}`);
    return found;
  };
  checks.finish(read, random);
};

/**
 * Programs cannot create or destroy coins: all accounts together lose exactly the fee (agave, `UnbalancedTransaction`).
 */
const checkCoins = (rent: bigint, time: number | null): void => {
  if (rent < 0n) throw new BadAnswer("a transaction after which there are more coins than before", "conservation");
  if (rent > 0n && time !== null && time >= NO_RENT_FROM)
    throw new BadAnswer("a transaction after which coins are missing", "conservation");
};

const coinsOf = ({ lamports, fee }: RawTransaction): Omit<Coins, "changed"> => {
  let [missing, moved] = [-fee, 0n];
  for (let i = 0; i < lamports.before.length; i += 1) {
    const change = (lamports.before[i] ?? 0n) - (lamports.after[i] ?? 0n);
    const size = change < 0n ? -change : change;
    if (size > moved) moved = size;
    missing += change;
  }
  return { missing, moved: Number(moved) };
};

/** Positions of the transactions whose signatures are checked. They are unpredictable for a node. */
const sampleOf = (moved: readonly number[], random: Random): readonly number[] => {
  const places = [...moved.keys()];
  if (moved.length <= SAMPLE.largest + SAMPLE.any) return places;
  const sorted = places.sort((a, b) => (moved[b] ?? 0) - (moved[a] ?? 0));
  const rest = sorted.splice(SAMPLE.largest);
  const any = Array.from({ length: SAMPLE.any }, () => rest.splice(random(rest.length), 1)).flat();
  return [...sorted, ...any];
};

/** Keys made from their bytes: the same wallets sign again and again. */
const keys = new Map<string, KeyObject>();

const keyOf = (bytes: Bytes): KeyObject => {
  const name = toHex(bytes);
  const known = keys.get(name);
  if (known !== undefined) return known;
  // As a JWK (RFC 8037): reading one takes 0.01 ms, the same key in DER 0.09.
  const x = Buffer.from(bytes).toString("base64url");
  const key = createPublicKey({ key: { kty: "OKP", crv: "Ed25519", x }, format: "jwk" });
  if (keys.size >= KEYS_MAX) keys.clear();
  keys.set(name, key);
  return key;
};

/** The first accounts signed the message, one for each signature. */
const checkSignatures = ({ wire, accounts }: RawTransaction): void => {
  if (wire === null) throw new BadAnswer("a transaction in another encoding than requested");
  for (const [i, signature] of wire.signatures.entries())
    if (!verify(null, wire.message, keyOf(accounts.bytes(i)), signature))
      throw new BadAnswer("a transaction that its sender has not signed", "signature");
};
