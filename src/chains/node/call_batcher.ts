import { AsyncLocalStorage } from "node:async_hooks";
import { setMaxListeners } from "node:events";
import { BadAnswer } from "./answer.ts";
import type { RpcAnswer, RpcCall } from "./json_rpc.ts";
import { orAborted } from "./or_aborted.ts";
import { NodeRefusal } from "./refusal.ts";

type SendCalls = (calls: readonly RpcCall[], signal: AbortSignal) => Promise<readonly RpcAnswer[]>;

export interface CallBatcherOptions {
  /** Calls that one request may have at present. */
  readonly batch: () => number;
  /** Sends all calls in one request, which belongs to no caller's trace. */
  readonly together: SendCalls;
  /** Sends calls in requests of their own, each of them a step. */
  readonly alone: SendCalls;
  /** Records a joint request as a step of one of its callers. */
  readonly step: (
    calls: readonly RpcCall[],
    work: () => Promise<readonly RpcAnswer[]>,
  ) => Promise<readonly RpcAnswer[]>;
}

interface QueuedCalls {
  readonly calls: readonly RpcCall[];
  readonly signal: AbortSignal;
  /** Runs work in the context of the caller. */
  readonly run: <T>(work: () => T) => T;
  readonly resolve: (answers: Promise<readonly RpcAnswer[]>) => void;
}

/**
 * Sends calls of one moment in as few requests as the node accepts: short reads that many parts of an answer need at
 * the same time travel together instead of waiting for one another. A caller that gives up does not affect the others.
 * A fault of one answer does not affect the others either: each call is then sent alone.
 */
export class CallBatcher {
  readonly #parts: CallBatcherOptions;
  #wishes: QueuedCalls[] = [];

  constructor(parts: CallBatcherOptions) {
    this.#parts = parts;
  }

  /** Answers in the order of `calls`. @throws the error of the call's own request */
  async ask(calls: readonly RpcCall[], signal: AbortSignal): Promise<readonly RpcAnswer[]> {
    const batch = this.#parts.batch();
    const parts: (readonly RpcCall[])[] = [];
    for (let at = 0; at < calls.length; at += batch) parts.push(calls.slice(at, at + batch));
    return (await Promise.all(parts.map((part) => this.#wish(part, signal)))).flat();
  }

  #wish(calls: readonly RpcCall[], signal: AbortSignal): Promise<readonly RpcAnswer[]> {
    const { promise, resolve } = withResolver();
    if (this.#wishes.length === 0) setImmediate(() => this.#send());
    this.#wishes.push({ calls, signal, run: AsyncLocalStorage.snapshot(), resolve });
    return promise;
  }

  #send(): void {
    const wishes = this.#wishes;
    this.#wishes = [];
    for (const group of groupsOf(wishes, this.#parts.batch())) this.#sendGroup(group);
  }

  #sendGroup(group: readonly QueuedCalls[]): void {
    const { together, alone, step } = this.#parts;
    const askAlone = ({ calls, signal }: QueuedCalls): Promise<readonly RpcAnswer[]> => alone(calls, signal);
    if (group.length === 1) {
      for (const wish of group) wish.resolve(wish.run(() => askAlone(wish)));
      return;
    }
    const given_up = whenAll(group.map(({ signal }) => signal));
    const calls = group.flatMap((wish) => wish.calls);
    const all = together(calls, given_up.signal).finally(given_up.leave);
    // Each caller receives the error, unless all have given up.
    all.catch(() => undefined);
    let next = 0;
    for (const wish of group) {
      const from = next;
      next += wish.calls.length;
      const own = async (): Promise<readonly RpcAnswer[]> => {
        const answers = await orAborted(all, wish.signal);
        return answers.slice(from, from + wish.calls.length);
      };
      const work = (): Promise<readonly RpcAnswer[]> =>
        step(wish.calls, own).catch((error) => {
          if (!isOfSomeone(error) || wish.signal.aborted) throw error;
          return askAlone(wish);
        });
      wish.resolve(wish.run(work));
    }
  }
}

/** The answer to one call may be too large or malformed. */
const isOfSomeone = (error: unknown): boolean =>
  error instanceof BadAnswer || (error instanceof NodeRefusal && error.reason === "size");

const withResolver = () => {
  let resolve: QueuedCalls["resolve"] = () => undefined;
  const promise = new Promise<readonly RpcAnswer[]>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
};

/** In order, as many together as one request may have. */
const groupsOf = (wishes: readonly QueuedCalls[], batch: number): readonly (readonly QueuedCalls[])[] => {
  const groups: QueuedCalls[][] = [];
  let left = 0;
  for (const wish of wishes) {
    if (wish.signal.aborted) wish.resolve(Promise.reject(wish.signal.reason));
    else {
      if (wish.calls.length > left) {
        groups.push([]);
        left = batch;
      }
      groups.at(-1)?.push(wish);
      left -= wish.calls.length;
    }
  }
  return groups;
};

/** A signal that aborts once all of `signals` have; call `leave` when that no longer matters. */
const whenAll = (signals: readonly AbortSignal[]): { readonly signal: AbortSignal; readonly leave: () => void } => {
  const all = new AbortController();
  const left = new AbortController();
  // Each of the signals adds a listener, and removes it when done.
  setMaxListeners(0, left.signal);
  const open = new Set(signals);
  for (const signal of open) {
    const giveUp = (): void => {
      open.delete(signal);
      if (open.size === 0) all.abort(signal.reason);
    };
    signal.addEventListener("abort", giveUp, { once: true, signal: left.signal });
  }
  return { signal: all.signal, leave: () => left.abort() };
};
