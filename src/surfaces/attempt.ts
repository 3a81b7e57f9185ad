import type { CallContext } from "../domain/context.ts";
import { failed, type Outcome } from "../lib/outcome.ts";
import type { Facts, ListVersion, QueryName, Snapshot } from "../store/facts.ts";
import type { AnyTool } from "../tools/tool.ts";
import { askedOnce } from "./asked_once.ts";
import { withFigures } from "./figures.ts";
import { withSources } from "./sources_read.ts";

/** A run that saw the ground move under it is repeated at most this often. */
const ATTEMPTS_MAX = 3;

/** What a run stood on: the snapshots that it took, and the imported lists as they were when a question read them. */
interface Ground {
  readonly taken: readonly Snapshot[];
  readonly lists: ReadonlyMap<QueryName, Promise<readonly ListVersion[]>>;
}

/**
 * `facts` with one snapshot per network and block for the whole run, and a record of what was read. A question asked
 * twice is so bound to the same block both times.
 */
const recordGround = (facts: Facts): { readonly facts: Facts; readonly ground: Ground } => {
  const asked = new Map<string, Promise<Snapshot>>();
  const taken: Snapshot[] = [];
  const lists = new Map<QueryName, Promise<readonly ListVersion[]>>();
  const take = async (inner: Facts, network: string, as_of_block: number | null): Promise<Snapshot> => {
    const snapshot = await inner.snapshot(network, as_of_block);
    taken.push(snapshot);
    return snapshot;
  };
  const note = async (inner: Facts, query: QueryName): Promise<void> => {
    // Versions may be older than the rows that are read, never newer: what came in between is found in the end.
    const versions = lists.get(query) ?? inner.lists(query, "last_look");
    lists.set(query, versions);
    await versions;
  };
  const recorded = (inner: Facts): Facts => {
    const own: Pick<Facts, "snapshot" | "withSignal" | "ask" | "columns"> = {
      snapshot: (network, as_of_block) => {
        const key = `${network} ${as_of_block ?? ""}`;
        const first = asked.get(key) ?? take(inner, network, as_of_block);
        asked.set(key, first);
        return first;
      },
      withSignal: (signal) => recorded(inner.withSignal(signal)),
      ask: async (snapshot, query, params) => {
        await note(inner, query);
        return inner.ask(snapshot, query, params);
      },
      columns: async (snapshot, query, params) => {
        await note(inner, query);
        return inner.columns(snapshot, query, params);
      },
    };
    // A proxy, so that every other question reaches the store as it is.
    const noted = new Proxy(inner, {
      get: (target, name) => {
        if (Object.hasOwn(own, name)) return Reflect.get(own, name);
        const member: unknown = Reflect.get(target, name);
        return typeof member === "function" ? member.bind(target) : member;
      },
    });
    return askedOnce(noted);
  };
  return { facts: recorded(facts), ground: { taken, lists } };
};

/** The lists that were read, if all of them still stand as they did; null when one was replaced meanwhile. */
const steadyLists = async (facts: Facts, { lists }: Ground): Promise<readonly ListVersion[] | null> => {
  const found = new Map<string, ListVersion>();
  const both = [...lists].map(([query, versions]) => Promise.all([versions, facts.lists(query)]));
  for (const [before, now] of await Promise.all(both)) {
    if (JSON.stringify(before) !== JSON.stringify(now)) return null;
    for (const version of now) found.set(version.id, version);
  }
  return [...found.values()];
};

const areCurrent = async (facts: Facts, { taken }: Ground): Promise<boolean> =>
  (await Promise.all(taken.map((snapshot) => facts.isCurrent(snapshot)))).every((current) => current);

export interface Attempt {
  readonly outcome: Outcome<unknown>;
  readonly snapshots: readonly Snapshot[];
}

/**
 * Runs a tool until it ended on facts that no reorganisation, promotion or import of a list touched meanwhile, and names
 * the lists that it read; its numbers are rounded here, once. A throw on moved ground counts for nothing either.
 */
export const runOnSteadyFacts = async (
  tool: AnyTool,
  asked: unknown,
  freshContext: () => CallContext,
): Promise<Attempt> => {
  for (let attempt = 1; attempt <= ATTEMPTS_MAX; attempt += 1) {
    const context = freshContext();
    const { facts, ground } = recordGround(context.facts);
    try {
      const outcome: Outcome<unknown> = await tool.run(asked, { ...context, facts });
      const lists = await steadyLists(context.facts, ground);
      if (lists !== null && (await areCurrent(context.facts, ground)))
        return { outcome: withFigures(withSources(outcome, lists)), snapshots: ground.taken };
    } catch (error) {
      if (context.signal.aborted || (await areCurrent(context.facts, ground))) throw error;
    }
  }
  const message =
    "The newest blocks or the imported lists changed each time the answer was computed. Try again in a few seconds.";
  return { outcome: failed("COVERAGE_INCOMPLETE", message), snapshots: [] };
};
