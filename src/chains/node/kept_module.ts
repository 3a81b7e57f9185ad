/**
 * A WebAssembly module of assembly/, one instance for the process: it works on one answer at a time and waits for nothing.
 * Nothing inside checks bounds, so an instance that trapped is thrown away with its memory, and so is one that has grown large.
 */
import { BadAnswer } from "./answer.ts";

interface HasMemory {
  readonly memory: WebAssembly.Memory;
  /** Where a text of this length goes; 0 when it is too long. */
  reserve(length: number): number;
}

export class KeptModule<E extends HasMemory> {
  readonly #base64: string;
  readonly #kept_bytes: number;
  readonly #prepare: (instance: E) => void;
  /** Stays when an instance goes, with what V8 has optimized of it. */
  #compiled: WebAssembly.Module | null = null;
  #opened: E | null = null;

  /** `kept_bytes`: of memory, from one answer to the next. `prepare`: what is done with each new instance. */
  constructor(base64: string, kept_bytes: number, prepare: (instance: E) => void = () => {}) {
    this.#base64 = base64;
    this.#kept_bytes = kept_bytes;
    this.#prepare = prepare;
  }

  /** Writes `text` into the module, and works on it. @throws BadAnswer also when the text broke the module, or is too long */
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
    // The module exports what its user says, who names the file in assembly/.
    const instance = new WebAssembly.Instance(this.#compiled, {}).exports as unknown as E;
    this.#prepare(instance);
    this.#opened = instance;
    return instance;
  }
}

/** What stands in a module's memory, in memory of its own. */
export const copyOf = ({ memory }: { readonly memory: WebAssembly.Memory }, from: number, length: number): Buffer => {
  const copy = Buffer.allocUnsafeSlow(length);
  copy.set(new Uint8Array(memory.buffer, from, length));
  return copy;
};
