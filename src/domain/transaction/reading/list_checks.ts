/** Checks against external lists: sanctions and issuers' freezes. An unreadable list is reported, never taken for clean. */

import type { TracedCall } from "../../../chains/transaction_details.ts";
import { type Hex, toHex } from "../../../lib/bytes.ts";
import { AssayError } from "../../../lib/errors.ts";
import { delegateOf, readImplementation } from "../../address/code/account_code.ts";
import { type CoinCheck, checkFreezes } from "../../address/freezes/freezes.ts";
import { checkSanctions } from "../../address/sanctions/sanctions.ts";
import type { SnapshotContext, Source, Warning } from "../../context.ts";
import type { Operator } from "../../operator.ts";
import { isIndexed, partiesIn } from "./read.ts";
import type { NamedParty, TransactionRiskFacts } from "./risk_flags.ts";
import type { RiskReadResult, TransactionRiskSubject } from "./risk_reads.ts";

/** Parties that are checked for freezes; further ones are reported as unchecked. */
const FROZEN_PARTIES_MAX = 20;
const CALLERS_MAX = 20;

export interface SanctionedParties extends RiskReadResult<readonly NamedParty[]> {
  readonly sources: readonly Source[];
}

export const readSanctioned = async (
  subject: TransactionRiskSubject,
  operator: Operator,
): Promise<SanctionedParties> => {
  const { scope, found, known, time } = subject;
  const { facts, snapshot, chain } = scope;
  const parties = partiesIn(found, known.reading);
  const check = await checkSanctions({ facts, snapshot, family: chain.network.family, operator }, parties);
  const named = [...check.matches].map(([address, matches]): NamedParty => {
    const lists = [...new Set(matches.map(({ list }) => list))];
    return {
      address,
      says: `is on ${lists.join(", ")}`,
      evidence: lists.map((list) => {
        const version = matches.find((match) => match.list === list)?.version ?? "";
        return { kind: "list", ref: `${list}@${version}`, observed_at: time };
      }),
    };
  });
  const warnings: Warning[] =
    check.problem === null
      ? []
      : [{ code: "SANCTIONS_NOT_CHECKED", message: `sanctioned_party may be missing: ${check.problem}` }];
  return { found: named, warnings, sources: check.sources };
};

/** The parties' coins at the transaction's own block, where the index reaches it. */
const contextAtBlock = async ({ scope, found }: TransactionRiskSubject): Promise<SnapshotContext> => {
  const number = found.seen.mined?.block.number ?? null;
  if (number === null || !isIndexed(found)) return scope;
  return { ...scope, snapshot: await scope.facts.snapshot(scope.chain.network.id, number) };
};

const frozenBy = (scope: SnapshotContext, address: Hex, checks: readonly CoinCheck[]): readonly NamedParty[] =>
  checks
    .filter(({ is_frozen }) => is_frozen === true)
    .map(({ coin, frozen_since, checked_block }) => ({
      address,
      says: `was frozen by the issuer of ${coin.symbol}`,
      evidence:
        frozen_since === null
          ? [
              {
                kind: "call" as const,
                ref: `${scope.chain.formatAddress(coin.address)}@${checked_block}`,
                observed_at: scope.snapshot.block.time,
              },
            ]
          : [
              {
                kind: "tx" as const,
                ref: scope.chain.formatHash(frozen_since.tx_hash),
                observed_at: frozen_since.time,
              },
            ],
    }));

/** Returns null when the nodes keep only the newest state and the block is older. */
const checksAt = async (scope: SnapshotContext, asked: readonly Hex[]) => {
  try {
    return await Promise.all(asked.map((address) => checkFreezes(scope, address)));
  } catch (error) {
    if (error instanceof AssayError && error.code === "COVERAGE_INCOMPLETE") return null;
    throw error;
  }
};

export const readFrozen = async (subject: TransactionRiskSubject): Promise<RiskReadResult<readonly NamedParty[]>> => {
  const parties = partiesIn(subject.found, subject.known.reading);
  const asked = parties.slice(0, FROZEN_PARTIES_MAX);
  const scope = await contextAtBlock(subject);
  const known = await checksAt(scope, asked);
  const checks = known ?? [];
  const failed = new Set(checks.flat().flatMap(({ status, coin }) => (status === "failed" ? [coin.symbol] : [])));
  const missing = [
    ...(known === null ? ["no node keeps the state of the block"] : []),
    ...(failed.size === 0 ? [] : [`freezes of ${[...failed].sort().join(", ")} could not be read`]),
    ...(parties.length > asked.length ? [`only the first ${FROZEN_PARTIES_MAX} parties were checked`] : []),
    ...(scope.snapshot === subject.scope.snapshot && subject.found.seen.mined !== null && !isIndexed(subject.found)
      ? ["the block is not indexed yet"]
      : []),
  ];
  return {
    found: asked.flatMap((address, i) => frozenBy(scope, address, checks[i] ?? [])),
    warnings:
      missing.length === 0
        ? []
        : [{ code: "FREEZES_NOT_CHECKED", message: `issuer_frozen_party may be missing: ${missing.join("; ")}.` }],
  };
};

/** Parties that labels call a mixer. */
export const readMixers = ({ found, known, time }: TransactionRiskSubject): readonly NamedParty[] =>
  partiesIn(found, known.reading).flatMap((address): readonly NamedParty[] => {
    const { label, tags } = known.party(address);
    if (label === null || tags?.includes("mixer") !== true) return [];
    return [{ address, says: "is labelled a mixer", evidence: [{ kind: "label", ref: label, observed_at: time }] }];
  });

interface ForeignCall {
  readonly caller: Hex;
  readonly code: Hex;
}

const foreignCode = (trace: readonly TracedCall[]): readonly ForeignCall[] => {
  const pairs = new Map<string, ForeignCall>();
  for (const { kind, sender, recipient, is_undone } of trace) {
    if (kind !== "delegatecall" || is_undone || recipient === null) continue;
    const pair = { caller: toHex(sender), code: toHex(recipient) };
    pairs.set(`${pair.caller}:${pair.code}`, pair);
  }
  return [...pairs.values()];
};

const CODE_UNCHECKED = (why: string): Warning => ({
  code: "DELEGATECALLS_NOT_CHECKED",
  message: `delegatecall_to_unverified may be missing: ${why}.`,
});

/**
 * Code that contracts ran as their own and that is neither named nor what a proxy of a known kind always runs. A null
 * trace means that the calls are unknown.
 */
export const readForeignCode = async (
  subject: TransactionRiskSubject,
): Promise<RiskReadResult<TransactionRiskFacts["foreign_code"]>> => {
  const { scope, found, known } = subject;
  const { mined } = found.seen;
  if (mined === null) return { found: [], warnings: [] };
  if (mined.trace === null) return { found: [], warnings: [CODE_UNCHECKED("no node of this network traces calls")] };
  const suspects = foreignCode(mined.trace).filter(({ code }) => known.party(code).label === null);
  const callers = [...new Set(suspects.map(({ caller }) => caller))];
  const at = scope.chain.can.archive ? mined.block.number : scope.snapshot.block.number;
  const { chain, signal } = scope;
  try {
    const standing = await Promise.all(
      callers.slice(0, CALLERS_MAX).map(async (address): Promise<readonly [Hex, Hex | null]> => {
        const { code } = await chain.account(address, signal, at);
        const runs = delegateOf(code) ?? (await readImplementation({ chain, address, code, at, signal }));
        return [address, runs];
      }),
    );
    const runs = new Map(standing);
    return {
      found: suspects.filter(({ caller, code }) => runs.has(caller) && runs.get(caller) !== code),
      warnings: callers.length > CALLERS_MAX ? [CODE_UNCHECKED(`only ${CALLERS_MAX} callers were checked`)] : [],
    };
  } catch (error) {
    if (!(error instanceof AssayError) || error.code !== "UPSTREAM_UNAVAILABLE") throw error;
    return { found: [], warnings: [CODE_UNCHECKED("no node returns the code of the callers")] };
  }
};
