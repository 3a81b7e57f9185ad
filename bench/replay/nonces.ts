/** Keys of generated chains, and nonces of their signatures. */
import { createECDH, createHash } from "node:crypto";

/** Order of the curve. */
export const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
/** The key of a name, and its point: x and y. OpenSSL takes a tenth of the time of a library in JavaScript. */
export const keyPairOf = (name: string): { readonly secret: bigint; readonly point: Buffer } => {
  const digest = createHash("sha256").update(name).digest();
  const pair = createECDH("secp256k1");
  pair.setPrivateKey(digest);
  return { secret: BigInt(`0x${digest.toString("hex")}`), point: pair.getPublicKey().subarray(1) };
};

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
  const { secret, point } = keyPairOf(`nonce:${place}`);
  const [r, y] = [BigInt(`0x${point.toString("hex", 0, 32)}`) % ORDER, BigInt(`0x${point.toString("hex", 32)}`)];
  const nonce = { r, is_odd: (y & 1n) === 1n, inverse: inverseOf(secret) };
  nonces[place] = nonce;
  return nonce;
};
