/** Work of the module on many signatures, in steps of some milliseconds. */
import type { Bytes } from "../../../lib/bytes.ts";
import { AT_ONCE, CLAIM, claimsHold, recoverSome, SIGNATURE, SIGNER } from "./signatures.ts";

/** Signatures whose signers are recovered, and claims, which may be checked together. */
export interface SignerWork {
  readonly signatures: Bytes;
  readonly claims: Bytes;
}

const partsOf = (bytes: Bytes, length: number): Bytes[] =>
  Array.from({ length: Math.ceil(bytes.length / length) }, (_, i) => bytes.subarray(i * length, (i + 1) * length));

const signaturesOf = (claims: Bytes): Buffer =>
  Buffer.concat(partsOf(claims, CLAIM.length).map((claim) => claim.subarray(0, SIGNATURE.length)));

/** The module's answers, as if it had recovered the claimed keys. */
const answersOf = (claims: Bytes): Buffer => {
  const parts = partsOf(claims, CLAIM.length);
  const answers = Buffer.alloc(parts.length * SIGNER.length);
  for (const [i, claim] of parts.entries()) {
    const at = i * SIGNER.length;
    answers.set(claim.subarray(CLAIM.address, CLAIM.length), at);
    answers[at + SIGNER.found] = 1;
    answers.set(claim.subarray(CLAIM.key, CLAIM.address), at + SIGNER.key);
  }
  return answers;
};

const recovered = (signatures: Bytes): Buffer[] => partsOf(signatures, AT_ONCE * SIGNATURE.length).map(recoverSome);

/** If one claim of a part is false, the signers of the part are recovered. */
const checked = (claims: Bytes): Buffer =>
  claimsHold(claims) ? answersOf(claims) : Buffer.concat(recovered(signaturesOf(claims)));

/** Yields the module's answers: to the signatures in their order, then to the claims. `claims_at_once`: of a step. */
export function* answersTo({ signatures, claims }: SignerWork, claims_at_once: number): Generator<Buffer> {
  for (const part of partsOf(signatures, AT_ONCE * SIGNATURE.length)) yield recoverSome(part);
  for (const part of partsOf(claims, claims_at_once * CLAIM.length)) yield checked(part);
}
