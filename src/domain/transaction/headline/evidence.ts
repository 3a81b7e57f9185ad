import { ADDRESSES, INTERFACES } from "../../../knowledge/names.gen.ts";
import { type Hex, toHex } from "../../../lib/bytes.ts";
import { addressesIn, addressIn, type Reading } from "./case.ts";
import type { Confidence, HeadlineType } from "./types.ts";
import { eventWords, functionWords } from "./words/index.ts";
import type { Word } from "./words/word.ts";

/** One reason to take a transaction for something. */
export interface Evidence {
  readonly type: HeadlineType;
  /** Whose act it would be; null: of whoever has the movements for it. */
  readonly actor: Hex | null;
  /** Higher is more telling. */
  readonly score: number;
  readonly protocol: string | null;
  /** Contract that was asked or that logged. */
  readonly contract: Hex | null;
  readonly says: string;
  readonly confidence: Confidence;
  /** Addresses that the log names. */
  readonly names: readonly Hex[];
  readonly needs: "minted" | "burnt" | null;
  /** A word of vaults and stakes, which says nothing of lending. */
  readonly is_vault?: boolean;
}

/** A function that was called is what was meant; an event is what some contract says happened. */
const FUNCTION_SCORES = { 1: 52, 2: 66, 3: 88 } as const;
const EVENT_SCORES = { 1: 40, 2: 56, 3: 75 } as const;
/** The contract that was asked says so itself. */
const ASKED_BONUS = 12;
/** It speaks of nobody whose act it could be, and was not asked. */
const ASIDE = 18;

/** Of what is logged together, what is paid out beside an act is not the act, and a liquidation is more than a repayment. */
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

/** How telling an event is that says so. */
export const eventScore = (type: HeadlineType, weight: Word["weight"], is_asked: boolean): number =>
  EVENT_SCORES[weight] + (is_asked ? ASKED_BONUS : 0) + (ORDER[type] ?? 0);

const confidenceOf = (word: Word): Confidence => (word.protocol === null ? "standard" : "protocol");

const ofFunctions = ({ asked }: Reading): readonly Evidence[] =>
  asked.flatMap(({ callee, selector }): readonly Evidence[] => {
    return functionWords(selector).map((word) => {
      const { type, protocol, weight, signature, needs } = word;
      return {
        ...{ type, actor: null, score: FUNCTION_SCORES[weight], protocol, contract: callee, needs },
        ...{ says: signature, confidence: confidenceOf(word), names: [], is_vault: isVault(word) },
      };
    });
  });

const ofEvents = ({ transaction, asked, recipient, wrapped_native, account, name }: Reading): readonly Evidence[] => {
  const callees = new Set([recipient, ...asked.map(({ callee }) => callee)]);
  return transaction.logs.flatMap((log): readonly Evidence[] => {
    const [topic] = log.topics;
    const contract = toHex(log.address);
    const words = topic === undefined ? [] : eventWords(topic);
    // What carries out the wishes of others logs its own bookkeeping.
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

/** Contracts of the network itself that are asked without a function. Sources: EIP-7002, EIP-7251. */
const REQUESTS: Readonly<Record<string, string>> = {
  [ADDRESSES.withdrawal_requests]: "EIP-7002",
  [ADDRESSES.consolidation_requests]: "EIP-7251",
};
const REQUEST_SCORE = 90;

const ofRequests = ({ recipient }: Reading): readonly Evidence[] => {
  const says = recipient === null ? undefined : REQUESTS[recipient];
  if (says === undefined) return [];
  const about = { actor: null, protocol: "Ethereum", contract: recipient, says, names: [], needs: null };
  return [{ ...about, type: "queue_withdrawal", score: REQUEST_SCORE, confidence: "protocol" }];
};

/** That somebody acts through an account is said only where nothing else is. */
const ofAccount = ({ account }: Reading): readonly Evidence[] => {
  if (account === null) return [];
  const { type, address } = account;
  const protocol = type === "multisig_exec" ? "Safe" : "ERC-4337";
  const about = { actor: address, protocol, contract: null, says: "an account", names: [], needs: null };
  return [{ ...about, type, score: 0, confidence: "protocol" }];
};

/**
 * What was called, where nothing is known of logs: a word that many use alike counts only at a contract that somebody knows,
 * because the events of another one could say something else.
 */
export const calledEvidenceOf = (reading: Reading): readonly Evidence[] => [
  ...ofFunctions(reading).filter(
    ({ score, contract }) => score > FUNCTION_SCORES[1] || (contract !== null && reading.name(contract) !== null),
  ),
  ...ofRequests(reading),
];

/** What was called and what was logged. */
export const evidenceOf = (reading: Reading): readonly Evidence[] => [
  ...ofFunctions(reading),
  ...ofEvents(reading),
  ...ofRequests(reading),
  ...ofAccount(reading),
];
