/**
 * A WebAssembly module of assembly/ with one instance per process, which works on one answer at a time and
 * synchronously. Nothing inside checks bounds, so the process discards an instance that trapped together with its
 * memory, and also one that has grown large.
 */
import { BadAnswer } from "./answer.ts";

interface HasMemory {
  readonly memory: WebAssembly.Memory;
  /** Address for a text of this length, or 0 if it is too long. */
  reserve(length: number): number;
}

export class ReusableModule<E extends HasMemory> {
  readonly #base64: string;
  readonly #kept_bytes: number;
  readonly #prepare: (instance: E) => void;
  /** Outlives an instance, with the code that V8 has optimized. */
  #compiled: WebAssembly.Module | null = null;
  #opened: E | null = null;

  /** `kept_bytes`: most memory kept from one answer to the next. `prepare`: runs on each new instance. */
  constructor(base64: string, kept_bytes: number, prepare: (instance: E) => void = () => {}) {
    this.#base64 = base64;
    this.#kept_bytes = kept_bytes;
    this.#prepare = prepare;
  }

  /**
   * Writes `text` into the module and runs `work` on it. @throws BadAnswer also if the text broke the module or is too
   * long
   */
  read<R>(text: Buffer, work: (module: E) => R): R {
    const module = this.#open();
    try {
      const at = module.reserve(text.length);
      if (at === 0) throw new BadAnswer(`an answer of ${text.length} bytes is too large to be read`);
      new Uint8Array(module.memory.buffer).set(text, at);
      return work(module);
    } catch (error) {
      if (error instanceof BadAnswer) throw error;
      this.#opened = null;
      if (error instanceof WebAssembly.RuntimeError || error instanceof RangeError)
        throw new BadAnswer("an answer broke what reads it");
      throw error;
    } finally {
      if (module.memory.buffer.byteLength > this.#kept_bytes) this.#opened = null;
    }
  }

  #open(): E {
    if (this.#opened !== null) return this.#opened;
    this.#compiled ??= new WebAssembly.Module(Buffer.from(this.#base64, "base64"));
    // The module exports what its user declares; the user names the file in assembly/.
    const instance = new WebAssembly.Instance(this.#compiled, {}).exports as unknown as E;
    this.#prepare(instance);
    this.#opened = instance;
    return instance;
  }
}

/** Copies bytes of a module's memory into memory of their own. */
export const copyOf = ({ memory }: { readonly memory: WebAssembly.Memory }, from: number, length: number): Buffer => {
  const copy = Buffer.allocUnsafeSlow(length);
  copy.set(new Uint8Array(memory.buffer, from, length));
  return copy;
};
