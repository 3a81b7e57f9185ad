import { ADDRESSES, INTERFACES } from "../../../knowledge/names.gen.ts";
import { type Hex, toHex } from "../../../lib/bytes.ts";
import { addressesIn, addressIn, type HeadlineReading } from "./case.ts";
import type { Confidence, HeadlineType } from "./types.ts";
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
  readonly confidence: Confidence;
  /** Addresses in the log. */
  readonly names: readonly Hex[];
  readonly needs: "minted" | "burnt" | null;
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

/** Among events of one transaction, a payout is no act of its own, and a liquidation outweighs a repayment. */
const ORDER: Readonly<Partial<Record<HeadlineType, number>>> = {
  ...{ claim_reward: -20, collect_fees: -20, claim_airdrop: -5, liquidation: 3 },
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

const confidenceOf = (word: Word): Confidence => (word.protocol === null ? "standard" : "protocol");

const ofFunctions = ({ asked }: HeadlineReading): readonly HeadlineEvidence[] =>
  asked.flatMap(({ callee, selector }): readonly HeadlineEvidence[] => {
    return functionWords(selector).map((word) => {
      const { type, protocol, weight, signature, needs } = word;
      return {
        ...{ type, actor: null, score: FUNCTION_SCORES[weight], protocol, contract: callee, needs },
        ...{ says: signature, confidence: confidenceOf(word), names: [], is_vault: isVault(word) },
      };
    });
  });

const ofEvents = ({
  transaction,
  asked,
  recipient,
  wrapped_native,
  account,
  name,
}: HeadlineReading): readonly HeadlineEvidence[] => {
  const callees = new Set([recipient, ...asked.map(({ callee }) => callee)]);
  return transaction.logs.flatMap((log): readonly HeadlineEvidence[] => {
    const [topic] = log.topics;
    const contract = toHex(log.address);
    const words = topic === undefined ? [] : eventWords(topic);
    // Contracts that execute the intentions of others log their own bookkeeping.
    const is_bookkeeping = contract === account?.entry_point || name(contract)?.role === "envelope";
    if (words.length === 0 || contract === wrapped_native || is_bookkeeping) return [];
    const names = addressesIn(log);
    const is_asked = callees.has(contract);
    const aside = !is_asked && names.length === 0 ? ASIDE : 0;
    return words.map((word) => {
      const { type, protocol, weight, signature, needs } = word;
      const actor = word.actor === null ? null : addressIn(log, word.actor);
      const score = eventScore(type, weight, is_asked) - aside;
      return {
        ...{ type, actor, score, protocol, contract, says: signature, names, needs, is_vault: isVault(word) },
        confidence: confidenceOf(word),
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
  return [{ ...about, type: "queue_withdrawal", score: REQUEST_SCORE, confidence: "protocol" }];
};

/** The use of a smart account is the act only without any other evidence. */
const ofAccount = ({ account }: HeadlineReading): readonly HeadlineEvidence[] => {
  if (account === null) return [];
  const { type, address } = account;
  const protocol = type === "multisig_exec" ? "Safe" : "ERC-4337";
  const about = { actor: address, protocol, contract: null, says: "an account", names: [], needs: null };
  return [{ ...about, type, score: 0, confidence: "protocol" }];
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
  ...ofAccount(reading),
];
