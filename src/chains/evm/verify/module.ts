/**
 * The WebAssembly module of assembly/ and its memory. Nothing inside checks bounds, so an instance that trapped is thrown
 * away with its memory, and so is one that has grown large.
 */
import { BadAnswer } from "../../node/answer.ts";
import { VERIFY_MODULE } from "./module.gen.ts";

interface Exports {
  readonly memory: WebAssembly.Memory;
  reserve(length: number): number;
  envelopes(start: number, length: number): number;
  fault(): number;
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

/** Words for the faults of assembly/cursor.ts, by number. */
const FAULTS: readonly string[] = [
  "",
  "something that is no text",
  "something that is no hex",
  "more than a block may have",
  "something of another shape",
  "no value where one must be",
  "the same name twice",
  "a name with escapes",
  "something of another length",
];

/** Memory that is kept from one answer to the next. */
const KEPT_BYTES = 32 << 20;
const ENVELOPE_BYTES = 16;
const ITEM_BYTES = 8;

export class VerifyModule {
  #compiled: WebAssembly.Module | null = null;
  #instance: Exports | null = null;
  #thrown_away = 0;

  /** Changes when an instance, and with it every text in its memory, is gone. */
  get generation(): number {
    return this.#thrown_away;
  }

  get #exports(): Exports {
    this.#compiled ??= new WebAssembly.Module(Buffer.from(VERIFY_MODULE, "base64"));
    // The module exports what `Exports` says: assembly/index.ts.
    this.#instance ??= new WebAssembly.Instance(this.#compiled, {}).exports as unknown as Exports;
    return this.#instance;
  }

  /** Bytes of linear memory held, 0 without an instance. */
  get held_bytes(): number {
    return this.#instance?.memory.buffer.byteLength ?? 0;
  }

  /** Runs `work`; after anything but a `BadAnswer` the instance is thrown away, and the answer is to blame. */
  run<R>(work: (module: Exports) => R): R {
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

  /** Gives back the memory of an uncommonly large answer. */
  shrink(): void {
    if (this.held_bytes > KEPT_BYTES) this.#throwAway();
  }

  bytes(start: number, length: number): Buffer {
    return Buffer.from(this.#exports.memory.buffer, start, length);
  }

  /** Writes texts one behind the other. @throws BadAnswer when they are too long. Returns where each begins. */
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

  /** Start and length of each result in the text at `start`, by the id of its answer. @throws BadAnswer */
  results(start: number, length: number): Map<number, Span> {
    return this.run((module) => {
      const count = module.envelopes(start, length);
      checkFault(module.fault(), "an answer has");
      const table = this.bytes(module.envelopesAt(), count * ENVELOPE_BYTES);
      const results = new Map<number, Span>();
      for (let at = 0; at < table.length; at += ENVELOPE_BYTES)
        results.set(Number(table.readBigUInt64LE(at)), {
          start: table.readUInt32LE(at + 8),
          length: table.readUInt32LE(at + 12),
        });
      return results;
    });
  }

  /** Where the transactions of the block read last lie: start and length. */
  items(): Span[] {
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

/** A run of bytes in the module's memory. */
export interface Span {
  readonly start: number;
  readonly length: number;
}

/** @throws BadAnswer for any fault */
export const checkFault = (fault: number, what: string): void => {
  if (fault !== 0) throw new BadAnswer(`${what}: ${FAULTS[fault] ?? "not readable"}`);
};
