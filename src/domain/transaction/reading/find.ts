import type { Chain } from "../../../chains/chain.ts";
import type { TransactionDetails } from "../../../chains/transaction_details.ts";
import type { Hex } from "../../../lib/bytes.ts";
import { AssayError } from "../../../lib/errors.ts";
import type { ParsedByNetwork, PinnedBlock } from "../../../lib/parsed.ts";
import type { Snapshot } from "../../../store/facts.ts";
import type { CallContext } from "../../context.ts";
import { type NetworkAnswers, queryNetworks } from "../../networks.ts";

/**
 * Meaning of a hash that neither nodes nor the index know. `proven`: the network's whole history up to its final block
 * is indexed and does not contain it. `not_indexed`: part of the history is not indexed. `maybe_vote`: the history is
 * indexed, but votes only as sums, which have no signatures.
 */
type Absence = "proven" | "not_indexed" | "maybe_vote";

/** Facts of one network about a hash. */
interface HashResult {
  readonly snapshot: Snapshot;
  readonly seen: TransactionDetails | null;
  /** Null when the hash is known. */
  readonly absence: Absence | null;
}

export interface TransactionMatch {
  readonly chain: Chain;
  readonly snapshot: Snapshot;
  readonly seen: TransactionDetails;
}

export interface HashQuery {
  readonly tx_hash: ParsedByNetwork;
  /** Null: every network. */
  readonly network: string | null;
  readonly as_of_block: PinnedBlock | null;
}

const gone = (chain: Chain, block: number): AssayError => {
  const message = `The transaction is in block ${block} of ${chain.network.id}, but no node has it any more.`;
  return new AssayError({ code: "COVERAGE_INCOMPLETE", message, public: message });
};

/** The index does not cover blocks before its start, and a node may have pruned them. */
const absenceFrom = async (chain: Chain, snapshot: Snapshot, { facts, signal }: CallContext): Promise<Absence> => {
  const { coverage, block } = snapshot;
  if (!coverage.complete || coverage.gaps.length > 0 || coverage.from_block > 1) return "not_indexed";
  if (block.number < (await chain.finalized(signal))) return "not_indexed";
  if (chain.can.vote_program === undefined) return "proven";
  const votes = await facts.ask(snapshot, "reading/summed_votes", {});
  return votes.length === 0 ? "proven" : "maybe_vote";
};

const readHash = async (
  [chain, hash]: readonly [Chain, Hex],
  { as_of_block }: HashQuery,
  context: CallContext,
): Promise<HashResult> => {
  const { facts, signal } = context;
  const snapshot = await facts.snapshot(chain.network.id, as_of_block);
  const [seen, [scope]] = await Promise.all([
    chain.transaction(hash, signal),
    facts.ask(snapshot, "reading/place", { hash }),
  ]);
  if (seen === null) {
    if (scope !== undefined) throw gone(chain, scope.block_number);
    return { snapshot, seen, absence: await absenceFrom(chain, snapshot, context) };
  }
  const number = seen.mined?.block.number ?? Number.POSITIVE_INFINITY;
  // As of an earlier block it did not exist yet.
  if (as_of_block !== null && number > snapshot.block.number) return { snapshot, seen: null, absence: "proven" };
  if (seen.mined !== null) await facts.hold(snapshot, number);
  return { snapshot, seen, absence: null };
};

export interface TransactionMatches {
  /** The hash in the format of its network. */
  readonly tx_hash: string;
  readonly spread: NetworkAnswers<HashResult>;
  /** Most recent first; a pending transaction is the most recent. */
  readonly found: readonly TransactionMatch[];
}

const timeOf = ({ seen }: TransactionMatch): number => seen.mined?.block.time ?? Number.MAX_SAFE_INTEGER;

/** Looks a hash up on the named network, or on all networks of this instance with that hash format. */
export const locate = async (search: HashQuery, context: CallContext): Promise<TransactionMatches> => {
  const ids = search.network === null ? context.networks : [search.network];
  const { text, by_network } = search.tx_hash;
  const chains = ids.filter((id) => by_network.has(id)).map((id) => context.chain(id));
  const spread = await queryNetworks(search.network ?? "all", chains, async (chain) => {
    const value = await readHash([chain, by_network.get(chain.network.id) ?? ""], search, context);
    return { basis: value.snapshot, value };
  });
  const found = spread.answered.flatMap(({ chain, value: { seen, snapshot } }): readonly TransactionMatch[] =>
    seen === null ? [] : [{ chain, snapshot, seen }],
  );
  // Array.sort is stable: networks with equal times stay in configuration order.
  const [chain] = chains;
  const tx_hash = chain?.formatHash(by_network.get(chain.network.id) ?? "") ?? text;
  return { tx_hash, spread, found: [...found].sort((a, b) => timeOf(b) - timeOf(a)) };
};
