/** Counterparties whose rows a call may use beside those of its own addresses. */
import type { Hex } from "../../lib/bytes.ts";
import type { ReadState, Snapshot } from "../facts.ts";
import type { SubjectRecord } from "./records.ts";

/** Followed addresses reach a new final block one after the other, within this time. */
const LAG_S = 600;

/** A counterparty as a call finds it. */
export interface Counterparty {
  readonly state: ReadState;
  /** Null: it is not followed. */
  readonly record: SubjectRecord | null;
}

/**
 * The newest block up to which all followed addresses are read, as the record of the one that ends there. An address that stays behind for
 * longer counts for none.
 */
export const commonEnd = (own: SubjectRecord, all: readonly SubjectRecord[]): SubjectRecord =>
  all
    .filter(({ state, to_time }) => state === "read" && to_time >= own.to_time - LAG_S)
    .reduce((end, one) => (one.to_block < end.to_block && one.to_block >= own.from_block ? one : end), own);

/** The same for all parts of one call. */
export class AdmittedAddresses {
  /** Last block of the whole rows of an address, by network. */
  readonly #ends = new Map<string, Map<Hex, number>>();

  has({ network, block }: Snapshot, address: Hex): boolean {
    return (this.#ends.get(network)?.get(address) ?? -1) >= block.number;
  }

  /** Length of an address of the network, as hex; infinite while none is admitted. */
  lengthOn(network: string): number {
    const [address] = this.#ends.get(network)?.keys() ?? [];
    return address?.length ?? Number.POSITIVE_INFINITY;
  }

  /** The states at the snapshot's block; admits those that are read up to it. */
  admit({ network, block }: Snapshot, found: ReadonlyMap<Hex, Counterparty>): ReadonlyMap<Hex, ReadState> {
    const ends = this.#ends.get(network) ?? new Map<Hex, number>();
    this.#ends.set(network, ends);
    return new Map(
      [...found].map(([address, { state, record }]) => {
        if (record === null || (state !== "read" && state !== "partial")) return [address, state];
        if (record.to_block < block.number) return [address, "reading"];
        ends.set(address, record.to_block);
        return [address, state];
      }),
    );
  }
}
