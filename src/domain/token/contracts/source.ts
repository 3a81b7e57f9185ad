import { type Bytes, fromHex, type Hex, keccak256, toHex } from "../../../lib/bytes.ts";
import { type MatchedCreation, matchCreation } from "../../../sources/compare.ts";
import type { Sources } from "../../../sources/index.ts";
import type { SourceAnswer, VerifiedSource } from "../../../sources/source.ts";
import { delegateOf } from "../../address/code/account_code.ts";
import { type ProxyTarget, readProxy } from "../../address/code/proxies.ts";
import type { SnapshotContext } from "../../context.ts";
import { creatingTransaction, type FoundCreation } from "./creation.ts";
import { constructorArguments, findInitCode } from "./init_code.ts";

/** Maximum number of contracts with the same code to look up. */
const SIMILAR_MAX = 10;

export interface SourceSubject {
  readonly scope: SnapshotContext;
  readonly sources: Sources;
  readonly contract: Hex;
  /** Block of live reads. */
  readonly at: number;
}

export const findSource = ({ scope, sources }: SourceSubject, address: Hex, code: Bytes): Promise<SourceAnswer> =>
  sources.find({ chain_id: scope.chain.network.chain_id, address, code, signal: scope.signal });

export interface Implementation {
  readonly address: Hex;
  readonly answer: SourceAnswer;
}

export interface ProxyFacts {
  readonly proxy: ProxyTarget | null;
  readonly implementations: readonly Implementation[];
}

/** Finds the contracts behind a proxy, and whether they have verified sources. */
export const readProxyFacts = async (subject: SourceSubject, code: Bytes): Promise<ProxyFacts> => {
  const { scope, contract, at } = subject;
  const { chain, signal } = scope;
  const proxy = await readProxy({ chain, address: contract, code, at, signal });
  const implementations = await Promise.all(
    (proxy?.implementations ?? []).map(async (address): Promise<Implementation> => {
      const state = await chain.account(address, signal, at);
      const answer: SourceAnswer =
        state.code.length === 0 ? { kind: "unverified" } : await findSource(subject, address, state.code);
      return { address, answer };
    }),
  );
  return { proxy, implementations };
};

/** Other verified contracts with the same code; null when the index has no hashes of created code. */
export const readSimilar = async (subject: SourceSubject, code: Bytes): Promise<readonly Hex[] | null> => {
  const { facts, snapshot } = subject.scope;
  if (!snapshot.coverage.traces) return null;
  const code_hash = toHex(keccak256(code));
  const filter = { code_hash, contract: subject.contract, limit: SIMILAR_MAX };
  const rows = await facts.ask(snapshot, "contracts/similar", filter);
  const answers = await Promise.all(rows.map(({ address }) => findSource(subject, address, code)));
  return rows.filter((_, i) => answers[i]?.kind === "verified").map(({ address }) => address);
};

export interface CreationFacts {
  readonly match: MatchedCreation["match"] | null;
  readonly constructor_args: Bytes | null;
}

const UNREAD: CreationFacts = { match: null, constructor_args: null };

/**
 * Facts that the creating transaction proves: whether its code is that of the source, and its constructor arguments.
 */
export const readCreationFacts = async (
  { scope }: SourceSubject,
  created: FoundCreation | null,
  known: { readonly code: Bytes; readonly source: VerifiedSource },
): Promise<CreationFacts> => {
  if (created === null) return UNREAD;
  const transaction = await creatingTransaction(scope, created);
  if (transaction === null) return UNREAD;
  const { input } = transaction;
  const hash = created.init_hash !== "" ? fromHex(created.init_hash) : created.factory === "" ? keccak256(input) : null;
  const init = hash === null ? null : findInitCode(input, hash);
  if (init === null) return UNREAD;
  const matched = known.source.creation === null ? null : matchCreation(init, known.source.creation);
  if (matched !== null) return matched;
  return { match: null, constructor_args: constructorArguments(init, known.code) };
};

/** Runtime code; null for an account without code or with a mere delegation (EIP-7702). */
export const readCode = async ({ scope, contract, at }: SourceSubject): Promise<Bytes | null> => {
  const { code } = await scope.chain.account(contract, scope.signal, at);
  return code.length === 0 || delegateOf(code) !== null ? null : code;
};
