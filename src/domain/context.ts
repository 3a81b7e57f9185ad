import type { Chain } from "../chains/chain.ts";
import type { Coverage, Facts, Snapshot } from "../store/facts.ts";
import type { Operator } from "./operator.ts";

/** Everything that a question about chains may touch. There is no account, key or price in here, on purpose. */
export interface CallContext {
  readonly facts: Facts;
  /** The enabled network of that id. Binding has checked that it exists. */
  readonly chain: (network: string) => Chain;
  /** Every enabled network that this tool serves, in configuration order: what `all` stands for before the address decides. */
  readonly networks: readonly string[];
  readonly operator: Operator;
  readonly signal: AbortSignal;
}

/** Where one wallet or token is looked at: one network, at one block. */
export interface SnapshotContext {
  readonly facts: Facts;
  readonly chain: Chain;
  readonly snapshot: Snapshot;
  readonly signal: AbortSignal;
}

/** What the index holds of one network up to one block. */
export type HeldFacts = Pick<SnapshotContext, "facts" | "snapshot">;

/** What an answer stands on: a snapshot of the index, or (coverage null) a block that a node was asked at. */
export interface Basis {
  readonly block: Snapshot["block"];
  readonly coverage: Coverage | null;
}

/** What a caller has to know about an answer. */
export interface Warning {
  readonly code: string;
  readonly message: string;
}

/** A list that an answer was made with. */
export interface Source {
  readonly id: string;
  readonly version: string;
  readonly updated_at: string | null;
}

/** What a finding rests on, for whoever wants to see for himself. */
export interface Evidence {
  kind: "simulation" | "tx" | "call" | "label" | "list" | "source_code";
  ref: string;
  observed_at: string;
}
