import { pause } from "./pause.ts";

const LOOK_EVERY_MS = 500;

/**
 * Runs `work` once for each element of a list that changes in place: starts it for a new element and aborts its signal when the
 * element leaves the list. Settles after `stop`, when all runs have ended.
 */
export const forEachPresent = async <T extends object>(
  list: readonly T[],
  work: (one: T, signal: AbortSignal) => Promise<void>,
  { stop, look_every_ms = LOOK_EVERY_MS }: { readonly stop: AbortSignal; readonly look_every_ms?: number },
): Promise<void> => {
  const running = new Map<T, { readonly left: AbortController; readonly ended: Promise<void> }>();
  const all: Promise<void>[] = [];
  while (!stop.aborted) {
    for (const [one, { left }] of running) {
      if (list.includes(one)) continue;
      left.abort();
      running.delete(one);
    }
    for (const one of list) {
      if (running.has(one)) continue;
      const left = new AbortController();
      const ended = work(one, AbortSignal.any([stop, left.signal]));
      running.set(one, { left, ended });
      all.push(ended);
    }
    await pause(look_every_ms, stop);
  }
  await Promise.all(all);
};
