import type { Hex } from "../../../lib/bytes.ts";
import { type HeadlineReading, isCalled } from "./case.ts";
import type { HeadlineEvidence } from "./evidence.ts";
import { netOf, type PartyNet } from "./nets.ts";
import { isBurnt, isMinted, isNested } from "./sides.ts";
import { type HeadlineType, KINDS } from "./types.ts";

/** The net changes of one party, and the facts about them that confirm or contradict evidence. */
export interface ActorNet extends PartyNet {
  readonly actor: Hex;
  /** Shares were made for the actor or its shares were destroyed; null where neither or both happened. */
  readonly issue: "made" | "destroyed" | null;
  readonly has_minted: boolean;
  readonly has_burnt: boolean;
  readonly is_all_burnt: boolean;
  /** A position that is burnt is closed. */
  readonly is_closed: boolean;
}

export const actorNetOf = (reading: HeadlineReading, actor: Hex): ActorNet => {
  const { given, received } = netOf(reading.nets, actor);
  const burnt = given.filter(({ token }) => isBurnt(reading, token));
  const minted = received.filter(({ token }) => isMinted(reading, token));
  const is_all_burnt = given.length > 0 && burnt.length === given.length;
  const is_all_minted = received.length > 0 && minted.length === received.length;
  return {
    actor,
    given,
    received,
    issue: is_all_burnt === is_all_minted ? null : is_all_minted ? "made" : "destroyed",
    has_minted: minted.length > 0,
    has_burnt: burnt.length > 0,
    is_all_burnt,
    is_closed: burnt.some(({ token_id }) => token_id !== null),
  };
};

/** Words for one direction that also occur for the other. */
const OPPOSITES: Readonly<Partial<Record<HeadlineType, HeadlineType>>> = {
  deposit: "withdraw",
  supply: "withdraw",
  stake: "unstake",
  add_liquidity: "remove_liquidity",
  withdraw: "deposit",
  unstake: "stake",
  remove_liquidity: "add_liquidity",
};
const INTO: readonly HeadlineType[] = ["deposit", "supply", "stake", "add_liquidity"];
const OUT_OF: readonly HeadlineType[] = ["withdraw", "unstake", "remove_liquidity"];

/** Reports whether the net changes have the sides of an act. */
export const hasFlow = (type: HeadlineType, { given, received }: PartyNet): boolean => {
  switch (KINDS[type].flow) {
    case "gives":
      return given.length > 0;
    case "gets":
      return received.length > 0;
    case "both":
      return given.length > 0 && received.length > 0;
    case "still":
      return given.length + received.length === 0;
    default:
      return true;
  }
};

const hasIssue = ({ has_minted, has_burnt }: ActorNet, { needs }: HeadlineEvidence): boolean =>
  needs === null || (needs === "minted" ? has_minted : has_burnt);

/** Shares that the actor gets for rewards that it never held: a stake without anything given. */
const isRestaked = (reading: HeadlineReading, { given, received }: PartyNet, { contract }: HeadlineEvidence): boolean =>
  given.length === 0 &&
  received.some(({ token }) => token === contract) &&
  received.every(({ token }) => isMinted(reading, token));

/** NFTs made for a payment, by a word of claims or of deposits. */
const isPieceMint = ({ given, received, has_minted }: ActorNet, { type, says, contract }: HeadlineEvidence): boolean =>
  has_minted &&
  given.length > 0 &&
  given.every(({ token }) => token === "") &&
  received.every(({ token, token_id }) => token_id !== null && token === contract) &&
  (type === "claim_reward" || type === "claim_airdrop" || says.startsWith("mint("));

const LENDING: readonly HeadlineType[] = ["supply", "withdraw"];

/** Shares of one market for shares of another. */
const isExchanged = (reading: HeadlineReading, net: ActorNet, { type, is_called }: HeadlineEvidence): boolean =>
  LENDING.includes(type) &&
  is_called !== true &&
  net.is_all_burnt &&
  net.received.length > 0 &&
  net.received.every(({ token }) => isMinted(reading, token)) &&
  isShareOf(reading, net);

/** Each share's asset came out of the one share's contract and went into the other's. */
const isShareOf = ({ movements }: HeadlineReading, { given, received }: ActorNet): boolean =>
  given.every((out) => movements.some(({ source, token }) => source === out.token && token !== out.token)) &&
  received.every((got) => movements.some(({ destination, token }) => destination === got.token && token !== got.token));

/** A number to mint is a deposit only at the contract of the shares. */
const isOtherMint = ({ received }: PartyNet, { is_called, says, type, contract }: HeadlineEvidence): boolean =>
  is_called === true &&
  type === "supply" &&
  says.startsWith("mint(") &&
  !received.some(({ token }) => token === contract);

/** The direction that the net changes prove, for a word of deposits or withdrawals. */
const directed = (reading: HeadlineReading, net: ActorNet, evidence: HeadlineEvidence): HeadlineType => {
  const { type } = evidence;
  const { issue, is_closed } = net;
  const opposite = OPPOSITES[type];
  const is_reversed =
    net.given.length > 0 &&
    net.received.length > 0 &&
    ((INTO.includes(type) && issue === "destroyed") || (OUT_OF.includes(type) && issue === "made"));
  if (is_reversed && opposite !== undefined) return opposite;
  if (type === "collect_fees" && is_closed) return "remove_liquidity";
  if (isPieceMint(net, evidence)) return "mint";
  if (isExchanged(reading, net, evidence)) return "migrate";
  // Shares of a vault or gauge that holds the shares of the pool.
  const is_log = evidence.is_called !== true && evidence.basis === "standard";
  if (type === "add_liquidity" && is_log && isNested(reading, net.actor, "made")) return "deposit";
  if (type === "remove_liquidity" && is_log && isNested(reading, net.actor, "destroyed")) return "withdraw";
  // Masters of farms pay rewards by deposits and withdrawals of nothing.
  const is_empty = evidence.is_empty === true && evidence.basis === "standard" && net.given.length === 0;
  if (is_empty && (INTO.includes(type) || OUT_OF.includes(type))) return "claim_reward";
  const is_waiting = OUT_OF.includes(type) && net.received.length === 0 && net.given.length > 0;
  if (!is_waiting || is_closed || reading.is_untraced === true) return type;
  // A token that its holder withdraws from itself leaves for another network; shares wait for their payment.
  const is_own = evidence.is_called === true && evidence.says.startsWith("withdraw(");
  const is_leaving = is_own && net.given.every(({ token }) => token === evidence.contract && isBurnt(reading, token));
  return is_leaving ? "bridge_out" : "queue_withdrawal";
};

/** A trade in a pool that was not called is a step on the way into shares or out of them. */
const isStep = (reading: HeadlineReading, { issue }: ActorNet, { type, basis, contract }: HeadlineEvidence): boolean =>
  issue !== null && type === "swap" && basis === "standard" && !isCalled(reading, contract);

/** A withdrawal of shares that the actor did not give, on the way of a trade of something else. */
const isOtherShare = (reading: HeadlineReading, net: ActorNet, evidence: HeadlineEvidence): boolean => {
  const { type, contract, basis, names } = evidence;
  const { actor, given, is_all_burnt } = net;
  if (!OUT_OF.includes(type) || basis !== "standard" || contract === null) return false;
  if (given.length === 0 || is_all_burnt) return false;
  const is_other_token = reading.tokens.has(contract) && !given.some(({ token }) => token === contract);
  return is_other_token || !(isCalled(reading, contract) || names.includes(actor));
};

/** Acts that need no amounts. */
const FREE_FLOWS: readonly string[] = ["any", "still"];

/** A log that names no account is about the actor when it has one of its amounts, or two totals that differ by one. */
const isAbout = ({ given, received }: PartyNet, { type, figures }: HeadlineEvidence): boolean =>
  figures === undefined ||
  FREE_FLOWS.includes(KINDS[type].flow) ||
  [...given, ...received].some(
    ({ amount }) => figures.includes(amount) || figures.some((one) => figures.includes(one + amount)),
  );

/** A withdrawal does not bring shares of its own pool. */
const isOwnShare = ({ received }: PartyNet, type: HeadlineType, { contract }: HeadlineEvidence): boolean =>
  OUT_OF.includes(type) && received.length > 0 && received.every(({ token }) => token === contract);

/** A loan that a trade turned into collateral, or collateral that a trade turned into the repayment. */
const isLeveraged = ({ actor, given, received }: ActorNet, evidence: HeadlineEvidence): boolean =>
  evidence.actor === actor &&
  ((evidence.type === "borrow" && given.length > 0) || (evidence.type === "repay" && received.length > 0));

/**
 * The evidence as the actor's net changes confirm it: of the same type, or of the direction that they prove. Null when
 * they contradict it.
 */
export const confirmed = (
  reading: HeadlineReading,
  net: ActorNet,
  evidence: HeadlineEvidence,
): HeadlineEvidence | null => {
  if (!hasIssue(net, evidence) || !isAbout(net, evidence)) return null;
  if (isOtherShare(reading, net, evidence) || isStep(reading, net, evidence)) return null;
  if (evidence.type === "stake" && isRestaked(reading, net, evidence)) return evidence;
  const type = directed(reading, net, evidence);
  if (isLeveraged(net, evidence)) return evidence;
  if (!hasFlow(type, net) || isOwnShare(net, type, evidence) || isOtherMint(net, evidence)) return null;
  return type === evidence.type ? evidence : { ...evidence, type };
};
