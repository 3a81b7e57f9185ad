/** Nonces of the signatures of generated chains. */
import { createHash } from "node:crypto";
import type { Hex } from "viem";
import { privateKeyToAccount } from "viem/accounts";

/** Order of the curve. */
export const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
/** Nonces are used in turn, again and again, because a new one takes a millisecond. Never do this with a real key. */
const NONCES = 32_768;

interface Nonce {
  /** x of the nonce's point. */
  readonly r: bigint;
  readonly is_odd: boolean;
  readonly inverse: bigint;
}

const inverseOf = (value: bigint): bigint => {
  let [result, base] = [1n, value];
  for (let rest = ORDER - 2n; rest > 0n; rest >>= 1n) {
    if ((rest & 1n) === 1n) result = (result * base) % ORDER;
    base = (base * base) % ORDER;
  }
  return result;
};

const nonces: Nonce[] = [];

export const nonceAt = (transaction: number): Nonce => {
  const place = transaction % NONCES;
  const known = nonces[place];
  if (known !== undefined) return known;
  const digest: Hex = `0x${createHash("sha256").update(`nonce:${place}`).digest("hex")}`;
  // 0x04, x and y.
  const key = privateKeyToAccount(digest).publicKey;
  const [r, y] = [BigInt(`0x${key.slice(4, 68)}`) % ORDER, BigInt(`0x${key.slice(68)}`)];
  const nonce = { r, is_odd: (y & 1n) === 1n, inverse: inverseOf(BigInt(digest) % ORDER) };
  nonces[place] = nonce;
  return nonce;
};
