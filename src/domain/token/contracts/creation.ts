import type { Block, Chain, Transaction } from "../../../chains/chain.ts";
import { type Bytes, EMPTY, type Hex, toHex } from "../../../lib/bytes.ts";
import { AssayError } from "../../../lib/errors.ts";
import { pause } from "../../../lib/pause.ts";
import type { QueryRow, Snapshot } from "../../../store/facts.ts";
import { delegateOf } from "../../address/code/account_code.ts";
import type { IndexedFacts, SnapshotContext } from "../../context.ts";

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

/** A search of many reads outlives the refusal of one of them. */
const [ATTEMPTS_MAX, REST_MS] = [4, 300];

const isPassing = (error: unknown): boolean => error instanceof AssayError && error.code === "UPSTREAM_UNAVAILABLE";

const codeAt = async ({ chain, contract, signal }: CreationQuery, at: number): Promise<Bytes> => {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return (await chain.account(contract, signal, at)).code;
    } catch (error) {
      if (!isPassing(error) || attempt === ATTEMPTS_MAX || signal.aborted) throw error;
      await pause(attempt * REST_MS, signal);
    }
  }
};

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

/**
 * The block after `low` and up to `high` that gave a contract its code; null if it had code before, or has none at the end. Needs old
 * states.
 */
export const creationBlock = async (
  search: CreationQuery,
  [low, high]: readonly [number, number],
): Promise<number | null> => {
  const hasCode = async (at: number): Promise<boolean> => {
    const code = await codeAt(search, at);
    return code.length > 0 && delegateOf(code) === null;
  };
  if (!(await hasCode(high)) || (await hasCode(low))) return null;
  return firstWhere([low + 1, high], hasCode);
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
  const number = await firstWhere([first, high], async (at) => (await codeAt(search, at)).length > 0);
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

/** A creation, with the place of its transaction. */
export type FoundCreation = Pick<
  QueryRow<"contracts/life">,
  "block_number" | "tx_hash" | "creator" | "factory" | "init_hash" | "time"
>;

/**
 * The creation of a deployed contract as the index has it; where a network is read on demand, as old states of the node show it. Null
 * without either.
 */
export const findCreation = async (scope: SnapshotContext, contract: Hex): Promise<FoundCreation | null> => {
  const { chain, snapshot, signal } = scope;
  if (snapshot.followed === undefined) return readCreation(scope, contract);
  if (!chain.can.archive) return null;
  const found = await searchCreation({ chain, contract, signal }, snapshot.block.number);
  const { tx_hash, deployer, factory, init_hash, block_number, time } = found;
  if (tx_hash === null || deployer === null) return null;
  return { block_number, time, tx_hash, creator: deployer, factory: factory ?? "", init_hash: init_hash ?? "" };
};

/** Creator of a contract and the time of its creation, as `findCreation` reads them; null when they are not known. */
export const creatorAndTime = async (
  scope: SnapshotContext,
  contract: Hex,
): Promise<Pick<FoundCreation, "creator" | "time"> | null> => {
  const { facts, snapshot } = scope;
  if (snapshot.followed !== undefined) return findCreation(scope, contract);
  const [created] = await facts.ask(snapshot, "creations_among", { addresses: [contract] });
  return created ?? null;
};

/** The sentence for an address without code. */
export const noCodeAt = (text: string, { network, followed }: Pick<Snapshot, "network" | "followed">): string =>
  followed === undefined
    ? `${text} has no code on ${network}, and the index knows no contract there.`
    : `${text} has no code on ${network}. The network is read on demand, so a contract that was destroyed is not known.`;

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
    if (isPassing(error)) return null;
    throw error;
  }
};
