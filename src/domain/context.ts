import type { Chain } from "../chains/chain.ts";
import type { Coverage, Facts, Snapshot } from "../store/facts.ts";
import type { Operator } from "./operator.ts";

/** Dependencies of a query about chains. Accounts, keys and prices are left out on purpose. */
export interface CallContext {
  readonly facts: Facts;
  /** The enabled network of that id. Binding has checked that it exists. */
  readonly chain: (network: string) => Chain;
  /**
   * Every enabled network that this tool serves, in configuration order: the meaning of `all` before the address
   * narrows it.
   */
  readonly networks: readonly string[];
  readonly operator: Operator;
  readonly signal: AbortSignal;
}

/** Context of reading one wallet or token: one network, at one block. */
export interface SnapshotContext {
  readonly facts: Facts;
  readonly chain: Chain;
  readonly snapshot: Snapshot;
  readonly signal: AbortSignal;
}

/** The indexed facts of one network up to one block. */
export type HeldFacts = Pick<SnapshotContext, "facts" | "snapshot">;

/** Basis of an answer: a snapshot of the index, or (coverage null) the block of a node's answer. */
export interface Basis {
  readonly block: Snapshot["block"];
  readonly coverage: Coverage | null;
}

/** A note that the caller needs to interpret an answer. */
export interface Warning {
  readonly code: string;
  readonly message: string;
}

/** A list that contributed to an answer. */
export interface Source {
  readonly id: string;
  readonly version: string;
  readonly updated_at: string | null;
}

/** Evidence of a finding, for verification by the caller. */
export interface Evidence {
  kind: "simulation" | "tx" | "call" | "label" | "list" | "source_code";
  ref: string;
  observed_at: string;
}
