import { ADDRESSES, INTERFACES } from "../../../knowledge/names.gen.ts";
import type { IssueNeed } from "../../../knowledge/protocol_row.ts";
import { type Hex, toHex } from "../../../lib/bytes.ts";
import { addressesIn, addressIn, figuresIn, type HeadlineReading } from "./case.ts";
import { isSameName } from "./names.ts";
import { isSigned } from "./positions.ts";
import { type Basis, fullName, type HeadlineType } from "./types.ts";
import { eventWords, functionWords } from "./words/index.ts";
import type { Word } from "./words/word.ts";

/** One reason to assign a type to a transaction. */
export interface HeadlineEvidence {
  readonly type: HeadlineType;
  /** The actor; null: any party with matching movements. */
  readonly actor: Hex | null;
  /** Higher is stronger. */
  readonly score: number;
  readonly protocol: string | null;
  /** Contract that was called or that logged. */
  readonly contract: Hex | null;
  readonly says: string;
  readonly basis: Basis;
  /** Addresses in the log. */
  readonly names: readonly Hex[];
  readonly needs: IssueNeed | null;
  /** Numbers in a log of a common event that names no account: one must be an amount of the actor. */
  readonly figures?: readonly bigint[];
  /** A log whose numbers are all 0. */
  readonly is_empty?: boolean;
  /** The evidence is a called function. */
  readonly is_called?: boolean;
  /** Overrides the confidence of its basis. */
  readonly confidence?: number;
  /** The evidence comes from a vault or staking word, which excludes lending. */
  readonly is_vault?: boolean;
}

/** A called function states the intention; an event states what some contract claims. */
const FUNCTION_SCORES = { 1: 52, 2: 66, 3: 88 } as const;
const EVENT_SCORES = { 1: 40, 2: 56, 3: 75 } as const;
/** The called contract emitted the event itself. */
const CALLEE_BONUS = 12;
/** The event names no possible actor, and its contract was not called. */
const ASIDE = 18;

/** Among events of one transaction, a payout is no act of its own, debt outweighs collateral, and a liquidation a repayment. */
const ORDER: Readonly<Partial<Record<HeadlineType, number>>> = {
  ...{ claim_reward: -20, collect_fees: -20, claim_airdrop: -5, liquidation: 3, borrow: 2, repay: 2 },
};

/** EIP-4626 and EIP-7540. */
const VAULT_EVENTS: readonly string[] = [INTERFACES.erc4626.Deposit, INTERFACES.erc4626.Withdraw];
const VAULT_FUNCTIONS: readonly string[] = [
  INTERFACES.erc4626.deposit,
  INTERFACES.erc4626.mint,
  INTERFACES.erc4626.withdraw,
  INTERFACES.erc4626.redeem,
];

const isVault = ({ is_family, signature }: Word): boolean =>
  is_family || VAULT_EVENTS.includes(signature) || VAULT_FUNCTIONS.includes(signature);

/** Score of an event with this type and weight. */
export const eventScore = (type: HeadlineType, weight: Word["weight"], is_asked: boolean): number =>
  EVENT_SCORES[weight] + (is_asked ? CALLEE_BONUS : 0) + (ORDER[type] ?? 0);

const basisOf = (word: Word): Basis => (word.protocol === null ? "standard" : "protocol");

/** Some signatures count only at contracts of their protocol. */
const isSpoken = ({ name }: HeadlineReading, { is_own, protocol }: Word, contract: Hex | null): boolean => {
  if (!is_own || protocol === null) return true;
  const owner = contract === null ? null : name(contract);
  return owner !== null && (isSameName(fullName(owner), protocol) || isSameName(owner.name, protocol));
};

const ofFunctions = (reading: HeadlineReading): readonly HeadlineEvidence[] =>
  reading.asked.flatMap(({ callee, selector }): readonly HeadlineEvidence[] => {
    const words = functionWords(selector).filter((word) => isSpoken(reading, word, callee));
    return words.map((word) => {
      const { type, protocol, weight, signature, needs } = word;
      return {
        ...{ type, actor: null, score: FUNCTION_SCORES[weight], protocol, contract: callee, needs },
        ...{ says: signature, basis: basisOf(word), names: [], is_called: true, is_vault: isVault(word) },
      };
    });
  });

const ofEvents = (reading: HeadlineReading): readonly HeadlineEvidence[] => {
  const { transaction, asked, recipient, wrapped_native, account, name } = reading;
  const callees = new Set([recipient, ...asked.map(({ callee }) => callee)]);
  return (account?.logs ?? transaction.logs).flatMap((log): readonly HeadlineEvidence[] => {
    const [topic] = log.topics;
    const contract = toHex(log.address);
    const words = topic === undefined ? [] : eventWords(topic);
    // Contracts that execute the intentions of others log their own bookkeeping.
    const is_bookkeeping = contract === account?.entry_point || name(contract)?.role === "envelope";
    // The signs of its changes tell more than its word.
    if (words.length === 0 || contract === wrapped_native || is_bookkeeping || isSigned(log)) return [];
    const names = addressesIn(log);
    const is_asked = callees.has(contract);
    const aside = !is_asked && names.length === 0 ? ASIDE : 0;
    const figures = figuresIn(log);
    const is_empty = figures.length > 0 && figures.every((figure) => figure === 0n);
    const spoken = words.filter((word) => isSpoken(reading, word, contract));
    return spoken.map((word) => {
      const { type, protocol, weight, signature, needs } = word;
      const actor = word.actor === null ? null : addressIn(log, word.actor);
      const score = eventScore(type, weight, is_asked) - aside;
      return {
        ...{ type, actor, score, protocol, contract, says: signature, names, needs, is_vault: isVault(word) },
        basis: basisOf(word),
        ...(word.protocol === null && names.length === 0 ? { figures } : {}),
        ...(is_empty ? { is_empty } : {}),
      };
    });
  });
};

/** Contracts of the network itself that are called without a function. Sources: EIP-7002, EIP-7251. */
const REQUESTS: Readonly<Record<string, string>> = {
  [ADDRESSES.withdrawal_requests]: "EIP-7002",
  [ADDRESSES.consolidation_requests]: "EIP-7251",
};
const REQUEST_SCORE = 90;

const ofRequests = ({ recipient }: HeadlineReading): readonly HeadlineEvidence[] => {
  const says = recipient === null ? undefined : REQUESTS[recipient];
  if (says === undefined) return [];
  const about = { actor: null, protocol: "Ethereum", contract: recipient, says, names: [], needs: null };
  return [{ ...about, type: "queue_withdrawal", score: REQUEST_SCORE, basis: "protocol" }];
};

/** Factories create contracts as a part of other acts too. */
const DEPLOYED = 0.75;

/** A contract created by another contract is the act only without any other evidence. */
const ofCreations = ({ actions, account, sender }: HeadlineReading): readonly HeadlineEvidence[] => {
  if (!actions.some(({ type }) => type === "deploy")) return [];
  const about = { actor: account?.address ?? sender, protocol: null, contract: null, says: "a created contract" };
  return [{ ...about, type: "deploy", score: 1, basis: "movements", confidence: DEPLOYED, names: [], needs: null }];
};

/** The use of a smart account is the act only without any other evidence. */
const ofAccount = ({ account }: HeadlineReading): readonly HeadlineEvidence[] => {
  if (account === null) return [];
  const { type, address } = account;
  const protocol = type === "multisig_exec" ? "Safe" : "ERC-4337";
  const about = { actor: address, protocol, contract: null, says: "an account", names: [], needs: null };
  return [{ ...about, type, score: 0, basis: "protocol" }];
};

/**
 * Evidence from calls without logs: a common function name counts only at a known contract, because the events of an
 * unknown one might contradict it.
 */
export const calledEvidenceOf = (reading: HeadlineReading): readonly HeadlineEvidence[] => [
  ...ofFunctions(reading).filter(
    ({ score, contract }) => score > FUNCTION_SCORES[1] || (contract !== null && reading.name(contract) !== null),
  ),
  ...ofRequests(reading),
];

/** Evidence from calls and logs. */
export const evidenceOf = (reading: HeadlineReading): readonly HeadlineEvidence[] => [
  ...ofFunctions(reading),
  ...ofEvents(reading),
  ...ofRequests(reading),
  ...ofCreations(reading),
  ...ofAccount(reading),
];
