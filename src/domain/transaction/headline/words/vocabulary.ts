/** Words by the hash of their signature, without hashing them: there are tens of thousands, and few ever occur. */
import { AssayError } from "../../../../lib/errors.ts";
import { familyWord, type Word, type WordFamily } from "./word.ts";

interface FamilyName {
  readonly name: string;
  readonly type: WordFamily["type"];
}

/** Parts of a vocabulary, in a stable order. */
export interface VocabularySource {
  /** Words listed one by one. */
  readonly written: readonly Word[];
  readonly names: readonly FamilyName[];
  /** Parameter lists that occur with every name. */
  readonly parameters: readonly string[];
}

export const familyNames = (
  families: readonly WordFamily[],
  listOf: (family: WordFamily) => string | undefined,
): readonly FamilyName[] =>
  families.flatMap((family) =>
    (listOf(family) ?? "")
      .split(" ")
      .filter((name) => name !== "")
      .map((name) => ({ name, type: family.type })),
  );

const sizeOf = ({ written, names, parameters }: VocabularySource): number =>
  written.length + names.length * parameters.length;

const wordAt = ({ written, names, parameters }: VocabularySource, n: number): Word | null => {
  const known = written[n];
  if (known !== undefined) return known;
  const at = n - written.length;
  const family = names[Math.floor(at / parameters.length)];
  const list = parameters[at % parameters.length];
  return family === undefined || list === undefined ? null : familyWord(`${family.name}(${list})`, family.type);
};

/** Every signature, in the order of its hash in the table. */
export function* signaturesOf(spoken: VocabularySource): Generator<string> {
  for (let n = 0; n < sizeOf(spoken); n += 1) yield wordAt(spoken, n)?.signature ?? "";
}

/** Bytes of each hash that the table has: the first four. */
export const HEAD_BYTES = 4;

/** Words by the first four bytes of the hash of their signature. */
export class Vocabulary {
  readonly #spoken: VocabularySource;
  /** The last word with a head, and by word the one before it with the same head; -1: none. */
  readonly #last = new Map<number, number>();
  readonly #before: Int32Array;

  /** `hashes`: the heads of `signaturesOf`, in base64 (`hashes.gen.ts`). */
  constructor(spoken: VocabularySource, hashes: string) {
    const heads = Buffer.from(hashes, "base64");
    const size = sizeOf(spoken);
    if (heads.length !== size * HEAD_BYTES) {
      throw new AssayError({ code: "BUG", message: "words and the table of their hashes differ: run 'npm run gen'" });
    }
    this.#spoken = spoken;
    this.#before = new Int32Array(size);
    for (let n = 0; n < size; n += 1) {
      const head = heads.readUInt32BE(n * HEAD_BYTES);
      this.#before[n] = this.#last.get(head) ?? -1;
      this.#last.set(head, n);
    }
  }

  /** Returns the listed words in table order, or the families of one signature when no word is listed. */
  find(head: number, isMeant: (signature: string) => boolean = () => true): readonly Word[] {
    const found: Word[] = [];
    for (let n = this.#last.get(head) ?? -1; n >= 0; n = this.#before[n] ?? -1) {
      const word = wordAt(this.#spoken, n);
      if (word !== null && isMeant(word.signature)) found.unshift(word);
    }
    const written = found.filter(({ is_family }) => !is_family);
    return written.length > 0 ? written : found.filter(({ signature }) => signature === found.at(-1)?.signature);
  }
}
