import { keyOf } from "../lib/key.ts";
import type { Facts, Snapshot } from "../store/facts.ts";

/** What facts answer at a snapshot, which never changes: parts of one run ask for the same without knowing of each other. */
const REPEATABLE = ["ask", "columns", "walletBalances", "tokenHolders", "holderCounts", "balanceOf"] as const;

type Repeatable = (snapshot: Snapshot, ...asked: unknown[]) => Promise<unknown>;

const nameOf = (
  name: string,
  { network, block, from_block, final_block }: Snapshot,
  asked: readonly unknown[],
): string => keyOf([name, network, block.number, from_block, final_block, asked]);

/**
 * Facts for one run of a tool: a question that was asked before, at the same blocks, has the answer of then. Answers are
 * held as long as the run, and nobody changes them. Facts with another signal remember for themselves: what was given up
 * in one place may be waited for in another.
 */
export const askedOnce = (facts: Facts): Facts => {
  const answers = new Map<string, Promise<unknown>>();
  const once = (name: (typeof REPEATABLE)[number]): Repeatable => {
    // Each takes a snapshot first (store/facts.ts).
    const ask = facts[name].bind(facts) as Repeatable;
    return (snapshot, ...asked) => {
      const key = nameOf(name, snapshot, asked);
      const known = answers.get(key);
      if (known !== undefined) return known;
      const answer = ask(snapshot, ...asked);
      answers.set(key, answer);
      // A failure is that of everybody who waits for it; who asks later asks anew.
      answer.catch(() => answers.delete(key));
      return answer;
    };
  };
  const own: ReadonlyMap<string | symbol, Repeatable> = new Map(REPEATABLE.map((name) => [name, once(name)]));
  return new Proxy(facts, { get: (target, name) => own.get(name) ?? Reflect.get(target, name) });
};
