import { type Hex, toHex } from "../../../lib/bytes.ts";
import type { Source, Warning } from "../../context.ts";
import type { Operator } from "../../operator.ts";
import { formatToken } from "../../token/metadata/metadata.ts";
import { readForeignCode, readFrozen, readMixers, readSanctioned } from "./list_checks.ts";
import { type RiskFlag, riskFlags } from "./risk_flags.ts";
import { readDrained, readLookalikes, readPoisoned, readSpenders, type TransactionRiskSubject } from "./risk_reads.ts";
import { readPublishedAt } from "./sources.ts";

export interface TransactionRisks {
  readonly flags: readonly RiskFlag[];
  readonly warnings: readonly Warning[];
  readonly sources: readonly Source[];
}

const sourcesUnchecked = (gap: string): Warning => ({
  code: "SOURCES_NOT_CHECKED",
  message: `If it is unknown whether a contract has a verified source, 'unverified' means that no label names it: ${gap}.`,
});

/** Runs all risk checks in parallel. */
export const readRisks = async (subject: TransactionRiskSubject, operator: Operator): Promise<TransactionRisks> => {
  const { scope, found, known, time } = subject;
  const { chain } = scope;
  const [sanctioned, frozen, spenders, poisoned, lookalikes, drained, foreign] = await Promise.all([
    readSanctioned(subject, operator),
    readFrozen(subject),
    readSpenders(subject),
    readPoisoned(subject),
    readLookalikes(subject),
    readDrained(subject),
    readForeignCode(subject),
  ]);
  const delegations = known.reading.actions.flatMap(({ type, actor, contract }) =>
    type === "delegate_code" && contract !== null && known.party(contract).label === null
      ? [{ authority: actor, delegate: contract }]
      : [],
  );
  const strangers = [
    ...[...spenders.found].flatMap(([address, { is_verified }]) => (is_verified ? [] : [address])),
    ...foreign.found.map(({ code }) => code),
    ...delegations.map(({ delegate }) => delegate),
  ];
  const published = await readPublishedAt({ scope, found, sources: operator.sources }, strangers);
  const isStrange = (address: Hex): boolean => published.is_verified(address) !== true;
  const flags = riskFlags({
    show: (address) => formatToken(chain, address),
    tx: { kind: "tx", ref: chain.formatHash(toHex(found.seen.hash)), observed_at: time },
    sanctioned: sanctioned.found,
    frozen: frozen.found,
    mixers: readMixers(subject),
    approvals: known.reading.approvals,
    spenders: new Map(
      [...spenders.found].map(([address, spender]) => [
        address,
        { ...spender, is_verified: spender.is_verified || !isStrange(address) },
      ]),
    ),
    poisoned,
    lookalikes: lookalikes.found,
    drained: drained.found,
    foreign_code: foreign.found.filter(({ code }) => isStrange(code)),
    delegations: delegations.filter(({ delegate }) => isStrange(delegate)),
  });
  const checks = [sanctioned, frozen, spenders, lookalikes, drained, foreign];
  const is_unsure = published.gap !== null && flags.some(({ code }) => code.endsWith("_unverified"));
  return {
    flags,
    warnings: [
      ...checks.flatMap(({ warnings }) => warnings),
      ...(is_unsure ? [sourcesUnchecked(published.gap ?? "")] : []),
    ],
    sources: sanctioned.sources,
  };
};
