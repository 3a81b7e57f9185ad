import type { Chain } from "../../../chains/chain.ts";
import type { TransactionDetails } from "../../../chains/transaction_details.ts";
import type { Hex } from "../../../lib/bytes.ts";
import { AssayError } from "../../../lib/errors.ts";
import type { ParsedByNetwork } from "../../../lib/parsed.ts";
import type { Snapshot } from "../../../store/facts.ts";
import type { CallContext } from "../../context.ts";
import { askNetworks, type Spread } from "../../networks.ts";

/**
 * What it means that neither nodes nor index know a hash. `proven`: the network's whole history up to its final block is indexed
 * and does not hold it. `not_indexed`: some of it is not. `maybe_vote`: it is, but of votes it holds sums, which no signature is
 * found in.
 */
type Absence = "proven" | "not_indexed" | "maybe_vote";

/** What one network knows of a hash. */
interface Looked {
  readonly snapshot: Snapshot;
  readonly seen: TransactionDetails | null;
  /** Null where it is known. */
  readonly absence: Absence | null;
}

export interface Found {
  readonly chain: Chain;
  readonly snapshot: Snapshot;
  readonly seen: TransactionDetails;
}

export interface Search {
  readonly tx_hash: ParsedByNetwork;
  /** Null: every network. */
  readonly network: string | null;
  readonly as_of_block: number | null;
}

const gone = (chain: Chain, block: number): AssayError => {
  const message = `The transaction is in block ${block} of ${chain.network.id}, but no node keeps it any more.`;
  return new AssayError({ code: "COVERAGE_INCOMPLETE", message, public: message });
};

/** Blocks before the index are not looked through, and a node may have forgotten them. */
const absenceFrom = async (chain: Chain, snapshot: Snapshot, { facts, signal }: CallContext): Promise<Absence> => {
  const { coverage, block } = snapshot;
  if (!coverage.complete || coverage.gaps.length > 0 || coverage.from_block > 1) return "not_indexed";
  if (block.number < (await chain.finalized(signal))) return "not_indexed";
  if (chain.can.vote_program === undefined) return "proven";
  const votes = await facts.ask(snapshot, "reading/summed_votes", {});
  return votes.length === 0 ? "proven" : "maybe_vote";
};

const look = async (
  [chain, hash]: readonly [Chain, Hex],
  { as_of_block }: Search,
  context: CallContext,
): Promise<Looked> => {
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
  // As of an earlier block it had not happened yet.
  if (as_of_block !== null && number > as_of_block) return { snapshot, seen: null, absence: "proven" };
  return { snapshot, seen, absence: null };
};

export interface Located {
  /** The hash as its network writes it. */
  readonly tx_hash: string;
  readonly spread: Spread<Looked>;
  /** Most recent first; one that waits is the most recent. */
  readonly found: readonly Found[];
}

const timeOf = ({ seen }: Found): number => seen.mined?.block.time ?? Number.MAX_SAFE_INTEGER;

/** Looks a hash up on the network named, or on all that this instance reads and that write hashes so. */
export const locate = async (search: Search, context: CallContext): Promise<Located> => {
  const ids = search.network === null ? context.networks : [search.network];
  const { text, by_network } = search.tx_hash;
  const chains = ids.filter((id) => by_network.has(id)).map((id) => context.chain(id));
  const spread = await askNetworks(search.network ?? "all", chains, async (chain) => {
    const value = await look([chain, by_network.get(chain.network.id) ?? ""], search, context);
    return { basis: value.snapshot, value };
  });
  const found = spread.answered.flatMap(({ chain, value: { seen, snapshot } }): readonly Found[] =>
    seen === null ? [] : [{ chain, snapshot, seen }],
  );
  // Array.sort is stable: networks of one time stay in configuration order.
  const [chain] = chains;
  const tx_hash = chain?.formatHash(by_network.get(chain.network.id) ?? "") ?? text;
  return { tx_hash, spread, found: [...found].sort((a, b) => timeOf(b) - timeOf(a)) };
};
