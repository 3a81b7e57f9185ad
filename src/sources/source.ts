import type { Bytes, Hex } from "../lib/bytes.ts";

/** How well a source matches the code, in the terms of Sourcify's API v2. */
export type Match = "exact_match" | "match";

export interface SourceFile {
  readonly path: string;
  /** Untrusted text, unchanged. */
  readonly content: string;
}

/** Compiled code. The comparison masks bytes that are written at deployment. */
export interface CompiledCode {
  readonly code: Bytes;
  /** [first byte, length] of immutables and library addresses. */
  readonly masks: readonly (readonly [number, number])[];
}

export interface VerifiedSource {
  readonly provider: "local" | "sourcify";
  readonly match: Match;
  readonly runtime_match: Match | null;
  /** Null when the creation code was not compared; `creation` then allows it. */
  readonly creation_match: Match | null;
  /** ISO 8601; null when the source is verified on each lookup. */
  readonly verified_at: string | null;
  /** All members below are untrusted: the submitter of the source wrote them. */
  readonly contract_name: string | null;
  readonly language: string;
  readonly compiler_version: string | null;
  readonly evm_version: string | null;
  readonly optimization: { readonly enabled: boolean; readonly runs: number | null } | null;
  /** The file that defines the contract first, then by path. */
  readonly files: readonly SourceFile[];
  readonly abi: readonly unknown[] | null;
  /** Creation code, when this process compiled it. */
  readonly creation: CompiledCode | null;
}

export interface SourceQuery {
  /** EVM chain id. */
  readonly chain_id: number;
  readonly address: Hex;
  /** Runtime code on the chain, not empty. */
  readonly code: Bytes;
  readonly signal: AbortSignal;
}

/** Why it is unknown whether a source exists. */
export type SourceGap = "NOT_CONFIGURED" | "UNREACHABLE" | "COMPILER_MISSING" | "NOT_COMPILED";

export type SourceAnswer =
  | { readonly kind: "verified"; readonly source: VerifiedSource }
  /** All providers answered, and none has a matching source. */
  | { readonly kind: "unverified" }
  | { readonly kind: "unknown"; readonly gap: SourceGap; readonly reason: string };

/** A provider of sources: a folder, a project, Sourcify. Throws only when the caller's signal aborts. */
export interface SourceProvider {
  readonly id: string;
  /** False when the provider does not serve this network, so that a missing source proves nothing. */
  readonly serves: (chain_id: number) => boolean;
  find(question: SourceQuery): Promise<SourceAnswer>;
}

export const unknownBecause = (gap: SourceGap, reason: string): SourceAnswer => ({ kind: "unknown", gap, reason });
