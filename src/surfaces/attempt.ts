import { failed, type Outcome } from "../lib/outcome.ts";
import type { Facts, Snapshot } from "../store/facts.ts";
import type { AnyTool, ToolContext } from "../tools/tool.ts";

/** A run that saw the ground move under it is repeated at most this often. */
const ATTEMPTS_MAX = 3;

/**
 * `facts` with one snapshot per network and block for the whole run, and a list of what was taken. A question asked
 * twice is so bound to the same block both times.
 */
const recordSnapshots = (facts: Facts): { readonly facts: Facts; readonly taken: readonly Snapshot[] } => {
  const asked = new Map<string, Promise<Snapshot>>();
  const taken: Snapshot[] = [];
  const take = async (inner: Facts, network: string, as_of_block: number | null): Promise<Snapshot> => {
    const snapshot = await inner.snapshot(network, as_of_block);
    taken.push(snapshot);
    return snapshot;
  };
  const recorded = (inner: Facts): Facts => {
    const snapshot: Facts["snapshot"] = (network, as_of_block) => {
      const key = `${network} ${as_of_block ?? ""}`;
      const first = asked.get(key) ?? take(inner, network, as_of_block);
      asked.set(key, first);
      return first;
    };
    const withSignal: Facts["withSignal"] = (signal) => recorded(inner.withSignal(signal));
    // A proxy, so that every other question reaches the store as it is.
    return new Proxy(inner, {
      get: (target, name) => {
        if (name === "snapshot") return snapshot;
        if (name === "withSignal") return withSignal;
        const member: unknown = Reflect.get(target, name);
        return typeof member === "function" ? member.bind(target) : member;
      },
    });
  };
  return { facts: recorded(facts), taken };
};

const areCurrent = async (facts: Facts, taken: readonly Snapshot[]): Promise<boolean> =>
  (await Promise.all(taken.map((snapshot) => facts.isCurrent(snapshot)))).every((current) => current);

export interface Attempt {
  readonly outcome: Outcome<unknown>;
  readonly snapshots: readonly Snapshot[];
}

/**
 * Runs a tool until it ended on facts that no reorganisation or promotion touched meanwhile. A throw on moved ground
 * counts for nothing either.
 */
export const runOnSteadyFacts = async (
  tool: AnyTool,
  input: unknown,
  freshContext: () => ToolContext,
): Promise<Attempt> => {
  for (let attempt = 1; attempt <= ATTEMPTS_MAX; attempt += 1) {
    const context = freshContext();
    const { facts, taken } = recordSnapshots(context.facts);
    try {
      const outcome: Outcome<unknown> = await tool.run(input, { ...context, facts });
      if (await areCurrent(context.facts, taken)) return { outcome, snapshots: taken };
    } catch (error) {
      if (context.signal.aborted || (await areCurrent(context.facts, taken))) throw error;
    }
  }
  const message = "The newest blocks were reorganised each time the answer was computed. Try again in a few seconds.";
  return { outcome: failed("COVERAGE_INCOMPLETE", message), snapshots: [] };
};
