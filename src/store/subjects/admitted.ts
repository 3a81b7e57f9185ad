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
  /** Records of addresses whose rows are whole, by network. */
  readonly #records = new Map<string, Map<Hex, SubjectRecord>>();

  has({ network, block }: Snapshot, address: Hex): boolean {
    return (this.#records.get(network)?.get(address)?.to_block ?? -1) >= block.number;
  }

  recordsOn(network: string): readonly SubjectRecord[] {
    return [...(this.#records.get(network)?.values() ?? [])];
  }

  /** Length of an address of the network, as hex; infinite while none is admitted. */
  lengthOn(network: string): number {
    const [address] = this.#records.get(network)?.keys() ?? [];
    return address?.length ?? Number.POSITIVE_INFINITY;
  }

  /** The states at the snapshot's block; admits those that are read up to it. */
  admit({ network, block }: Snapshot, found: ReadonlyMap<Hex, Counterparty>): ReadonlyMap<Hex, ReadState> {
    const records = this.#records.get(network) ?? new Map<Hex, SubjectRecord>();
    this.#records.set(network, records);
    return new Map(
      [...found].map(([address, { state, record }]) => {
        if (record === null || (state !== "read" && state !== "partial")) return [address, state];
        if (record.to_block < block.number) return [address, "reading"];
        // The first one: rows that are written again are noticed (`isCurrent`).
        records.set(address, records.get(address) ?? record);
        return [address, state];
      }),
    );
  }
}
