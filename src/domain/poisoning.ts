/**
 * Address poisoning: a look-alike of a real counterparty writes itself into a wallet's history, so that the wallet copies
 * the wrong address. Everything that decides it is here.
 */
import type { Chain } from "../chains/chain.ts";
import type { Hex } from "../lib/bytes.ts";
import { DAY_S } from "../lib/time.ts";

/** Time after a real counterparty's transfer in which its look-alike is suspected. */
export const POISON_WINDOW_S = 30 * DAY_S;
/** USD from which a transfer makes a counterparty real, and below which it is a lure. */
export const REAL_PEER_USD = 1;

/**
 * Characters that readers compare, and that attackers' address generators reach: the first and last of the address as it
 * is written, without its constant beginning (0x, or the T of Tron).
 */
const FACES: readonly (readonly [first: number, last: number])[] = [
  [3, 4],
  [2, 6],
];

/** Addresses of a chain as they are compared. */
export interface ComparedAddresses {
  /** Bytes are compared as they are: written in hex, similar texts have similar bytes. Those of base58 have not. */
  readonly is_hex: boolean;
  readonly textOf: (address: Hex) => string;
}

/** @param sample any address of the chain: one tells for all how they are written */
export const comparedOn = (chain: Pick<Chain, "formatAddress">, sample: Hex): ComparedAddresses => {
  const is_hex = chain.formatAddress(sample).toLowerCase() === `0x${sample}`;
  // Checksums of hex cost more than the comparison.
  return { is_hex, textOf: (address) => (is_hex ? address : chain.formatAddress(address).replace(/^T/, "")) };
};

/** Two addresses with a common face look alike. */
export const facesOf = (text: string): readonly string[] =>
  FACES.map(([first, last]) => `${first}:${text.slice(0, first)}${text.slice(-last)}`);

/** Characters that both texts share at the beginning and at the end; 0 when they have no common face. */
export const likenessOf = (a: string, b: string): number => {
  if (a === b) return 0;
  const others = facesOf(b);
  if (!facesOf(a).some((face) => others.includes(face))) return 0;
  let [first, last] = [0, 0];
  while (a.charAt(first) === b.charAt(first)) first += 1;
  while (a.at(-1 - last) === b.at(-1 - last)) last += 1;
  return first + last;
};

/** How a look-alike gets into a history without giving anything of worth. */
export type Lure = "zero_value" | "fake_asset" | "dust" | "unpriced_token";

/** A transfer in a wallet's history. */
export interface LureFacts {
  readonly is_incoming: boolean;
  readonly is_sent_by_wallet: boolean;
  readonly is_token: boolean;
  readonly amount: bigint;
  /** Null without a price. */
  readonly value_usd: number | null;
  /** The token imitates another. */
  readonly is_copy: boolean;
}

/** Null for transfers that the wallet signed, and for those that give or take something of worth. */
export const lureOf = (moved: LureFacts): Lure | null => {
  const { is_incoming, is_sent_by_wallet, is_token, amount, value_usd, is_copy } = moved;
  if (is_sent_by_wallet) return null;
  if (is_token && amount === 0n) return "zero_value";
  if (is_token && is_copy) return "fake_asset";
  if (value_usd === null) return is_token ? "unpriced_token" : null;
  return is_incoming && value_usd < REAL_PEER_USD ? "dust" : null;
};

/** Confidence of each lure with seven shared characters. */
const CONFIDENCE: Readonly<Record<Lure, number>> = {
  zero_value: 0.95,
  fake_asset: 0.95,
  dust: 0.9,
  unpriced_token: 0.8,
};
const LIKENESS_MIN = 7;
const CONFIDENCE_MAX = 0.99;

/** Each further shared character halves the doubt, down to one percent. */
export const poisonConfidence = (lure: Lure, likeness: number): number => {
  const doubt = (1 - CONFIDENCE[lure]) / 2 ** Math.max(0, likeness - LIKENESS_MIN);
  return Math.min(CONFIDENCE_MAX, Math.round((1 - doubt) * 1000) / 1000);
};

/** The counterparty that a poisoner imitates. */
export interface Imitation {
  readonly imitates: Hex;
  /** 0..1 */
  readonly confidence: number;
}
