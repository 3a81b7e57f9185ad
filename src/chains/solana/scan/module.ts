/**
 * The WebAssembly module of assembly/solana, which reads the transactions of a long answer from its text
 * (docs/design/verification.md).
 */
import { BadAnswer } from "../../node/answer.ts";
import { copyOf, ReusableModule } from "../../node/reusable_module.ts";
import { ADDRESS_BYTES, SIGNATURE_BYTES } from "../address.ts";
import { COMPUTE_BUDGET_KEY, TOKEN_PROGRAM_KEY, VOTE_PROGRAM_KEY } from "../programs.ts";
import { SCAN_MODULE } from "./module.gen.ts";

/** Exports of assembly/solana/index.ts. */
interface SolanaExports {
  readonly memory: WebAssembly.Memory;
  reserve(length: number): number;
  scan(start: number, length: number): number;
  listEnd(): number;
  keysAt(): number;
  countKeys(): number;
  signaturesAt(): number;
  countSignatures(): number;
  spansAt(): number;
  countSpans(): number;
  recordsAt(): number;
  recordsEnd(): number;
}

/** Numbers of assembly/solana/index.ts. */
const LISTED = { whole: 0, open: 1, too_deep: 2 } as const;
const SPAN_BYTES = 16;
/** Keys that the module knows by number (assembly/solana/keys.ts). */
const KNOWN_KEYS = [TOKEN_PROGRAM_KEY, VOTE_PROGRAM_KEY, COMPUTE_BUDGET_KEY];
/** Memory kept from one answer to the next. */
const KEPT_BYTES = 64 << 20;

/** Result of reading a list, copied out of the module's memory. */
export interface Scan {
  /** Position of the bracket that closes the list. */
  readonly end: number;
  /** Four words of each value. */
  readonly spans: Uint32Array;
  readonly keys: Buffer;
  readonly records: Buffer;
  /** Signatures of all values read; empty if no value is left to be parsed. */
  readonly signatures: Buffer;
}

const scanModule = new ReusableModule<SolanaExports>(SCAN_MODULE, KEPT_BYTES, (module) => {
  const keys = Buffer.from(module.memory.buffer, module.keysAt(), KNOWN_KEYS.length * ADDRESS_BYTES);
  for (const [number, key] of KNOWN_KEYS.entries()) keys.set(key, number * ADDRESS_BYTES);
});

/**
 * Reads the list whose first value begins at `start`; null if it does not end.
 * @throws BadAnswer if it is nested too deeply, or has more values than a block may have
 */
export const scanList = (text: Buffer, start: number): Scan | null =>
  scanModule.read(text, (module) => {
    const listed = module.scan(start, text.length);
    if (listed === LISTED.open) return null;
    if (listed === LISTED.too_deep) throw new BadAnswer("the answer is nested too deeply");
    if (listed !== LISTED.whole) throw new BadAnswer("more transactions than a block may have");
    const count = module.countSpans();
    const spans = copyOf(module, module.spansAt(), count * SPAN_BYTES);
    const records = module.recordsAt();
    const read = module.countSignatures();
    return {
      end: module.listEnd(),
      spans: new Uint32Array(spans.buffer, 0, spans.length / Uint32Array.BYTES_PER_ELEMENT),
      keys: copyOf(module, module.keysAt(), module.countKeys() * ADDRESS_BYTES),
      records: copyOf(module, records, module.recordsEnd() - records),
      signatures: copyOf(module, module.signaturesAt(), read === count ? 0 : read * SIGNATURE_BYTES),
    };
  });
