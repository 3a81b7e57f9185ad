import type { CallContext } from "../../domain/context.ts";
import { keyOf } from "../../lib/key.ts";
import { failed, type Outcome } from "../../lib/outcome.ts";
import { overriding } from "../../lib/overriding.ts";
import type { PinnedBlock } from "../../lib/parsed.ts";
import type { Facts, ListVersion, QueryName, Snapshot } from "../../store/facts.ts";
import { warnOfOnDemand } from "../../tools/on_demand_warnings.ts";
import { asksPrices, warnOfPendingPrices, withWarnings } from "../../tools/pending_prices.ts";
import type { AnyTool } from "../../tools/tool.ts";
import { nameListSources } from "./list_sources.ts";
import { roundOutcome } from "./rounding.ts";

/** A run whose facts changed meanwhile is repeated at most this often. */
const ATTEMPTS_MAX = 3;

/** Queries whose answer at a snapshot never changes. Parts of one run send the same query without knowledge of each other. */
const REPEATABLE = ["ask", "columns", "walletBalances", "tokenHolders", "holderCounts", "balanceOf"] as const;

type Repeatable = (snapshot: Snapshot, ...args: unknown[]) => Promise<unknown>;

const queryKey = (
  name: string,
  { network, block, from_block, final_block }: Snapshot,
  args: readonly unknown[],
): string => keyOf([name, network, block.number, from_block, final_block, args]);

/**
 * Facts for one run of a tool that send each query once: a repeat at the same blocks has the first answer. Answers are kept as long as the
 * run, and no code changes them. Facts with another signal have a memo of their own: one part may still wait for a query that another part
 * has aborted.
 */
export const memoizeQueries = (facts: Facts): Facts => {
  const answers = new Map<string, Promise<unknown>>();
  const once = (name: (typeof REPEATABLE)[number]): Repeatable => {
    // The first argument of each is a snapshot (store/facts.ts).
    const query = facts[name].bind(facts) as Repeatable;
    return (snapshot, ...args) => {
      const key = queryKey(name, snapshot, args);
      const known = answers.get(key);
      if (known !== undefined) return known;
      const answer = query(snapshot, ...args);
      answers.set(key, answer);
      // Every waiting part gets the failure; a later query is sent again.
      answer.catch(() => answers.delete(key));
      return answer;
    };
  };
  const own: ReadonlyMap<string | symbol, Repeatable> = new Map(REPEATABLE.map((name) => [name, once(name)]));
  return new Proxy(facts, { get: (target, name) => own.get(name) ?? Reflect.get(target, name) });
};

/** The facts that a run has read: its snapshots, and the versions of imported lists when its queries read them. */
interface ReadFacts {
  readonly snapshots: readonly Snapshot[];
  readonly lists: ReadonlyMap<QueryName, Promise<readonly ListVersion[]>>;
  /** Kinds of memory that it used (`Facts.own`). */
  readonly kinds: ReadonlySet<object>;
}

/**
 * `facts` with one snapshot per network and block for the whole run, and a record of the facts that are read. A repeated query is so
 * bound to the same block.
 */
const recordReads = (facts: Facts): { readonly facts: Facts; readonly read: ReadFacts } => {
  const requested = new Map<string, Promise<Snapshot>>();
  const snapshots: Snapshot[] = [];
  const lists = new Map<QueryName, Promise<readonly ListVersion[]>>();
  const kinds = new Set<object>();
  const open = async (inner: Facts, network: string, as_of_block: PinnedBlock | null): Promise<Snapshot> => {
    const snapshot = await inner.snapshot(network, as_of_block);
    snapshots.push(snapshot);
    return snapshot;
  };
  const noteLists = async (inner: Facts, query: QueryName): Promise<void> => {
    // The versions may be older than the rows that are read, never newer: the comparison after the run finds an import in between.
    const versions = lists.get(query) ?? inner.lists(query, "last_look");
    lists.set(query, versions);
    await versions;
  };
  const recorded = (inner: Facts): Facts => {
    const own: Pick<Facts, "snapshot" | "withSignal" | "ask" | "columns" | "stampOf" | "own"> = {
      own: (kind) => {
        kinds.add(kind);
        return inner.own(kind);
      },
      snapshot: (network, as_of_block) => {
        const key = keyOf([network, as_of_block]);
        const first = requested.get(key) ?? open(inner, network, as_of_block);
        requested.set(key, first);
        return first;
      },
      withSignal: (signal) => recorded(inner.withSignal(signal)),
      ask: async (snapshot, query, params) => {
        await noteLists(inner, query);
        return inner.ask(snapshot, query, params);
      },
      columns: async (snapshot, query, params) => {
        await noteLists(inner, query);
        return inner.columns(snapshot, query, params);
      },
      // A remembered result follows from the lists of its queries, too.
      stampOf: async (query, network) => {
        await noteLists(inner, query);
        return inner.stampOf(query, network);
      },
    };
    return memoizeQueries(overriding(inner, own));
  };
  return { facts: recorded(facts), read: { snapshots, lists, kinds } };
};

/** The lists that were read, if none of them was replaced since; otherwise null. */
const unchangedLists = async (facts: Facts, { lists }: ReadFacts): Promise<readonly ListVersion[] | null> => {
  const found = new Map<string, ListVersion>();
  const both = [...lists].map(([query, versions]) => Promise.all([versions, facts.lists(query)]));
  for (const [before, now] of await Promise.all(both)) {
    if (JSON.stringify(before) !== JSON.stringify(now)) return null;
    for (const version of now) found.set(version.id, version);
  }
  return [...found.values()];
};

const areCurrent = async (facts: Facts, { snapshots }: ReadFacts): Promise<boolean> =>
  (await Promise.all(snapshots.map((snapshot) => facts.isCurrent(snapshot)))).every((current) => current);

export interface ConsistentRun {
  readonly outcome: Outcome<unknown>;
  readonly snapshots: readonly Snapshot[];
}

/**
 * Runs a tool until a run ends without a reorganisation, a promotion or an import of a list in its facts. Names the lists that the run read,
 * and rounds its numbers. An error of a run whose facts changed is ignored too.
 */
export const runOnConsistentFacts = async (
  tool: AnyTool,
  input: unknown,
  freshContext: () => CallContext,
): Promise<ConsistentRun> => {
  for (let attempt = 1; attempt <= ATTEMPTS_MAX; attempt += 1) {
    const context = freshContext();
    const { facts, read } = recordReads(context.facts);
    try {
      const outcome: Outcome<unknown> = await tool.run(input, { ...context, facts });
      const pending = asksPrices(read.kinds) ? await warnOfPendingPrices({ ...context, facts }, read.snapshots) : [];
      const told = withWarnings(outcome, [...warnOfOnDemand(context, read.snapshots, read.lists), ...pending]);
      const lists = await unchangedLists(context.facts, read);
      if (lists !== null && (await areCurrent(context.facts, read)))
        return { outcome: roundOutcome(nameListSources(told, lists)), snapshots: read.snapshots };
    } catch (error) {
      if (context.signal.aborted || (await areCurrent(context.facts, read))) throw error;
    }
  }
  const message =
    "The newest blocks or the imported lists changed each time the answer was computed. Try again in a few seconds.";
  return { outcome: failed("COVERAGE_INCOMPLETE", message), snapshots: [] };
};
