/** A limit of 60 calls a minute on two services that share it, in real time. */
import { setTimeout as sleep } from "node:timers/promises";
import type { Callers } from "./callers.ts";

const LIMIT = 60;
const WINDOW_MS = 60_000;
/** More than two windows. */
const FOR_MS = 130_000;
/** A second and the jitter of the connection: two calls 60 apart must not arrive closer than they were sent. */
const PACE_MS = 1_010;

export interface RateFaults {
  /** Windows with too many calls, and rejections at a fair pace. */
  readonly faults: readonly [number, number];
  readonly words: string;
}

export const rateFaults = async (
  callers: Callers,
  secrets: { readonly hasty: string; readonly paced: string },
): Promise<RateFaults> => {
  const until = performance.now() + FOR_MS;
  const admitted: { sent: number; answered: number }[] = [];
  let tried = 0;
  const hasty = callers.each(async (caller) => {
    while (performance.now() < until) {
      const sent = performance.now();
      tried += 1;
      const end = await caller.call({ secret: secrets.hasty, tool: "answer", idempotency_key: null });
      if (end === "charged") admitted.push({ sent, answered: performance.now() });
      else await sleep(25);
    }
  });
  let [paced, refused] = [0, 0];
  const fair = async () => {
    const from = performance.now();
    for (; performance.now() < until; paced += 1) {
      await sleep(Math.max(0, from + paced * PACE_MS - performance.now()));
      const ways = callers.each((caller) => caller);
      const end = await ways[paced % ways.length]?.call({
        secret: secrets.paced,
        tool: "answer",
        idempotency_key: null,
      });
      if (end !== "charged") refused += 1;
    }
  };
  await Promise.all([...hasty, fair()]);
  admitted.sort((x, y) => x.sent - y.sent);
  // From the sending of the first of sixty-one to the answer of the last: all of them entered in that time.
  const spans = admitted.flatMap((first, at) => {
    const last = admitted[at + LIMIT];
    return last === undefined ? [] : [last.answered - first.sent];
  });
  const crowded = spans.filter((span) => span < WINDOW_MS);
  const words = `${admitted.length} of ${tried} calls in ${FOR_MS / 1_000} s were let in, the closest ${LIMIT + 1} within ${(Math.min(...spans) / 1_000).toFixed(3)} s; ${paced} calls ${PACE_MS} ms apart, ${refused} refused`;
  return { faults: [crowded.length, refused], words };
};
