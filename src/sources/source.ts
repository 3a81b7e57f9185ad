import type { Bytes, Hex } from "../lib/bytes.ts";

/** How well a source is shown to be that of the code, in the words of Sourcify's second API. */
export type Match = "exact_match" | "match";

export interface SourceFile {
  readonly path: string;
  /** Written by a stranger, as it came. */
  readonly content: string;
}

/** Code as a compiler left it: what is written into it only later is masked when it is compared. */
export interface CompiledCode {
  readonly code: Bytes;
  /** [first byte, length] of immutables and library addresses. */
  readonly masks: readonly (readonly [number, number])[];
}

export interface VerifiedSource {
  readonly provider: "local" | "sourcify";
  readonly match: Match;
  readonly runtime_match: Match | null;
  /** Null where the creation was not compared: `creation` then serves to do so. */
  readonly creation_match: Match | null;
  /** ISO 8601; null when the source is verified anew each time. */
  readonly verified_at: string | null;
  /** Everything below was written by whoever sent the source in. */
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

export interface SourceQuestion {
  /** EVM chain id. */
  readonly chain_id: number;
  readonly address: Hex;
  /** Runtime code on the chain, not empty. */
  readonly code: Bytes;
  readonly signal: AbortSignal;
}

/** Why it is not known whether there is a source. */
export type SourceGap = "NOT_CONFIGURED" | "UNREACHABLE" | "COMPILER_MISSING" | "NOT_COMPILED";

export type SourceAnswer =
  | { readonly kind: "verified"; readonly source: VerifiedSource }
  /** Everyone who could know was asked, and nobody has a source that fits. */
  | { readonly kind: "unverified" }
  | { readonly kind: "unknown"; readonly gap: SourceGap; readonly reason: string };

/** Whoever keeps sources: a folder, a project, Sourcify. Nothing is thrown but an abort of the question's own signal. */
export interface SourceProvider {
  readonly id: string;
  /** False: it holds nothing of this network, so that its silence says nothing. */
  readonly serves: (chain_id: number) => boolean;
  find(question: SourceQuestion): Promise<SourceAnswer>;
}

export const unknownBecause = (gap: SourceGap, reason: string): SourceAnswer => ({ kind: "unknown", gap, reason });
