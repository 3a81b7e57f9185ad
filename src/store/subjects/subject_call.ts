/** The part of a call that its facts need on networks that are read on demand. */
import type { Hex } from "../../lib/bytes.ts";
import type { DemandedPrice, NodePool, PriceQuestion, QueryRow } from "../facts.ts";
import type { Counterparty } from "./admitted.ts";
import type { BlockAt } from "./node_blocks.ts";
import type { SubjectRecord } from "./records.ts";

/** One call, on the networks that are read on demand. */
export interface SubjectCall {
  readonly tool: string;
  readonly isOnDemand: (network: string) => boolean;
  /**
   * The addresses that the call is about there; none if it needs no address's rows, null if the tool is about more than addresses.
   */
  readonly subjectsOn: (network: string) => readonly Hex[] | null;
  /** These addresses are tokens, of which the call needs all movements. */
  readonly are_tokens: boolean;
  /** Their records once all are read. @throws AssayError READING, UPSTREAM_UNAVAILABLE, SUBJECT_LIMIT */
  readonly whenRead: (
    network: string,
    subjects: readonly Hex[],
    signal: AbortSignal,
  ) => Promise<readonly SubjectRecord[]>;
  /** Settles when everything about this block is stored, with `heldSince`. @throws AssayError READING, SUBJECT_LIMIT */
  readonly whenHeld: (network: string, block: number, signal: AbortSignal) => Promise<number>;
  /** When everything about this block was stored last; null if it is not now. */
  readonly heldSince: (network: string, block: number) => Promise<number | null>;
  /** The newest final block of the node, and the first block of the network. */
  readonly ends: (
    network: string,
    signal: AbortSignal,
  ) => Promise<{ readonly newest: BlockAt; readonly from_block: number }>;
  /** Their records now; of all followed addresses where none are named. */
  readonly recordsOf: (network: string, subjects: readonly Hex[]) => Promise<readonly SubjectRecord[]>;
  /** Prices, once the indexer has read them; with `now`, those so far. @throws AssayError READING, SUBJECT_LIMIT */
  readonly whenPriced: (
    network: string,
    prices: { readonly asked: readonly PriceQuestion[]; readonly now: boolean },
    signal: AbortSignal,
  ) => Promise<readonly DemandedPrice[]>;
  /** The tool follows money through counterparties. */
  readonly has_counterparties: boolean;
  /** These counterparties, in the order of their importance. `is_wished`: the first are read, within limits. */
  readonly counterparties: (
    network: string,
    addresses: readonly Hex[],
    is_wished: boolean,
  ) => Promise<ReadonlyMap<Hex, Counterparty>>;
  /** Those of these blocks that the unfinalised tail holds. */
  readonly tailOf: (network: string, blocks: readonly number[]) => Promise<readonly QueryRow<"tail_blocks">[]>;
  /** The pools of a token that factories name, as of a block. @throws AssayError UPSTREAM_UNAVAILABLE */
  readonly poolsOf: (
    network: string,
    asked: { readonly token: Hex; readonly at: number },
    signal: AbortSignal,
  ) => Promise<readonly NodePool[]>;
  /** A block of the node; null if it has none of that number. */
  readonly ref: (network: string, number: number, signal: AbortSignal) => Promise<BlockAt | null>;
}
