/**
 * The WebAssembly module of assembly/ and its memory. Nothing inside checks bounds, so the process discards an instance
 * that trapped together with its memory, and also one that has grown large.
 */
import { BadAnswer } from "../../node/answer.ts";
import { VERIFY_MODULE } from "./module.gen.ts";

interface VerifierExports {
  readonly memory: WebAssembly.Memory;
  reserve(length: number): number;
  answers(start: number, length: number): number;
  countAnswers(): number;
  scanBlock(start: number, length: number): number;
  scanReceipts(start: number, length: number, with_filters: number): number;
  scanned(): number;
  recordsAt(): number;
  recordsEnd(): number;
  envelopesAt(): number;
  block(start: number, length: number, form: number, families: number): number;
  openReceipts(): void;
  receipts(start: number, length: number): number;
  closeReceipts(): number;
  held(): number;
  unknownTransactions(): number;
  uncoveredTransactions(): number;
  misnamedTransaction(): number;
  countWithdrawals(): number;
  countTransactions(): number;
  itemsAt(): number;
  hash(from: number, size: number, to: number): void;
}

const NO_JSON = "the answer is not JSON";
const TOO_DEEP = "the answer is nested too deeply";

/** Messages for the faults of assembly/cursor.ts, by number. */
const FAULTS: readonly string[] = [
  "",
  "something that is not a text",
  "something that is not hex",
  "more than a block may have",
  "something of another shape",
  "no value where one must be",
  "the same name twice",
  "a name with escapes",
  "something of another length",
  NO_JSON,
  TOO_DEEP,
  "a log of another transaction",
  "a log that was removed",
  "a log without a place",
  "a log with more than four topics",
];

/** Memory kept from one answer to the next. */
const KEPT_BYTES = 32 << 20;
const ENVELOPE_BYTES = 24;
const ITEM_BYTES = 8;

export class EvmModule {
  #compiled: WebAssembly.Module | null = null;
  #instance: VerifierExports | null = null;
  #thrown_away = 0;

  /** Changes when an instance, and every text in its memory, is gone. */
  get generation(): number {
    return this.#thrown_away;
  }

  get #exports(): VerifierExports {
    this.#compiled ??= new WebAssembly.Module(Buffer.from(VERIFY_MODULE, "base64"));
    // The module exports what `VerifierExports` declares: assembly/index.ts.
    this.#instance ??= new WebAssembly.Instance(this.#compiled, {}).exports as unknown as VerifierExports;
    return this.#instance;
  }

  /** Bytes of linear memory held, 0 without an instance. */
  get held_bytes(): number {
    return this.#instance?.memory.buffer.byteLength ?? 0;
  }

  /** Runs `work`. After any error but a `BadAnswer` it discards the instance and blames the answer. */
  run<R>(work: (module: VerifierExports) => R): R {
    try {
      return work(this.#exports);
    } catch (error) {
      if (error instanceof BadAnswer) throw error;
      this.#throwAway();
      if (error instanceof WebAssembly.RuntimeError || error instanceof RangeError)
        throw new BadAnswer("an answer broke what reads it");
      throw error;
    }
  }

  #throwAway(): void {
    this.#instance = null;
    this.#thrown_away += 1;
  }

  /** Frees the memory of an uncommonly large answer. */
  shrink(): void {
    if (this.held_bytes > KEPT_BYTES) this.#throwAway();
  }

  bytes(start: number, length: number): Buffer {
    return Buffer.from(this.#exports.memory.buffer, start, length);
  }

  /** Writes texts one after another. Returns where each begins. @throws BadAnswer if they are too long */
  write(texts: readonly Uint8Array[]): number[] {
    const length = texts.reduce((sum, text) => sum + text.length, 0);
    const start = this.run((module) => module.reserve(length));
    if (start === 0) throw new BadAnswer(`an answer of ${length} bytes is too large to be verified`);
    let at = start;
    return texts.map((text) => {
      this.bytes(at, text.length).set(text);
      at += text.length;
      return at - text.length;
    });
  }

  /** The answers in the text at `start`. @throws BadAnswer if it is not JSON or holds no answers */
  envelopes(start: number, length: number): Envelope[] {
    return this.run((module) => {
      checkFault(module.answers(start, length), "the answer has");
      const count = module.countAnswers();
      const table = this.bytes(module.envelopesAt(), count * ENVELOPE_BYTES);
      const spanAt = (at: number): MemorySpan | null => {
        const span = { start: table.readUInt32LE(at), length: table.readUInt32LE(at + 4) };
        return span.start === 0 ? null : span;
      };
      return Array.from({ length: count }, (_, i) => {
        const at = i * ENVELOPE_BYTES;
        return { id: table.readBigUInt64LE(at), result: spanAt(at + 8), error: spanAt(at + 16) };
      });
    });
  }

  /** Output of the last scan, valid until the next call of the module. */
  records(): Buffer {
    return this.run((module) => {
      const start = module.recordsAt();
      return this.bytes(start, module.recordsEnd() - start);
    });
  }

  /** Start and length of the transactions of the block read last. */
  items(): MemorySpan[] {
    return this.run((module) => {
      const count = module.countTransactions();
      const table = this.bytes(module.itemsAt(), count * ITEM_BYTES);
      return Array.from({ length: count }, (_, i) => ({
        start: table.readUInt32LE(i * ITEM_BYTES),
        length: table.readUInt32LE(i * ITEM_BYTES + 4),
      }));
    });
  }
}

export interface Envelope {
  readonly id: bigint;
  readonly result: MemorySpan | null;
  readonly error: MemorySpan | null;
}

/** A run of bytes in the module's memory. */
export interface MemorySpan {
  readonly start: number;
  readonly length: number;
}

/** @throws BadAnswer for any fault */
export const checkFault = (fault: number, what: string): void => {
  if (fault === 0) return;
  const words = FAULTS[fault] ?? "not readable";
  throw new BadAnswer(words === NO_JSON || words === TOO_DEEP ? words : `${what}: ${words}`);
};
