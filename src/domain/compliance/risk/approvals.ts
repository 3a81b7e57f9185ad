import type { DescribedAccount } from "../../../chains/account_facts.ts";
import type { Hex } from "../../../lib/bytes.ts";
import { AssayError } from "../../../lib/errors.ts";
import { contractsAmong } from "../../address/identity/parties.ts";
import type { SnapshotContext, Warning } from "../../context.ts";
import { readVerification, type VerificationStatus } from "../../token/contracts/verified_sources.ts";
import {
  type AddressRisk,
  type AddressRisks,
  addressRiskIn,
  type RiskScope,
  readAddressRisks,
} from "./address_risks.ts";
import { type Grant, type Grants, readGrants, readPieceGrants } from "./grants.ts";

/** Number of approvals of one wallet to read: the newest ones. */
const APPROVALS_MAX = 1_000;
/** Number of unlabelled spenders to check for sources: those of the newest approvals. */
const SOURCES_MAX = 100;

/** `unknown_spender`: no label names it, and it is unknown whether it has a verified source. */
export type ApprovalReason = "risky_spender" | "unverified_spender" | "unknown_spender" | "account_spender";

/** An approval in force at the block. */
export interface OpenApproval extends Omit<Grant, "amount"> {
  /** Base units; null for all collectibles of the contract. */
  readonly amount: bigint | null;
  /** Null: no evidence against the spender. */
  readonly reason: ApprovalReason | null;
  /** The spender's mark by lists and issuers. */
  readonly mark: AddressRisk;
  /** The spender is a contract or a program; null when no node says. */
  readonly is_contract: boolean | null;
}

export interface OpenApprovals {
  readonly standing: readonly OpenApproval[];
  /** Why it is unknown for some spenders whether they have a verified source; null when it is known for all. */
  readonly sources_gap: string | null;
  readonly warnings: readonly Warning[];
}

const FROM_EVENTS: Warning = {
  code: "ALLOWANCES_FROM_EVENTS",
  message:
    "No node returned the allowances of this block: they come from the last approvals, and may be used up or withdrawn.",
};

interface SpenderRisks {
  readonly marks: AddressRisks;
  readonly contracts: ReadonlyMap<Hex, boolean | null>;
}

const reasonOf = (
  spender: Hex,
  { marks, contracts }: SpenderRisks,
  { is_verified }: Pick<VerificationStatus, "is_verified">,
): ApprovalReason | null => {
  const mark = addressRiskIn(marks, spender);
  if (mark.hits.length > 0) return "risky_spender";
  if (contracts.get(spender) === false) return "account_spender";
  const is_known = mark.is_labelled ? true : is_verified(spender);
  if (is_known === null) return "unknown_spender";
  return is_known ? null : "unverified_spender";
};

/** Accounts that only a program can act for: they have no private key. */
const OF_PROGRAMS: readonly DescribedAccount["kind"][] = ["program", "program_account", "pda"];

/** Whether spenders are programs, by their code, or by their account kind where programs act for accounts. */
const programsAmong = async (
  scope: SnapshotContext,
  spenders: readonly Hex[],
): Promise<ReadonlyMap<Hex, boolean | null>> => {
  const { chain, snapshot, signal } = scope;
  const contracts = await contractsAmong(scope, spenders);
  const { describe } = chain;
  if (describe === undefined || !chain.can.token_accounts) return contracts;
  const doubtful = spenders.filter((one) => contracts.get(one) === false).slice(0, SOURCES_MAX);
  try {
    const described = await Promise.all(doubtful.map((one) => describe(one, signal, snapshot.block.number)));
    const are_programs = described.map(({ kind }) => OF_PROGRAMS.includes(kind));
    return new Map([...contracts, ...doubtful.map((one, at) => [one, are_programs[at] ?? null] as const)]);
  } catch (error) {
    if (!(error instanceof AssayError) || error.code !== "UPSTREAM_UNAVAILABLE") throw error;
    return new Map([...contracts].map(([spender, is_contract]) => [spender, is_contract || null]));
  }
};

const readSpenders = async (
  sight: RiskScope,
  spenders: readonly Hex[],
): Promise<SpenderRisks & { published: VerificationStatus }> => {
  const { scope, operator } = sight;
  const [marks, contracts] = await Promise.all([readAddressRisks(sight, spenders), programsAmong(scope, spenders)]);
  const published = await readVerification(scope, operator.sources, {
    addresses: spenders.filter(
      (spender) => !addressRiskIn(marks, spender).is_labelled && contracts.get(spender) !== false,
    ),
    at: scope.chain.can.archive ? scope.snapshot.block.number : undefined,
    most: SOURCES_MAX,
  });
  return { marks, contracts, published };
};

const cutOff = <R>(found: readonly R[]) => ({
  rows: found.slice(0, APPROVALS_MAX),
  is_cut: found.length > APPROVALS_MAX,
});

interface FoundGrants extends Grants {
  readonly is_cut: boolean;
}

/** Rights over amounts and whole collections. */
const grantsOf = async (scope: SnapshotContext, wallet: Hex): Promise<FoundGrants> => {
  const { facts, snapshot } = scope;
  const found = await facts.ask(snapshot, "risk/approvals", { owner: wallet, limit: APPROVALS_MAX + 1 });
  const { rows, is_cut } = cutOff(found);
  return { ...(await readGrants(scope, wallet, rows)), is_cut };
};

/** And rights over single pieces. */
const everyGrantOf = async (scope: SnapshotContext, wallet: Hex): Promise<FoundGrants> => {
  const { facts, snapshot } = scope;
  const found = await facts.ask(snapshot, "risk/piece_approvals", { owner: wallet, limit: APPROVALS_MAX + 1 });
  const { rows, is_cut } = cutOff(found);
  const [amounts, pieces] = await Promise.all([grantsOf(scope, wallet), readPieceGrants(scope, rows)]);
  return {
    list: [...amounts.list, ...pieces.list],
    is_live: amounts.is_live && pieces.is_live,
    is_cut: amounts.is_cut || is_cut,
  };
};

/** Approvals of the wallet in force at the block. `with_pieces`: those of single collectibles too. */
export const readApprovals = async (
  sight: RiskScope,
  wallet: Hex,
  { with_pieces }: { readonly with_pieces: boolean },
): Promise<OpenApprovals> => {
  const { scope } = sight;
  const { list, is_live, is_cut } = await (with_pieces ? everyGrantOf : grantsOf)(scope, wallet);
  const known = await readSpenders(sight, [...new Set(list.map(({ spender }) => spender))]);
  const standing = list.map((grant): OpenApproval => {
    const { spender, is_for_all, amount, evidence } = grant;
    const mark = addressRiskIn(known.marks, spender);
    return {
      ...grant,
      amount: is_for_all ? null : amount,
      reason: reasonOf(spender, known, known.published),
      mark,
      is_contract: known.contracts.get(spender) ?? null,
      evidence: [...evidence, ...mark.hits.flatMap((hit) => hit.evidence)],
    };
  });
  const cut: Warning = {
    code: "APPROVALS_PARTIAL",
    message: `Only the newest ${APPROVALS_MAX} approvals were checked.`,
  };
  return {
    standing,
    sources_gap: known.published.gap,
    warnings: [...(is_live ? [] : [FROM_EVENTS]), ...(is_cut ? [cut] : [])],
  };
};
