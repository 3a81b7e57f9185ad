/** Health of one process and of its networks, read from the stores, the indexers and the nodes on each request. */
import type { AccountsStore } from "../accounts/open.ts";
import type { OpenChain } from "../chains/open_chain.ts";
import type { LeasedIndexer } from "../indexer/leased_indexer.ts";
import { AssayError, messageOf } from "../lib/errors.ts";
import { type IndexerStatus, type NetworkStatus, type ReadStatus, troubleOf } from "../lib/status.ts";
import type { FactsStore } from "../store/open.ts";
import type { NetworkSet } from "./network_set.ts";

/** A network of this process; `indexer` is null when another process indexes it. */
export interface OpenNetwork {
  readonly chain: OpenChain;
  readonly indexer: LeasedIndexer | null;
  /** Only the history of followed addresses is read. */
  readonly is_on_demand?: boolean;
}

/** Sources of the status of a process. */
export interface StatusOptions {
  readonly accounts: AccountsStore;
  readonly facts: FactsStore;
  readonly networks: Pick<NetworkSet, "open" | "absent">;
  readonly stop: AbortSignal;
}

/** Reads the status of the process and of its networks. */
export const openStatus = ({ accounts, facts, networks, stop }: StatusOptions): ReadStatus => {
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
    return false; // the check asks whether it answers, and a failure means no
  }
};

/** Health is requested often; this is how long data of networks that others index is cached. */
const KEPT_MS = 1_000;

/** The status of a network that another process indexes comes from the store. */
const networkReader = ({ chain, indexer, is_on_demand = false }: OpenNetwork, facts: FactsStore, stop: AbortSignal) => {
  const readStored = () => (is_on_demand ? followedStatus(chain, stop) : storedStatus(chain, facts, stop));
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
  priced_share: null,
};

/**
 * Status of a network that this process indexes: the verified blocks are those of the store, including earlier runs.
 */
const indexedStatus = async (
  { network, disagreements }: OpenChain,
  { facts }: FactsStore,
  { derives: _, ...own }: IndexerStatus,
): Promise<NetworkStatus> => {
  const status = { ...own, disagreements, gaps: withheldBlocks(own) };
  try {
    const { coverage, block } = await facts.snapshot(network.id, null);
    return {
      ...status,
      // Blocks of earlier runs are served even before this one has written any.
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

/** A node that announces newer blocks and fails to return them is behind. */
const withheldBlocks = ({
  problem,
  head,
  indexed,
}: Pick<IndexerStatus, "problem" | "head" | "indexed">): NetworkStatus["gaps"] =>
  problem !== null && head !== null && indexed !== null && indexed < head ? [[indexed + 1, head]] : [];

/** Status of a network on demand that another process reads: answers of each address end with a final block of the node. */
const followedStatus = async (chain: OpenChain, stop: AbortSignal): Promise<NetworkStatus> => {
  try {
    const [head, final] = await Promise.all([chain.head(stop), chain.finalized(stop)]);
    const lag_blocks = Math.max(0, head.number - final);
    const { disagreements } = chain;
    return { ...UNKNOWN, head: head.number, indexed: final, lag_blocks, disagreements, state: "following" };
  } catch (error) {
    return { ...UNKNOWN, problem: messageOf(error), trouble: troubleOf(error) };
  }
};

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
