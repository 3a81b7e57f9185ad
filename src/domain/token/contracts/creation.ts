import type { Block, Chain, Transaction } from "../../../chains/chain.ts";
import { EMPTY, type Hex, toHex } from "../../../lib/bytes.ts";
import { AssayError } from "../../../lib/errors.ts";
import type { QueryRow } from "../../../store/facts.ts";
import type { IndexedFacts } from "../../context.ts";

/** Block, transaction and method of a contract's creation; null = not known or none. */
export interface ContractCreation {
  readonly found_in: "index" | "node";
  readonly block_number: number;
  /** Unix seconds. */
  readonly time: number;
  readonly tx_hash: Hex | null;
  readonly deployer: Hex | null;
  /** The contract that ran the creation; null when the transaction itself did. */
  readonly factory: Hex | null;
  /** Null when the block was read without inner calls and no transaction created it directly. */
  readonly method: "create" | "create2" | "predeploy" | "genesis" | null;
  readonly init_hash: Hex | null;
}

/** Reads the newest creation in the index; null when it has none. */
export const readCreation = async (
  { facts, snapshot }: IndexedFacts,
  contract: Hex,
): Promise<QueryRow<"contracts/life"> | null> => {
  const life = await facts.ask(snapshot, "contracts/life", { contract });
  return life.findLast(({ event }) => event === "created") ?? null;
};

export type IndexedCreation = Awaited<ReturnType<typeof readCreation>>;

export interface CreationQuery {
  readonly chain: Chain;
  readonly contract: Hex;
  readonly signal: AbortSignal;
}

/** Smallest number in [low, high] for which `holds`, which is monotonic and true at `high`. */
const firstWhere = async (
  [low, high]: readonly [number, number],
  holds: (number: number) => Promise<boolean>,
): Promise<number> => {
  let from = low;
  let to = high;
  while (from < to) {
    const middle = Math.floor((from + to) / 2);
    if (await holds(middle)) to = middle;
    else from = middle + 1;
  }
  return from;
};

/** The chain's first block: 0, except on chains that started at a later number. */
const firstBlock = async ({ chain, signal }: CreationQuery, high: number): Promise<number> =>
  firstWhere([0, high], async (number) => (await chain.ref(number, signal)) !== null);

interface CreationMatch {
  readonly transaction: Transaction;
  readonly creation: Pick<ContractCreation, "factory" | "method" | "init_hash">;
}

/** The transaction of a block that created the contract, and how. */
const creationIn = (block: Block, contract: Hex): CreationMatch | null => {
  for (const transaction of block.transactions) {
    if (toHex(transaction.created_contract ?? EMPTY) === contract) {
      return { transaction, creation: { factory: null, method: "create", init_hash: null } };
    }
    const call = transaction.calls.find(
      ({ kind, recipient }) => (kind === "create" || kind === "create2") && toHex(recipient) === contract,
    );
    if (call === undefined) continue;
    const init_hash = call.init_hash === null ? null : toHex(call.init_hash);
    const method = call.kind === "create2" ? "create2" : "create";
    return { transaction, creation: { factory: toHex(call.sender), method, init_hash } };
  }
  return null;
};

/**
 * Searches for the first block whose state has the contract's code, then for the transaction that created it. `high`: a
 * block that has the code. Needs old states. Of a contract that was destroyed and created again, it finds one of the
 * creations.
 */
export const searchCreation = async (search: CreationQuery, high: number): Promise<ContractCreation> => {
  const { chain, contract, signal } = search;
  const first = await firstBlock(search, high);
  const number = await firstWhere([first, high], async (at) => {
    const { code } = await chain.account(contract, signal, at);
    return code.length > 0;
  });
  const [block] = await chain.blocks(number, number, signal);
  if (block === undefined) throw new RangeError(`the node returned no block ${number}`);
  const shared = { found_in: "node" as const, block_number: number, time: block.time };
  const nobody = { ...shared, tx_hash: null, deployer: null, factory: null, init_hash: null };
  const found = creationIn(block, contract);
  if (found === null) {
    if (number === first) return { ...nobody, method: "genesis" };
    return { ...nobody, method: block.has_traces ? "predeploy" : null };
  }
  const { transaction, creation } = found;
  return { ...shared, tx_hash: toHex(transaction.hash), deployer: toHex(transaction.sender), ...creation };
};

/** Reads the creating transaction; null when the node does not answer, because the answer works without it. */
export const creatingTransaction = async (
  { chain, signal }: Pick<CreationQuery, "chain" | "signal">,
  { block_number, tx_hash }: Pick<ContractCreation, "block_number" | "tx_hash">,
): Promise<Transaction | null> => {
  if (tx_hash === null) return null;
  try {
    const [block] = await chain.blocks(block_number, block_number, signal);
    return block?.transactions.find(({ hash }) => toHex(hash) === tx_hash) ?? null;
  } catch (error) {
    if (error instanceof AssayError && error.code === "UPSTREAM_UNAVAILABLE") return null;
    throw error;
  }
};
