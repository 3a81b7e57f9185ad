/** Recovers signers in threads of their own, which leaves the main thread to other work (docs/design/verification.md). */
import { existsSync } from "node:fs";
import { setImmediate as afterOthers } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { isMainThread, type MessagePort, parentPort, Worker, workerData } from "node:worker_threads";
import { type Bytes, EMPTY } from "../../../lib/bytes.ts";
import { rememberSigners, type Signers } from "./known_signers.ts";
import { CLAIM, CLAIMS_AT_ONCE, SIGNATURE, SIGNER } from "./signatures.ts";
import { answersTo, type SignerWork } from "./signer_work.ts";

export interface SignerThreads extends Signers {
  close(): Promise<void>;
}

/** Less takes less time than a message to a thread and back. */
const THREADED_MIN_BYTES = 8 * SIGNATURE.length;
/** Claims of a step in the main thread: 5 ms. */
const OWN_CLAIMS_AT_ONCE = 128;
const TASK = "recover signers";

/** Works in this thread, with a pause for other work every few milliseconds. */
const answerHere = async (work: SignerWork): Promise<Buffer> => {
  const answers: Buffer[] = [];
  for (const answer of answersTo(work, OWN_CLAIMS_AT_ONCE)) {
    await afterOthers();
    answers.push(answer);
  }
  return Buffer.concat(answers);
};

/** Recovers in this thread, and remembers nothing. */
export const OWN_THREAD: Signers = {
  recover: (signatures) => answerHere({ signatures, claims: Buffer.alloc(0) }),
};

interface Job {
  readonly work: SignerWork;
  readonly resolve: (answers: Buffer | Promise<Buffer>) => void;
}

/** Gives each job its answers: all signatures come before all claims. */
const resolveAll = (jobs: readonly Job[], answers: Buffer): void => {
  let next = 0;
  const take = (count: number): Buffer => {
    const from = next;
    next += count * SIGNER.length;
    return answers.subarray(from, next);
  };
  const plain = jobs.map(({ work }) => take(work.signatures.length / SIGNATURE.length));
  for (const [i, { work, resolve }] of jobs.entries())
    resolve(Buffer.concat([plain[i] ?? EMPTY, take(work.claims.length / CLAIM.length)]));
};

/** One thread. It works on all jobs that waited together, because many claims at once take less time. */
class SignerThread {
  readonly #worker: Worker;
  #waiting: Job[] = [];
  #running: readonly Job[] = [];
  is_gone = false;

  constructor() {
    this.#worker = new Worker(programFile(), { workerData: TASK });
    // An idle thread must not keep the process alive.
    this.#worker.unref();
    this.#worker.on("message", (answers: Bytes) => {
      resolveAll(this.#running, Buffer.from(answers.buffer, answers.byteOffset, answers.length));
      this.#running = [];
      this.#next();
    });
    // An error ends the thread.
    this.#worker.on("error", () => undefined);
    this.#worker.on("exit", () => this.#leave());
  }

  get waiting(): number {
    return this.#waiting.length + this.#running.length;
  }

  answer(work: SignerWork): Promise<Buffer> {
    return new Promise((resolve) => {
      this.#waiting.push({ work, resolve });
      if (this.#running.length === 0) this.#next();
    });
  }

  close(): Promise<unknown> {
    return this.#worker.terminate();
  }

  #next(): void {
    this.#running = this.#waiting.splice(0);
    if (this.#running.length === 0) {
      this.#worker.unref();
      return;
    }
    this.#worker.ref();
    const works = this.#running.map(({ work }) => work);
    // Copies: a message with a view would copy all of the memory behind it.
    const signatures = Uint8Array.from(Buffer.concat(works.map((work) => work.signatures)));
    const claims = Uint8Array.from(Buffer.concat(works.map((work) => work.claims)));
    this.#worker.postMessage({ signatures, claims } satisfies SignerWork, [signatures.buffer, claims.buffer]);
  }

  /** Jobs of a thread that ends are done by this one. */
  #leave(): void {
    this.is_gone = true;
    for (const { work, resolve } of [...this.#running, ...this.#waiting.splice(0)]) resolve(answerHere(work));
    this.#running = [];
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
  const answer = (work: SignerWork): Promise<Buffer> => {
    const thread = work.signatures.length + work.claims.length < THREADED_MIN_BYTES ? null : idlest();
    return thread === null ? answerHere(work) : thread.answer(work);
  };
  return {
    ...rememberSigners(answer),
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
  port.on("message", (work: SignerWork) => {
    const answers = Uint8Array.from(Buffer.concat([...answersTo(work, CLAIMS_AT_ONCE)]));
    port.postMessage(answers, [answers.buffer]);
  });
};

if (!isMainThread && parentPort !== null && workerData === TASK) serve(parentPort);
