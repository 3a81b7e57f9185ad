/** Health of one process and of its networks, asked of the stores, the indexers and the nodes whenever somebody looks. */
import type { AccountsStore } from "./accounts/open.ts";
import type { OpenChain } from "./chains/open_chain.ts";
import type { NetworkIndexer } from "./indexer/run.ts";
import { AssayError, messageOf } from "./lib/errors.ts";
import type { NetworkStatus, ReadStatus } from "./lib/status.ts";
import type { FactsStore } from "./store/open.ts";

interface Parts {
  readonly accounts: AccountsStore;
  readonly facts: FactsStore;
  readonly networks: readonly { readonly chain: OpenChain; readonly indexer: NetworkIndexer | null }[];
  readonly stop: AbortSignal;
}

export const openStatus =
  ({ accounts, facts, networks, stop }: Parts): ReadStatus =>
  async () => {
    const [accountsAnswer, factsAnswer, ...states] = await Promise.all([
      answers(() => accounts.look()),
      answers(() => facts.engine.query("SELECT 1")),
      ...networks.map(({ chain, indexer }) =>
        indexer === null ? storedStatus(chain, facts, stop) : indexedStatus(chain, facts, indexer),
      ),
    ]);
    return {
      accounts: accountsAnswer,
      facts: factsAnswer,
      networks: Object.fromEntries(networks.map(({ chain }, i) => [chain.network.id, states[i] ?? UNKNOWN])),
    };
  };

const answers = async (question: () => Promise<unknown>): Promise<boolean> => {
  try {
    await question();
    return true;
  } catch {
    return false; // "does it answer" is the question, and this is the answer no
  }
};

const UNKNOWN: NetworkStatus = {
  head: null,
  indexed: null,
  lag_blocks: null,
  from_block: null,
  verified: null,
  disagreements: 0,
  state: "starting",
  blocks_per_second: null,
  remaining_blocks: null,
  problem: null,
};

/** Status of a network that this process indexes: what was verified is what the store holds, earlier runs included. */
const indexedStatus = async (
  { network, disagreements }: OpenChain,
  { facts }: FactsStore,
  indexer: NetworkIndexer,
): Promise<NetworkStatus> => {
  const status = { ...indexer.status(), disagreements };
  try {
    const { coverage } = await facts.snapshot(network.id, null);
    return { ...status, verified: coverage.verified };
  } catch (error) {
    const is_empty = error instanceof AssayError && error.code === "COVERAGE_INCOMPLETE";
    return { ...status, verified: null, problem: status.problem ?? (is_empty ? null : messageOf(error)) };
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
      lag_blocks: Math.max(0, head.number - block.number),
      from_block,
      verified: coverage.verified,
      disagreements: chain.disagreements,
      state: "following",
    };
  } catch (error) {
    return { ...UNKNOWN, problem: messageOf(error) };
  }
};
