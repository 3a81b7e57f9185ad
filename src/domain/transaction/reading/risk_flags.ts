import type { Hex } from "../../../lib/bytes.ts";
import { DAY_S } from "../../../lib/time.ts";
import type { Imitation } from "../../poisoning.ts";
import type { TokenApproval } from "../decoding/approvals.ts";

/** Codes of findings, each with its severity. */
export const RISK_CODES = [
  "sanctioned_party",
  "issuer_frozen_party",
  "mixer_party",
  "unlimited_approval_to_unverified",
  "approval_to_fresh_contract",
  "zero_value_poisoning",
  "lookalike_recipient",
  "drain_pattern",
  "delegatecall_to_unverified",
  "eip7702_delegation_to_unverified",
] as const;
export type RiskCode = (typeof RISK_CODES)[number];

export const SEVERITIES = ["low", "medium", "high", "critical"] as const;

const SEVERITY: Readonly<Record<RiskCode, (typeof SEVERITIES)[number]>> = {
  sanctioned_party: "critical",
  issuer_frozen_party: "high",
  mixer_party: "high",
  unlimited_approval_to_unverified: "medium",
  approval_to_fresh_contract: "medium",
  zero_value_poisoning: "high",
  lookalike_recipient: "high",
  drain_pattern: "critical",
  delegatecall_to_unverified: "medium",
  eip7702_delegation_to_unverified: "high",
};

/** A contract below this age is fresh. */
export const FRESH_S = 7 * DAY_S;
/** A drain takes at least this share of the holdings, in at least this many tokens. */
export const DRAIN = { share_percent: 90n, tokens_min: 2 } as const;

export interface TransactionEvidence {
  readonly kind: "tx" | "label" | "list" | "call";
  readonly ref: string;
  /** Unix seconds. */
  readonly observed_at: number;
}

export interface RiskFlag {
  readonly code: RiskCode;
  readonly severity: (typeof SEVERITIES)[number];
  readonly description: string;
  readonly evidence: readonly TransactionEvidence[];
}

/** A named party, with the source of the statement. */
export interface NamedParty {
  readonly address: Hex;
  readonly says: string;
  readonly evidence: readonly TransactionEvidence[];
}

export interface SpenderDetail {
  /** The spender has a label or a verified source. */
  readonly is_verified: boolean;
  /** Unix seconds; null for a plain account, or a contract older than the index. */
  readonly created_at: number | null;
}

/** All inputs of the flags. `show` formats an address. */
export interface TransactionRiskFacts {
  readonly show: (address: Hex) => string;
  /** The transaction itself. */
  readonly tx: TransactionEvidence;
  readonly sanctioned: readonly NamedParty[];
  readonly frozen: readonly NamedParty[];
  readonly mixers: readonly NamedParty[];
  readonly approvals: readonly TokenApproval[];
  readonly spenders: ReadonlyMap<Hex, SpenderDetail>;
  /** Holders whose tokens another account "moved", in zero transfers. */
  readonly poisoned: readonly {
    readonly holder: Hex;
    readonly recipient: Hex;
    /** Null when the recipient looks like no recent counterparty of the holder. */
    readonly imitation: Imitation | null;
  }[];
  readonly lookalikes: readonly {
    readonly recipient: Hex;
    readonly resembles: Hex;
    readonly first_paid: TransactionEvidence;
  }[];
  readonly drained: readonly { readonly victim: Hex; readonly tokens: number }[];
  readonly foreign_code: readonly { readonly caller: Hex; readonly code: Hex }[];
  readonly delegations: readonly { readonly authority: Hex; readonly delegate: Hex }[];
}

const flag = (code: RiskCode, description: string, evidence: readonly TransactionEvidence[]): RiskFlag => ({
  code,
  severity: SEVERITY[code],
  description,
  evidence,
});

const ofApproval = ({ show, tx, spenders }: TransactionRiskFacts, approval: TokenApproval): readonly RiskFlag[] => {
  const { owner, spender, token, is_unlimited, amount, scope } = approval;
  const known = spenders.get(spender);
  if (known === undefined || (scope !== "piece" && amount === 0n)) return [];
  const right = `${show(owner)} let ${show(spender)} take ${is_unlimited ? "all of" : "from"} its ${show(token)}`;
  const unverified = flag("unlimited_approval_to_unverified", `${right}, and nothing is known of that spender.`, [tx]);
  const age_s = known.created_at === null ? Number.POSITIVE_INFINITY : tx.observed_at - known.created_at;
  const days = Math.floor(age_s / DAY_S);
  const fresh = flag("approval_to_fresh_contract", `${right}, a contract that was ${days} days old.`, [tx]);
  return [...(is_unlimited && !known.is_verified ? [unverified] : []), ...(age_s < FRESH_S ? [fresh] : [])];
};

/** Every finding, in the order of the codes. */
export const riskFlags = (facts: TransactionRiskFacts): readonly RiskFlag[] => {
  const { show, tx } = facts;
  const named = (code: RiskCode, list: readonly NamedParty[]) =>
    list.map(({ address, says, evidence }) => flag(code, `${show(address)} ${says}.`, evidence));
  const flags = [
    ...named("sanctioned_party", facts.sanctioned),
    ...named("issuer_frozen_party", facts.frozen),
    ...named("mixer_party", facts.mixers),
    ...facts.approvals.flatMap((approval) => ofApproval(facts, approval)),
    ...facts.poisoned.map(({ holder, recipient, imitation }) =>
      flag(
        "zero_value_poisoning",
        `Another account wrote a zero transfer from ${show(holder)} to ${show(recipient)} into its history${
          imitation === null
            ? ""
            : `, an address that imitates ${show(imitation.imitates)} (confidence ${imitation.confidence})`
        }.`,
        [tx],
      ),
    ),
    ...facts.lookalikes.map(({ recipient, resembles, first_paid }) =>
      flag(
        "lookalike_recipient",
        `${show(recipient)} begins and ends like ${show(resembles)}, whom the payer had paid before.`,
        [tx, first_paid],
      ),
    ),
    ...facts.drained.map(({ victim, tokens }) =>
      flag("drain_pattern", `${show(victim)} lost at least nine tenths of ${tokens} tokens and received nothing.`, [
        tx,
      ]),
    ),
    ...facts.foreign_code.map(({ caller, code }) =>
      flag(
        "delegatecall_to_unverified",
        `${show(caller)} ran the code of ${show(code)} as its own, and nothing is known of that code.`,
        [tx],
      ),
    ),
    ...facts.delegations.map(({ authority, delegate }) =>
      flag(
        "eip7702_delegation_to_unverified",
        `${show(authority)} runs the code of ${show(delegate)} from now on, and nothing is known of that code.`,
        [tx],
      ),
    ),
  ];
  return flags.sort((a, b) => RISK_CODES.indexOf(a.code) - RISK_CODES.indexOf(b.code));
};
