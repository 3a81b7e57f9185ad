import type { Chain } from "../chains/chain.ts";
import type { Coverage, Facts, Snapshot } from "../store/facts.ts";
import type { Operator } from "./operator.ts";

/** Everything that a call about chains may use. It deliberately has no account, key or price. */
export interface CallContext {
  readonly facts: Facts;
  /** The enabled network with that id. Binding has checked that it exists. */
  readonly chain: (network: string) => Chain;
  /**
   * Every enabled network that this tool serves, in configuration order: the networks of `all` before the address
   * narrows them.
   */
  readonly networks: readonly string[];
  readonly operator: Operator;
  readonly signal: AbortSignal;
}

/** One network at one block, where a wallet or token is read. */
export interface SnapshotContext {
  readonly facts: Facts;
  readonly chain: Chain;
  readonly snapshot: Snapshot;
  readonly signal: AbortSignal;
}

/** Facts of the index about one network up to one block. */
export type IndexedFacts = Pick<SnapshotContext, "facts" | "snapshot">;

/** The basis of an answer: a snapshot of the index, or (coverage null) the block of a node read. */
export interface Basis {
  readonly block: Snapshot["block"];
  readonly coverage: Coverage | null;
}

/** A caveat of an answer that the caller has to know. */
export interface Warning {
  readonly code: string;
  readonly message: string;
}

/** A list that an answer used. */
export interface Source {
  readonly id: string;
  readonly version: string;
  readonly updated_at: string | null;
}

/** Evidence of a finding, for a reader who wants to check it. */
export interface Evidence {
  kind: "simulation" | "tx" | "call" | "label" | "list" | "source_code";
  ref: string;
  observed_at: string;
}
