/** Statements of transactions about crossings, read from a node. */
import type { Hex } from "../../../../lib/bytes.ts";
import { AssayError } from "../../../../lib/errors.ts";
import {
  isOneBridge,
  isOneCrossing,
  mayCrossTo,
  type StatedCrossing,
  statedCrossings,
} from "../../../../protocols/bridge_ids.ts";
import type { SnapshotContext } from "../../../context.ts";
import { type TransactionPosition, transactionHashes } from "../../../transaction_hashes.ts";
import { isSameAmount, type MovedSide } from "./side.ts";

type NodeScope = Pick<SnapshotContext, "facts" | "snapshot" | "chain">;

/** Null: no node answered, or the budget is used up. */
type Statements = readonly StatedCrossing[] | null;

/** Reads transactions once each, up to a budget, until `stop`. */
export class StatementReader {
  readonly #read = new Map<string, Promise<Statements>>();
  readonly #signal: AbortSignal;
  #left: number;

  constructor(budget: number, signal: AbortSignal) {
    this.#left = budget;
    this.#signal = signal;
  }

  /** All crossings that a transaction states. @param hash read from the index where omitted */
  async read(scope: NodeScope, place: TransactionPosition, hash?: Hex): Promise<Statements> {
    if (!scope.chain.can.contract_logs) return [];
    const key = `${scope.chain.network.id}:${place.block_number}:${place.tx_index}`;
    const known = this.#read.get(key);
    if (known !== undefined) return known;
    if (this.#left === 0) return null;
    this.#left -= 1;
    const reading = this.#ask(scope, place, hash);
    this.#read.set(key, reading);
    return reading;
  }

  async #ask(scope: NodeScope, place: TransactionPosition, known: Hex | undefined): Promise<Statements> {
    const hash = known ?? (await transactionHashes(scope, [place]))(place);
    if (hash === "") return [];
    try {
      const mined = (await scope.chain.transaction(hash, this.#signal))?.mined;
      if (mined?.block.number !== place.block_number) return null;
      return statedCrossings(mined.transaction.logs, scope.chain.network);
    } catch (error) {
      if (error instanceof AssayError || this.#signal.aborted) return null;
      throw error;
    }
  }

  /** Statements about this movement. Those that name its account or amount come before those that name neither. */
  async about(side: MovedSide): Promise<Statements> {
    const stated = await this.read(side.scope, side);
    return stated === null ? null : aboutOf(stated, side);
  }

  /** Whether both sides can belong together: neither states a crossing that the other cannot be. */
  async isOpen(a: MovedSide, b: MovedSide): Promise<boolean> {
    const [of_a, of_b] = await Promise.all([this.about(a), this.about(b)]);
    const [from_a, from_b] = [of_a ?? [], of_b ?? []];
    if (from_a.length > 0 && !from_a.some((stated) => mayCrossTo(stated, b.scope.chain.network))) return false;
    if (from_b.length > 0 && !from_b.some((stated) => mayCrossTo(stated, a.scope.chain.network))) return false;
    const pairs = from_a.flatMap((x) => from_b.filter((y) => isOneBridge(x, y)).map((y) => [x, y] as const));
    return pairs.length === 0 || pairs.some(([x, y]) => isOneCrossing(x, y));
  }
}

const aboutOf = (
  stated: readonly StatedCrossing[],
  { is_arrival, holder, amount }: MovedSide,
): readonly StatedCrossing[] => {
  const own = stated.filter((one) => one.is_arrival === is_arrival);
  const isExact = (one: StatedCrossing): boolean => one.amount !== null && isSameAmount(Number(one.amount), amount);
  const exact = own.filter(isExact);
  if (exact.length > 0) return exact;
  const named = own.filter(({ account }) => account === holder);
  return named.length > 0 ? named : own.filter((one) => one.account === null && one.amount === null);
};
