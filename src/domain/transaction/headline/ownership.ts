import { type Hex, toHex } from "../../../lib/bytes.ts";
import { largerReceivers, uninvolvedParties } from "./actors.ts";
import { type HeadlineReading, isCalled } from "./case.ts";
import type { HeadlineEvidence } from "./evidence.ts";
import { isStill, netOf } from "./nets.ts";
import { hasProof } from "./one_sided.ts";
import type { HeadlineType } from "./types.ts";

const CLAIMS: readonly HeadlineType[] = ["claim_reward", "claim_airdrop", "claim_payment", "claim_grant"];
const PAYOUTS: readonly HeadlineType[] = ["withdraw", "unstake"];

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
  if (largerReceivers(reading, actor).some((party) => netOf(reading.nets, party).given.length === 0)) return true;
  if (actor !== reading.sender) return false;
  return uninvolvedParties(reading).some((party) => {
    const net = netOf(reading.nets, party);
    if (net.given.length > 0 || net.received.length === 0) return false;
    return received.every(({ token }) => net.received.every((got) => got.token !== token));
  });
};

/** A payout to more accounts has no single receiver. */
const PARTIES_MAX = 64;

/** A sender that is paid for the payout of another: the evidence names the receiver of the larger part. */
const isPayer = (reading: HeadlineReading, actor: Hex, evidence: HeadlineEvidence): boolean => {
  const { type, actor: owner, names, is_called } = evidence;
  if (actor !== reading.sender || owner === actor || ![...CLAIMS, ...PAYOUTS].includes(type)) return false;
  const parties = largerReceivers(reading, actor);
  if (parties.length === 0) return false;
  const named = new Set(owner === null ? names : [owner, ...names]);
  if (parties.some((party) => named.has(party))) return true;
  if (is_called !== true) return false;
  const texts = reading.asked.map(({ data }) => toHex(data));
  return parties.slice(0, PARTIES_MAX).some((party) => texts.some((text) => text.includes(party)));
};

const OF_VOTERS: readonly HeadlineType[] = ["vote", "propose", "delegate_votes"];

/** A vote of another account, which the sender only brings; an order of another account, which the sender fills. */
export const isBrought = (reading: HeadlineReading, actor: Hex, evidence: HeadlineEvidence): boolean => {
  const { type, names, says } = evidence;
  const is_vote = OF_VOTERS.includes(type) && !names.includes(actor);
  if (is_vote && actor === reading.sender && /BySig\(/.test(says)) return true;
  const owner = evidence.actor ?? (is_vote ? (names[0] ?? null) : null);
  if (owner === null || owner === actor || actor !== reading.sender) return false;
  if (is_vote) return !isCalled(reading, owner) && !reading.emitters.has(owner) && reading.name(owner) === null;
  if (type !== "swap" || !uninvolvedParties(reading).includes(owner)) return false;
  const { given, received } = netOf(reading.nets, owner);
  return given.length > 0 && received.length > 0;
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

/**
 * Payouts log words of withdrawals too. When every called function is a claim, or the call has a proof, and the actor gave
 * nothing, a common event of a withdrawal is part of the claim.
 */
export const isPartOfClaim = (
  reading: HeadlineReading,
  { actor, evidence }: { readonly actor: Hex; readonly evidence: HeadlineEvidence },
  told: readonly HeadlineEvidence[],
): boolean => {
  const { given } = netOf(reading.nets, actor);
  if (!PAYOUTS.includes(evidence.type) || evidence.is_called === true || evidence.basis === "protocol") return false;
  const called = told.filter(({ is_called }) => is_called === true);
  const is_claim = called.length > 0 && called.every(({ type }) => CLAIMS.includes(type));
  return given.length === 0 && (is_claim || hasProof(reading));
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
  if (isPayer(reading, actor, evidence) || isBrought(reading, actor, evidence)) return false;
  if (isOthersLoan(reading, actor, evidence) || isForeignLock(reading, evidence)) return false;
  if (type === "swap" && once(reading, `filler ${actor}`, () => isFiller(reading, actor))) return false;
  if (
    type === "bridge_in" &&
    evidence.actor !== actor &&
    once(reading, `relayer ${actor}`, () => isRelayer(reading, actor))
  )
    return false;
  if (actor === sender || actor === account?.address) return true;
  // Contracts on the way of an arrival pay for it.
  if (type === "bridge_in" && evidence.actor !== actor && netOf(nets, actor).given.length > 0) return false;
  const { given, received } = netOf(nets, sender);
  if (type === "swap") {
    const is_signed = evidence.actor === actor && basis !== "movements";
    return is_signed || given.length === 0 || (received.length === 0 && basis !== "movements");
  }
  // The sender pays for an act of its own; only relayers pay for arrivals of others.
  return type === "bridge_in" || given.length === 0;
};
