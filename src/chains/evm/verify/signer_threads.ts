/** Recovers signers in threads of their own, which leaves the main thread to other work (docs/design/verification.md). */
import { existsSync } from "node:fs";
import { setImmediate as afterOthers } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { isMainThread, type MessagePort, parentPort, Worker, workerData } from "node:worker_threads";
import { AT_ONCE, recoverSome, SIGNATURE } from "./signatures.ts";

/** Recovers the signers of many signatures. */
export interface Signers {
  /** The module's answers, in the order of the signatures. */
  recover(signatures: Buffer): Promise<Buffer>;
}

export interface SignerThreads extends Signers {
  close(): Promise<void>;
}

/** Fewer take less time than a message to a thread and back. */
const THREADED_MIN = 8;
const TASK = "recover signers";

const partsOf = (signatures: Uint8Array): Uint8Array[] => {
  const bytes = AT_ONCE * SIGNATURE.length;
  return Array.from({ length: Math.ceil(signatures.length / bytes) }, (_, i) =>
    signatures.subarray(i * bytes, (i + 1) * bytes),
  );
};

/** Recovers in this thread, with a pause for other work every few milliseconds. */
export const OWN_THREAD: Signers = {
  async recover(signatures) {
    const answers: Buffer[] = [];
    for (const part of partsOf(signatures)) {
      if (answers.length > 0) await afterOthers();
      answers.push(recoverSome(part));
    }
    return Buffer.concat(answers);
  },
};

interface Job {
  readonly signatures: Buffer;
  readonly resolve: (answers: Buffer | Promise<Buffer>) => void;
}

interface ThreadMessage {
  readonly id: number;
  readonly bytes: Uint8Array;
}

/** Hands a copy over: a message with a view would copy all of the memory behind it. */
const send = (port: Pick<MessagePort, "postMessage">, { id, bytes }: ThreadMessage): void => {
  const own = Uint8Array.from(bytes);
  port.postMessage({ id, bytes: own } satisfies ThreadMessage, [own.buffer]);
};

/** One thread. Jobs of a thread that ends are done by this one. */
class SignerThread {
  readonly #worker: Worker;
  readonly #jobs = new Map<number, Job>();
  #sent = 0;
  is_gone = false;

  constructor() {
    this.#worker = new Worker(programFile(), { workerData: TASK });
    // An idle thread must not keep the process alive.
    this.#worker.unref();
    this.#worker.on("message", ({ id, bytes }: ThreadMessage) => {
      this.#jobs.get(id)?.resolve(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length));
      this.#end(id);
    });
    // An error ends the thread.
    this.#worker.on("error", () => undefined);
    this.#worker.on("exit", () => this.#leave());
  }

  get waiting(): number {
    return this.#jobs.size;
  }

  recover(signatures: Buffer): Promise<Buffer> {
    this.#sent += 1;
    const id = this.#sent;
    this.#worker.ref();
    return new Promise((resolve) => {
      this.#jobs.set(id, { signatures, resolve });
      send(this.#worker, { id, bytes: signatures });
    });
  }

  close(): Promise<unknown> {
    return this.#worker.terminate();
  }

  #end(id: number): void {
    this.#jobs.delete(id);
    if (this.#jobs.size === 0) this.#worker.unref();
  }

  #leave(): void {
    this.is_gone = true;
    for (const { signatures, resolve } of this.#jobs.values()) resolve(OWN_THREAD.recover(signatures));
    this.#jobs.clear();
  }
}

/** At most `count` threads, started when they are needed; 0: everything is done in this thread. */
export const openSignerThreads = (count: number): SignerThreads => {
  let threads: readonly SignerThread[] = [];
  let is_closed = false;
  const idlest = (): SignerThread | null => {
    threads = threads.filter(({ is_gone }) => !is_gone);
    const [best] = [...threads].sort((a, b) => a.waiting - b.waiting);
    if (best !== undefined && (best.waiting === 0 || threads.length >= count)) return best;
    if (is_closed || count === 0) return null;
    const fresh = new SignerThread();
    threads = [...threads, fresh];
    return fresh;
  };
  return {
    async recover(signatures) {
      const thread = signatures.length < THREADED_MIN * SIGNATURE.length ? null : idlest();
      return (thread ?? OWN_THREAD).recover(signatures);
    },
    async close() {
      is_closed = true;
      await Promise.all(threads.map((thread) => thread.close()));
    },
  };
};

/** This file itself, or its compiled copy when it runs as TypeScript (tests). */
const programFile = (): string => {
  const here = fileURLToPath(import.meta.url);
  if (!here.endsWith(".ts")) return here;
  const compiled = fileURLToPath(new URL("../../../../dist/src/chains/evm/verify/signer_threads.js", import.meta.url));
  if (existsSync(compiled)) return compiled;
  throw new Error(`${compiled} is missing: run 'node scripts/build.mjs'`);
};

/** Main function of the thread. */
const serve = (port: MessagePort): void => {
  port.on("message", ({ id, bytes }: ThreadMessage) => {
    send(port, { id, bytes: Buffer.concat(partsOf(bytes).map(recoverSome)) });
  });
};

if (!isMainThread && parentPort !== null && workerData === TASK) serve(parentPort);
