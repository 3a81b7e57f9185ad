import type { Hex } from "../../../lib/bytes.ts";
import type { TokenAmount } from "../actions/action.ts";
import { uninvolvedParties } from "./actors.ts";
import { type HeadlineReading, isCalled } from "./case.ts";
import type { HeadlineEvidence } from "./evidence.ts";
import { isStill, netOf, type PartyNet } from "./nets.ts";
import type { HeadlineType } from "./types.ts";

const isLarger = (mine: TokenAmount, others: readonly TokenAmount[]): boolean =>
  others.some(({ token, token_id, amount }) => token === mine.token && token_id === null && amount > mine.amount);

/** Facts about one party of a reading, each found once: a transaction may have thousands of events. */
const facts = new WeakMap<HeadlineReading, Map<string, boolean>>();

const once = (reading: HeadlineReading, key: string, find: () => boolean): boolean => {
  const known = facts.get(reading) ?? new Map<string, boolean>();
  facts.set(reading, known);
  const found = known.get(key) ?? find();
  known.set(key, found);
  return found;
};

/** A relayer that is paid from an arrival gets less of it than its receiver, or another token. */
const isRelayer = (reading: HeadlineReading, actor: Hex): boolean => {
  const { given, received } = netOf(reading.nets, actor);
  if (given.length > 0) return false;
  const receivers = uninvolvedParties(reading).map((party) => ({ party, net: netOf(reading.nets, party) }));
  return receivers.some(({ party, net }) => {
    if (party === actor || net.given.length > 0 || net.received.length === 0) return false;
    const is_apart = received.every(({ token }) => net.received.every((got) => got.token !== token));
    return received.some((mine) => isLarger(mine, net.received)) || (is_apart && actor === reading.sender);
  });
};

/** The contract that fills an order trades for the account on the other side. */
const isFiller = (reading: HeadlineReading, actor: Hex): boolean =>
  actor === reading.recipient &&
  actor !== reading.account?.address &&
  uninvolvedParties(reading).some((party) => {
    const { given, received } = netOf(reading.nets, party);
    return given.length > 0 && received.length > 0;
  });

/** A contract that its caller pays, or that pays its caller, acts for the caller. A bridge's relayer pays receivers. */
const isTool = ({ recipient, account, sender, nets, name }: HeadlineReading, actor: Hex): boolean =>
  actor === recipient &&
  actor !== sender &&
  actor !== account?.address &&
  name(sender)?.role !== "relayer" &&
  !isStill(netOf(nets, sender));

const CLAIMS: readonly HeadlineType[] = ["claim_reward", "claim_airdrop", "claim_payment", "claim_grant"];
const PAYOUTS: readonly HeadlineType[] = ["withdraw", "unstake"];

/**
 * Payouts log words of withdrawals too. When every called function is a claim, and the actor gave nothing, a common event
 * of a withdrawal is part of the claim.
 */
export const isPartOfClaim = (
  { given }: PartyNet,
  evidence: HeadlineEvidence,
  told: readonly HeadlineEvidence[],
): boolean => {
  if (!PAYOUTS.includes(evidence.type) || evidence.is_called === true || evidence.basis === "protocol") return false;
  const called = told.filter(({ is_called }) => is_called === true);
  const is_claim = called.length > 0 && called.every(({ type }) => CLAIMS.includes(type));
  return is_claim && given.length === 0;
};

/** A contract that was not called pays another account than the actor: a step on the way of some payout. */
const isInnerPayout = (reading: HeadlineReading, actor: Hex, evidence: HeadlineEvidence): boolean => {
  const { type, basis, is_called, contract, names } = evidence;
  if (!PAYOUTS.includes(type) || basis === "protocol" || is_called === true) return false;
  return (
    !isCalled(reading, contract) &&
    !names.includes(actor) &&
    names.length > 0 &&
    netOf(reading.nets, actor).given.length === 0
  );
};

/** A lock of a token that the event names first, by a contract without a name: many bridges have it. */
const isForeignLock = (reading: HeadlineReading, { type, basis, names, contract }: HeadlineEvidence): boolean => {
  const [first] = names;
  if (type !== "stake" || basis !== "standard" || first === undefined || contract === null) return false;
  return reading.tokens.has(first) && first !== contract && reading.name(contract) === null;
};

const OF_LOANS: readonly HeadlineType[] = ["borrow", "repay", "supply", "withdraw"];

/** An event about the loan of an account that has no part in the actor's call, such as a redeemed loan. */
const isOthersLoan = (reading: HeadlineReading, actor: Hex, evidence: HeadlineEvidence): boolean => {
  const { type, actor: owner, names } = evidence;
  if (!OF_LOANS.includes(type) || owner === null || owner === actor || names.includes(actor)) return false;
  return !isCalled(reading, owner) && !reading.emitters.has(owner);
};

/** Evidence with an actor is about that account, or about the call that led to it. */
export const canSpeakFor = ({ sender, recipient }: HeadlineReading, actor: Hex, evidence: HeadlineEvidence): boolean =>
  evidence.actor === null || evidence.actor === actor || actor === sender || actor === recipient;

/** Reports whether the evidence can be about an act of this party. */
export const isOwnAct = (reading: HeadlineReading, actor: Hex, evidence: HeadlineEvidence): boolean => {
  const { sender, account, nets } = reading;
  const { type, basis } = evidence;
  if (isTool(reading, actor) || isInnerPayout(reading, actor, evidence)) return false;
  if (isOthersLoan(reading, actor, evidence) || isForeignLock(reading, evidence)) return false;
  if (type === "swap" && once(reading, `filler ${actor}`, () => isFiller(reading, actor))) return false;
  if (
    type === "bridge_in" &&
    evidence.actor !== actor &&
    once(reading, `relayer ${actor}`, () => isRelayer(reading, actor))
  )
    return false;
  if (actor === sender || actor === account?.address) return true;
  const { given, received } = netOf(nets, sender);
  if (type === "swap") return given.length === 0 || (received.length === 0 && basis !== "movements");
  // The sender pays for an act of its own; only relayers pay for arrivals of others.
  return type === "bridge_in" || given.length === 0;
};
