/**
 * Addresses that a program derives from seeds (solana-pubkey, find_program_address): a hash that is not a point of the
 * curve.
 */
import { createHash } from "node:crypto";
import { type Bytes, toBigInt } from "../../lib/bytes.ts";

const P = 2n ** 255n - 19n;
/** Twisted Edwards curve: -x² + y² = 1 + d·x²·y². */
const D = 37_095_705_934_669_439_343_138_083_508_754_565_189_542_113_879_843_219_016_388_785_533_085_940_283_555n;
const MARKER = Buffer.from("ProgramDerivedAddress");
const BUMP_MAX = 255;

/** The address with the highest bump that is not on the curve. */
export const derivedAddress = (seeds: readonly Bytes[], program: Bytes): Bytes => {
  for (let bump = BUMP_MAX; bump >= 0; bump -= 1) {
    const hash = createHash("sha256");
    for (const part of [...seeds, Uint8Array.of(bump), program, MARKER]) hash.update(part);
    const address = hash.digest();
    if (!isOnCurve(address)) return address;
  }
  throw new Error("every bump gave a point of the curve"); // one chance in 2^256
};

/** True if 32 bytes are a public key of Ed25519, which can have a secret key. */
export const isOnCurve = (address: Bytes): boolean => {
  const little_endian = Buffer.from(address).reverse();
  little_endian[0] = (little_endian[0] ?? 0) & 0x7f;
  const y2 = toBigInt(little_endian) ** 2n % P;
  const u = (y2 - 1n + P) % P;
  const v = (D * y2 + 1n) % P;
  // x² = u / v has a root if u·v is zero or a square (Euler).
  const product = (u * v) % P;
  return product === 0n || power(product, (P - 1n) / 2n) === 1n;
};

const power = (value: bigint, exponent: bigint): bigint => {
  let result = 1n;
  let square = value;
  for (let rest = exponent; rest > 0n; rest >>= 1n) {
    if ((rest & 1n) === 1n) result = (result * square) % P;
    square = (square * square) % P;
  }
  return result;
};
