/** Checks signatures by known keys together, which takes a third of the time (docs/design/verification.md). */
import type { Bytes } from "../../../lib/bytes.ts";
import { ADDRESS_LENGTH } from "./senders.ts";
import { CLAIM, SIGNATURE, SIGNER } from "./signatures.ts";
import type { SignerWork } from "./signer_work.ts";

/** Recovers the signers of many signatures. */
export interface Signers {
  /**
   * The module's answers, in the order of the signatures.
   * @param stated the addresses that the node states, one after another. They only save time.
   */
  recover(signatures: Buffer, stated?: Buffer): Promise<Buffer>;
}

/** Fewer claims take longer together than recovering each signer. */
const CLAIMS_MIN = 48;
const KEY_LENGTH = CLAIM.address - CLAIM.key;
const ENTRY = KEY_LENGTH + ADDRESS_LENGTH;
/** Stated where the text holds no address. */
const NO_ADDRESS = Buffer.alloc(ADDRESS_LENGTH);
/** Signatures with a signer have this or less in `how`. */
const ODD = 1;

/** Keys by their addresses, as many as fit: a later one replaces an earlier one in the same place. */
class KeyTable {
  /** A power of two. Pages that no key reached take no memory. */
  readonly #places = 1 << 17;
  readonly #entries = Buffer.alloc(this.#places * ENTRY);

  /** Key and address; null if the key is not known. */
  find(address: Buffer): Buffer | null {
    // Unused places hold zeros.
    if (address.equals(NO_ADDRESS)) return null;
    const entry = this.#entryOf(address);
    return entry.compare(address, 0, ADDRESS_LENGTH, KEY_LENGTH, ENTRY) === 0 ? entry : null;
  }

  add(answer: Buffer): void {
    const entry = this.#entryOf(answer);
    answer.copy(entry, 0, SIGNER.key, SIGNER.key + KEY_LENGTH);
    answer.copy(entry, KEY_LENGTH, 0, ADDRESS_LENGTH);
  }

  /** Addresses are hashes, so their first bytes spread evenly. */
  #entryOf(address: Buffer): Buffer {
    const at = (address.readUInt32LE(0) & (this.#places - 1)) * ENTRY;
    return this.#entries.subarray(at, at + ENTRY);
  }
}

/** The numbers of the signatures in the two parts of the work. */
interface DividedWork extends SignerWork {
  readonly order: readonly number[];
}

const itemOf = (bytes: Buffer, at: number, length: number): Buffer => bytes.subarray(at * length, (at + 1) * length);

const allPlain = (signatures: Buffer): DividedWork => {
  const count = signatures.length / SIGNATURE.length;
  return { signatures, claims: Buffer.alloc(0), order: Array.from({ length: count }, (_, at) => at) };
};

/** Signatures whose stated signer has a known key become claims, if they are many. */
const divide = (signatures: Buffer, stated: Buffer, keys: KeyTable): DividedWork => {
  const [plain, claimed, claims]: [number[], number[], Bytes[]] = [[], [], []];
  for (let at = 0; at * SIGNATURE.length < signatures.length; at += 1) {
    const signature = itemOf(signatures, at, SIGNATURE.length);
    const key = signature.readUInt32LE(SIGNATURE.how) > ODD ? null : keys.find(itemOf(stated, at, ADDRESS_LENGTH));
    if (key === null) plain.push(at);
    else {
      claimed.push(at);
      claims.push(signature, key);
    }
  }
  if (claimed.length < CLAIMS_MIN) return allPlain(signatures);
  const rest = Buffer.concat(plain.map((at) => itemOf(signatures, at, SIGNATURE.length)));
  return { signatures: rest, claims: Buffer.concat(claims), order: [...plain, ...claimed] };
};

/**
 * Remembers the keys of signers. A claim that does not hold is no error: its signer is recovered, and the caller
 * compares it with the stated one.
 */
export const rememberSigners = (answer: (work: SignerWork) => Promise<Buffer>): Signers => {
  const keys = new KeyTable();
  return {
    async recover(signatures, stated) {
      const work = stated === undefined ? allPlain(signatures) : divide(signatures, stated, keys);
      const answers = await answer(work);
      const ordered = Buffer.allocUnsafe(answers.length);
      for (const [i, at] of work.order.entries()) {
        const one = itemOf(answers, i, SIGNER.length);
        one.copy(ordered, at * SIGNER.length);
        if (one[SIGNER.found] === 1) keys.add(one);
      }
      return ordered;
    },
  };
};
