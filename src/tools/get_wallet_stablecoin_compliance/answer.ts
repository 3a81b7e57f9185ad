import { type BalanceCheck, checkEvidence, eventEvidence, isPositive } from "../../domain/address/freezes/rows.ts";
import type { NetworkFinding } from "../../domain/compliance/stablecoins/read.ts";
import { judge } from "../../domain/compliance/stablecoins/verdict.ts";
import { usdOf } from "../../domain/valuation/worth.ts";
import { toAmount } from "../../lib/money.ts";
import { iso } from "../../lib/time.ts";
import type { CheckOutput, ComplianceOutput, ExposureOutput, HoldingOutput, PastEvent } from "./shape.ts";

const TOP_MAX = 20;

const isAtStake = ({ raw, status }: BalanceCheck): boolean => (raw === null ? status !== "not_supported" : raw > 0n);

const worthOf = ({ raw, decimals, coin }: BalanceCheck, { prices }: NetworkFinding): number | null =>
  raw === null || decimals === null ? null : raw === 0n ? 0 : usdOf(raw, decimals, prices.get(coin.address));

const holdingOf = (check: BalanceCheck, finding: NetworkFinding): HoldingOutput => {
  const power = finding.powers.find(({ contract }) => contract === finding.chain.formatAddress(check.coin.address));
  return {
    symbol: check.coin.symbol,
    network: finding.chain.network.id,
    contract: finding.chain.formatAddress(check.coin.address),
    balance: check.balance,
    balance_raw: check.balance_raw,
    decimals: check.decimals,
    value_usd: worthOf(check, finding),
    can_issuer_freeze: power?.freeze ?? null,
    is_frozen: check.is_frozen,
    frozen_since: check.frozen_since === null ? null : iso(check.frozen_since.time),
    check_method: check.method,
    checked_block: check.checked_block,
  };
};

const historyOf = (check: BalanceCheck, { chain, burnt }: NetworkFinding): readonly PastEvent[] =>
  check.history.map((event) => {
    const mute = event.effect === "destroy" ? (burnt.get(`${check.coin.address}:${event.tx_hash}`) ?? null) : null;
    const raw = event.amount ?? mute;
    return {
      symbol: check.coin.symbol,
      network: chain.network.id,
      event: event.effect,
      amount: raw === null || check.decimals === null ? null : toAmount(raw, check.decimals),
      amount_raw: raw?.toString() ?? null,
      tx_hash: chain.formatHash(event.tx_hash),
      block_number: event.block_number,
      timestamp: iso(event.time),
    };
  });

const checkOf = (check: BalanceCheck, { chain }: NetworkFinding): CheckOutput => ({
  symbol: check.coin.symbol,
  network: chain.network.id,
  contract: chain.formatAddress(check.coin.address),
  status: check.status,
  method: check.method,
  block_number: check.checked_block,
  reason: check.reason,
});

const total = (findings: readonly NetworkFinding[], of: (finding: NetworkFinding) => number): number =>
  findings.reduce((sum, finding) => sum + of(finding), 0);

const exposureOf = (
  findings: readonly NetworkFinding[],
): { readonly tainted_usd: number; readonly rows: ExposureOutput } => {
  const inflow_usd = total(findings, ({ exposure }) => exposure.inflow_usd);
  const tainted_usd = total(findings, ({ exposure }) => exposure.received_tainted_usd);
  const top = findings
    .flatMap(({ exposure }) => exposure.top)
    .sort((a, b) => (b.amount_usd ?? 0) - (a.amount_usd ?? 0) || (a.address < b.address ? -1 : 1));
  const rows = {
    frozen_counterparties_count: total(findings, ({ exposure }) => exposure.frozen_counterparties),
    received_from_frozen_usd: total(findings, ({ exposure }) => exposure.received_from_frozen_usd),
    sent_to_frozen_usd: total(findings, ({ exposure }) => exposure.sent_to_frozen_usd),
    share_percent: inflow_usd === 0 ? 0 : (100 * tainted_usd) / inflow_usd,
    top: top.slice(0, TOP_MAX),
    inflow_usd,
    sanctioned_counterparties_count: total(findings, ({ exposure }) => exposure.sanctioned_counterparties),
    received_from_sanctioned_usd: total(findings, ({ exposure }) => exposure.received_from_sanctioned_usd),
    unvalued_dealings: total(findings, ({ exposure }) => exposure.unvalued_dealings),
  };
  return { tainted_usd, rows };
};

/** A list names an address of a family, so every network of it says the same. */
const sanctionsOf = (findings: readonly NetworkFinding[]): ComplianceOutput["sanctions"] => {
  const matches = new Map(
    findings
      .flatMap(({ exposure, account }) => exposure.sanctions.matches.get(account) ?? [])
      .map(({ list, entity, program, listed_on }) => {
        const match = { list, entity, program, listed_on };
        return [JSON.stringify(match), match] as const;
      }),
  );
  return {
    listed: matches.size > 0,
    matches: [...matches.values()],
    oracle_checks: findings.flatMap(({ oracles }) => oracles),
  };
};

const frozenValue = (findings: readonly NetworkFinding[]): number | null => {
  const values = findings.flatMap((finding) =>
    finding.checks.filter(isPositive).map((check) => worthOf(check, finding)),
  );
  return values.includes(null) ? null : values.reduce<number>((sum, value) => sum + (value ?? 0), 0);
};

const verdictOf = (findings: readonly NetworkFinding[], exposure: ReturnType<typeof exposureOf>) => {
  const evidenceWhere = (holds: (check: BalanceCheck) => boolean) =>
    findings.flatMap(({ checks, account, snapshot }) =>
      checks.filter(holds).flatMap((check) => checkEvidence(check, account, snapshot.block.time)),
    );
  const events = (effect: "freeze" | "destroy" | "seize") =>
    findings.flatMap(({ checks, chain }) =>
      checks.flatMap(({ history }) =>
        history.filter((event) => event.effect === effect).map((event) => eventEvidence(chain, event)),
      ),
    );
  const [first] = findings;
  const observed_at = iso(first?.snapshot.block.time ?? 0);
  const listed = findings.flatMap(({ exposure, account }) => exposure.sanctions.matches.get(account) ?? []);
  const refs = [...new Set(listed.map(({ list, version }) => `${list} ${version}`))];
  return judge({
    frozen: evidenceWhere(isPositive),
    sanctioned: refs.map((ref) => ({ kind: "list", ref, observed_at })),
    ever_frozen: events("freeze"),
    destroyed: events("destroy"),
    seized: events("seize"),
    oracle: findings.flatMap(({ oracles, snapshot }) =>
      oracles
        .filter(({ is_sanctioned }) => is_sanctioned === true)
        .map(({ contract, block_number }) => ({
          kind: "call" as const,
          ref: `${contract}.isSanctioned at block ${block_number}`,
          observed_at: iso(snapshot.block.time),
        })),
    ),
    exposure: exposure.rows,
    tainted_usd: exposure.tainted_usd,
    exposure_evidence: exposure.rows.top.flatMap(({ evidence }) => evidence),
  });
};

/** The answer of all networks together; its metadata is the caller's. */
export const answerOf = (findings: readonly NetworkFinding[]): Omit<ComplianceOutput, "metadata" | "type"> => {
  const exposure = exposureOf(findings);
  const { verdict, verdict_reasons } = verdictOf(findings, exposure);
  const each = <T>(of: (check: BalanceCheck, finding: NetworkFinding) => readonly T[]): T[] =>
    findings.flatMap((finding) => finding.checks.flatMap((check) => of(check, finding)));
  return {
    verdict,
    verdict_reasons: [...verdict_reasons],
    is_frozen_any: findings.some(({ checks }) => checks.some(isPositive)),
    frozen_value_usd: frozenValue(findings),
    holdings: each((check, finding) => (isAtStake(check) || isPositive(check) ? [holdingOf(check, finding)] : [])),
    freeze_history: each(historyOf).sort(
      (a, b) => a.timestamp.localeCompare(b.timestamp) || a.network.localeCompare(b.network),
    ),
    counterparty_exposure: exposure.rows,
    sanctions: sanctionsOf(findings),
    token_powers: findings.flatMap(({ powers }) => powers),
    checks: each((check, finding) => [checkOf(check, finding)]),
  };
};

const orUnknown = (amount: number): number | null => (amount === 0 ? null : amount);

/** The same when some check failed: what was found stays true, what was not found is not known. */
export const partialOf = (answer: ReturnType<typeof answerOf>) => {
  const { counterparty_exposure: exposure } = answer;
  return {
    ...answer,
    verdict: answer.verdict === "blocked" ? answer.verdict : null,
    is_frozen_any: answer.is_frozen_any || null,
    frozen_value_usd: answer.is_frozen_any ? answer.frozen_value_usd : null,
    counterparty_exposure: {
      ...exposure,
      frozen_counterparties_count: orUnknown(exposure.frozen_counterparties_count),
      received_from_frozen_usd: orUnknown(exposure.received_from_frozen_usd),
      sent_to_frozen_usd: orUnknown(exposure.sent_to_frozen_usd),
      share_percent: orUnknown(exposure.share_percent),
      inflow_usd: orUnknown(exposure.inflow_usd),
      sanctioned_counterparties_count: orUnknown(exposure.sanctioned_counterparties_count),
      received_from_sanctioned_usd: orUnknown(exposure.received_from_sanctioned_usd),
      unvalued_dealings: orUnknown(exposure.unvalued_dealings),
    },
    sanctions: { ...answer.sanctions, listed: answer.sanctions.listed || null },
  };
};
