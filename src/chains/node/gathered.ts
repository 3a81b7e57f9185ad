import { AsyncLocalStorage } from "node:async_hooks";
import { setMaxListeners } from "node:events";
import { BadAnswer } from "./answer.ts";
import type { RpcAnswer, RpcCall } from "./json_rpc.ts";
import { orAborted } from "./or_aborted.ts";
import { Refusal } from "./refusal.ts";

type Ask = (calls: readonly RpcCall[], signal: AbortSignal) => Promise<readonly RpcAnswer[]>;

export interface GatheredParts {
  /** Calls that one request may have now. */
  readonly batch: () => number;
  /** Asks all in one request, which is nobody's step. */
  readonly together: Ask;
  /** Asks in requests of their own, each of them a step. */
  readonly alone: Ask;
  /** What was asked together, as a step of one of those who asked. */
  readonly step: (
    calls: readonly RpcCall[],
    work: () => Promise<readonly RpcAnswer[]>,
  ) => Promise<readonly RpcAnswer[]>;
}

interface Wish {
  readonly calls: readonly RpcCall[];
  readonly signal: AbortSignal;
  /** Runs work on behalf of whoever wished. */
  readonly run: <T>(work: () => T) => T;
  readonly resolve: (answers: Promise<readonly RpcAnswer[]>) => void;
}

/**
 * Calls of one moment in as few requests as the node takes: short reads that many parts of an answer want at once travel together
 * instead of waiting for one another. Whoever is given up leaves the others alone, and what is wrong with one answer is nobody
 * else's: then each is asked alone.
 */
export class Gathered {
  readonly #parts: GatheredParts;
  #wishes: Wish[] = [];

  constructor(parts: GatheredParts) {
    this.#parts = parts;
  }

  /** Answers in the order of `calls`. @throws what a request of its own throws */
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

  #sendGroup(group: readonly Wish[]): void {
    const { together, alone, step } = this.#parts;
    const askAlone = ({ calls, signal }: Wish): Promise<readonly RpcAnswer[]> => alone(calls, signal);
    if (group.length === 1) {
      for (const wish of group) wish.resolve(wish.run(() => askAlone(wish)));
      return;
    }
    const given_up = whenAll(group.map(({ signal }) => signal));
    const calls = group.flatMap((wish) => wish.calls);
    const all = together(calls, given_up.signal).finally(given_up.leave);
    // Each of them hears of it, unless all have been given up.
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

/** It may be the answer to one call that is too large, or no answer at all. */
const isOfSomeone = (error: unknown): boolean =>
  error instanceof BadAnswer || (error instanceof Refusal && error.reason === "size");

const withResolver = () => {
  let resolve: Wish["resolve"] = () => undefined;
  const promise = new Promise<readonly RpcAnswer[]>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
};

/** In their order, as many together as one request may have. */
const groupsOf = (wishes: readonly Wish[], batch: number): readonly (readonly Wish[])[] => {
  const groups: Wish[][] = [];
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

/** Aborted once all of them are; `leave` when that no longer matters. */
const whenAll = (signals: readonly AbortSignal[]): { readonly signal: AbortSignal; readonly leave: () => void } => {
  const all = new AbortController();
  const left = new AbortController();
  // Each of the signals listens to it, and goes when it does.
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
