/** Health of one process and of its networks, asked of the stores, the indexers and the nodes whenever somebody looks. */
import type { AccountsStore } from "../accounts/open.ts";
import type { OpenChain } from "../chains/open_chain.ts";
import type { LeasedIndexer } from "../indexer/tenure.ts";
import { AssayError, messageOf } from "../lib/errors.ts";
import { type IndexerStatus, type NetworkStatus, type ReadStatus, troubleOf } from "../lib/status.ts";
import type { FactsStore } from "../store/open.ts";
import type { NetworkSet } from "./network_set.ts";

/** A network of this process; `indexer` is null where it reads what others index. */
export interface OpenNetwork {
  readonly chain: OpenChain;
  readonly indexer: LeasedIndexer | null;
}

/** What the status of a process is made of. */
export interface StatusParts {
  readonly accounts: AccountsStore;
  readonly facts: FactsStore;
  readonly networks: Pick<NetworkSet, "open" | "absent">;
  readonly stop: AbortSignal;
}

/** What the process knows of itself and of its networks. */
export const openStatus = ({ accounts, facts, networks, stop }: StatusParts): ReadStatus => {
  const readers = new WeakMap<OpenNetwork, () => Promise<NetworkStatus>>();
  const readerOf = (network: OpenNetwork): (() => Promise<NetworkStatus>) => {
    const reader = readers.get(network) ?? networkReader(network, facts, stop);
    readers.set(network, reader);
    return reader;
  };
  return async () => {
    const open = networks.open;
    const [accountsAnswer, factsAnswer, ...states] = await Promise.all([
      answers(() => accounts.look()),
      answers(() => facts.engine.query("SELECT 1")),
      ...open.map((network) => readerOf(network)()),
    ]);
    const running = open.map(({ chain }, i) => [chain.network.id, states[i] ?? UNKNOWN] as const);
    const absent = [...networks.absent].map(([id, problem]) => [id, absentStatus(problem)] as const);
    return {
      accounts: accountsAnswer,
      facts: factsAnswer,
      networks: Object.fromEntries([...running, ...absent]),
    };
  };
};

/** A configured network that does not run. */
const absentStatus = (problem: string): NetworkStatus => ({ ...UNKNOWN, state: "absent", problem, trouble: "ABSENT" });

const answers = async (question: () => Promise<unknown>): Promise<boolean> => {
  try {
    await question();
    return true;
  } catch {
    return false; // "does it answer" is the question, and this is the answer no
  }
};

/** Whoever asks for the health asks often; what others index is asked of the store and the node this often. */
const KEPT_MS = 1_000;

/** A network that another process indexes is known by the store. */
const networkReader = ({ chain, indexer }: OpenNetwork, facts: FactsStore, stop: AbortSignal) => {
  const readStored = () => storedStatus(chain, facts, stop);
  let kept: { readonly at_ms: number; readonly stored: Promise<NetworkStatus> } | null = null;
  return async (): Promise<NetworkStatus> => {
    const own = indexer?.status();
    if (own === undefined) return readStored();
    if (own.state !== "waiting") return indexedStatus(chain, facts, own);
    const now_ms = performance.now();
    if (kept === null || now_ms - kept.at_ms > KEPT_MS) kept = { at_ms: now_ms, stored: readStored() };
    return { ...(await kept.stored), state: "waiting", indexed_by: own.indexed_by, fills: own.fills };
  };
};

const UNKNOWN: NetworkStatus = {
  head: null,
  indexed: null,
  lag_blocks: null,
  from_block: null,
  verified: null,
  gaps: [],
  disagreements: 0,
  state: "starting",
  blocks_per_second: null,
  remaining_blocks: null,
  problem: null,
  trouble: null,
  indexed_at: null,
  indexed_by: null,
  fills: null,
};

/** Status of a network that this process indexes: what was verified is what the store holds, earlier runs included. */
const indexedStatus = async (
  { network, disagreements }: OpenChain,
  { facts }: FactsStore,
  { derives: _, ...own }: IndexerStatus,
): Promise<NetworkStatus> => {
  const status = { ...own, disagreements, gaps: keptBack(own) };
  try {
    const { coverage, block } = await facts.snapshot(network.id, null);
    return {
      ...status,
      // What earlier runs left is answered from also while this one has written nothing.
      indexed: own.indexed ?? block.number,
      indexed_at: block.time,
      verified: coverage.verified,
      gaps: [...coverage.gaps, ...status.gaps],
    };
  } catch (error) {
    const is_empty = error instanceof AssayError && error.code === "COVERAGE_INCOMPLETE";
    const problem = status.problem ?? (is_empty ? null : messageOf(error));
    const trouble = status.trouble ?? (is_empty ? null : troubleOf(error));
    return { ...status, verified: null, indexed_at: null, problem, trouble };
  }
};

/** A node that shows newer blocks and fails to give them keeps them back. */
const keptBack = ({
  problem,
  head,
  indexed,
}: Pick<IndexerStatus, "problem" | "head" | "indexed">): NetworkStatus["gaps"] =>
  problem !== null && head !== null && indexed !== null && indexed < head ? [[indexed + 1, head]] : [];

/** Status of a network that another process indexes. */
const storedStatus = async (chain: OpenChain, { facts }: FactsStore, stop: AbortSignal): Promise<NetworkStatus> => {
  try {
    const [snapshot, head] = await Promise.all([facts.snapshot(chain.network.id, null), chain.head(stop)]);
    const { block, from_block, coverage } = snapshot;
    return {
      ...UNKNOWN,
      head: head.number,
      indexed: block.number,
      indexed_at: block.time,
      lag_blocks: Math.max(0, head.number - block.number),
      from_block,
      verified: coverage.verified,
      gaps: coverage.gaps,
      disagreements: chain.disagreements,
      state: "following",
    };
  } catch (error) {
    return { ...UNKNOWN, problem: messageOf(error), trouble: troubleOf(error) };
  }
};
