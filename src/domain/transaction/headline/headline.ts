import type { Hex } from "../../../lib/bytes.ts";
import type { TokenAmount } from "../actions/action.ts";
import type { TransactionCategory } from "../actions/categories.ts";
import { candidatesOf } from "./actors.ts";
import { type HeadlineCase, type HeadlineReading, readingOf } from "./case.ts";
import { actorNetOf, confirmed } from "./consistency.ts";
import { calledEvidenceOf, evidenceOf, type HeadlineEvidence } from "./evidence.ts";
import { protocolOf, venueOf } from "./naming.ts";
import { isStill, netOf, type PartyNet } from "./nets.ts";
import { canSpeakFor, isBrought, isOwnAct, isPartOfClaim } from "./ownership.ts";
import { positionsIn } from "./positions.ts";
import { shapesOf } from "./shapes.ts";
import { type Basis, type Headline, KINDS } from "./types.ts";

/** An event that names the actor concerns it. */
const NAMED_BONUS = 15;
/** The signer of the transaction acts unless evidence says otherwise. */
const SENDER_BONUS = 6;
const STRANGER = 10;
/** The debt outweighs its collateral. */
const OF_LOAN = 20;
/** A word for several acts, distinguished by a mint or burn. */
const NEEDED = 12;

/** Turns a trade for shares of the same protocol's savings into a deposit. */
const ofSavings = (reading: HeadlineReading, actor: Hex, evidence: HeadlineEvidence): HeadlineEvidence => {
  if (evidence.type !== "swap" || evidence.contract === null) return evidence;
  const { given, received } = netOf(reading.nets, actor);
  const house = reading.name(evidence.contract);
  const isShare = ({ token }: TokenAmount): boolean => {
    const name = reading.name(token);
    return name !== null && house !== null && name.role === "shares" && name.name === house.name;
  };
  if (received.length > 0 && received.every(isShare)) return { ...evidence, type: "supply" };
  return given.length > 0 && given.every(isShare) ? { ...evidence, type: "withdraw" } : evidence;
};

/** Turns a purchase by the giver of an NFT into a sale, and a swap with an NFT into a purchase or sale. */
const ofPieces = (reading: HeadlineReading, actor: Hex, evidence: HeadlineEvidence): HeadlineEvidence => {
  const { given, received } = netOf(reading.nets, actor);
  const [is_sold, is_bought] = [given, received].map((side) => side.some(({ token_id }) => token_id !== null));
  if (evidence.type === "nft_purchase" && is_sold) return { ...evidence, type: "nft_sale" };
  if (evidence.type !== "swap" || is_sold === is_bought) return evidence;
  return { ...evidence, type: is_sold ? "nft_sale" : "nft_purchase" };
};

interface HeadlineChoice {
  readonly actor: Hex;
  readonly evidence: HeadlineEvidence;
  readonly score: number;
}

/** A loan paid out beside a deposit of its collateral, or its repayment beside a withdrawal. */
const isLoan = (
  { minted, burnt }: HeadlineReading,
  { given, received }: PartyNet,
  { type }: HeadlineEvidence,
): boolean =>
  given.length > 0 &&
  received.length > 0 &&
  ((type === "borrow" && received.some(({ token }) => !minted.has(token))) ||
    (type === "repay" && given.some(({ token }) => !burnt.has(token))));

const scoreOf = (reading: HeadlineReading, actor: Hex, evidence: HeadlineEvidence): number => {
  const is_named = (evidence.actor === actor && evidence.basis !== "movements") || evidence.names.includes(actor);
  const net = netOf(reading.nets, actor);
  const bonus = (is_named ? NAMED_BONUS : 0) + (actor === reading.sender && !isStill(net) ? SENDER_BONUS : 0);
  const is_stranger = evidence.actor !== actor && evidence.basis !== "movements" && actor !== reading.sender;
  return evidence.score + bonus + (evidence.needs === null ? 0 : NEEDED) - (is_stranger ? STRANGER : 0);
};

const choose = (
  reading: HeadlineReading,
  told: readonly HeadlineEvidence[],
  actors: readonly Hex[],
): HeadlineChoice | null => {
  const has_swap = told.some(({ type }) => type === "swap") || reading.actions.some(({ type }) => type === "swap");
  const is_liquidation = told.some(({ type }) => type === "liquidation");
  let best: HeadlineChoice | null = null;
  for (const actor of actors) {
    const net = actorNetOf(reading, actor);
    const is_filler = told.some((one) => one.type === "swap" && isBrought(reading, actor, one));
    for (const one of [...told, ...shapesOf(reading, actor, has_swap)]) {
      // Most of thousands of events are about other accounts: this comes first.
      if (!canSpeakFor(reading, actor, one)) continue;
      const evidence = confirmed(reading, net, ofPieces(reading, actor, ofSavings(reading, actor, one)));
      if (evidence === null || !isOwnAct(reading, actor, evidence)) continue;
      if (is_filler && evidence.type === "swap") continue;
      if (isPartOfClaim(reading, { actor, evidence }, told)) continue;
      const loan = !is_liquidation && isLoan(reading, net, evidence) ? OF_LOAN : 0;
      const score = scoreOf(reading, actor, evidence) + loan;
      if (best === null || score > best.score) best = { actor, evidence, score };
    }
  }
  return best;
};

/** Tokens that only record a debt: minted with a loan, burned with its repayment. */
const debtOf = (sides: readonly TokenAmount[], issued: ReadonlySet<Hex>): readonly TokenAmount[] => {
  const records = sides.filter(({ token }) => issued.has(token));
  return records.length < sides.length ? records : [];
};

/** Acts whose native coin, given beside a token, pays messengers or keepers. */
const SERVED: readonly Headline["type"][] = ["bridge_out", "place_order"];
/** Acts without a price: anything given with them pays for the service. */
const FREE: readonly Headline["type"][] = [
  "queue_withdrawal",
  "claim_reward",
  "claim_airdrop",
  "claim_payment",
  "claim_grant",
];

const feeOf = (type: Headline["type"], given: readonly TokenAmount[]): readonly TokenAmount[] => {
  const coins = given.filter(({ token }) => token === "");
  const is_beside = given.length > coins.length && SERVED.includes(type);
  return is_beside || FREE.includes(type) ? coins : [];
};

const without = (sides: readonly TokenAmount[], left_out: readonly TokenAmount[]): readonly TokenAmount[] =>
  sides.filter((side) => !left_out.includes(side));

/**
 * A deposit is a stake unless a known market lends it out. An account's act with weak evidence takes the category of
 * its actions.
 */
const categoryOf = (
  { account }: HeadlineReading,
  { type, basis, is_vault = basis === "movements" }: HeadlineEvidence,
): TransactionCategory => {
  const { category } = KINDS[type];
  if (is_vault && (type === "deposit" || type === "withdraw")) return "stake";
  return account !== null && (category === "transfer" || category === "other")
    ? KINDS[account.type].category
    : category;
};

const CONFIDENCES: Readonly<Record<Basis, number>> = { protocol: 0.97, standard: 0.85, movements: 0.8 };
/** A common event that names the actor, or a common function of a known protocol. */
const NAMED = 0.93;

const confidenceOf = (reading: HeadlineReading, actor: Hex, evidence: HeadlineEvidence): number => {
  const { basis, confidence, contract, is_called, names } = evidence;
  if (confidence !== undefined) return confidence;
  const is_known = is_called === true && contract !== null && reading.name(contract) !== null;
  return basis === "standard" && (is_known || names.includes(actor)) ? NAMED : CONFIDENCES[basis];
};

/** The headline of a transaction; null without evidence. Never throws, whatever the bytes. */
export const headlineOf = (given_case: HeadlineCase): Headline | null => {
  const reading = readingOf(given_case);
  if (!reading.transaction.succeeded) return null;
  const told = evidenceOf(reading);
  const said = [...told, ...positionsIn(reading)];
  const choice = choose(reading, said, candidatesOf(reading, said));
  if (choice === null) return null;
  const { actor, evidence } = choice;
  const { type, basis, says } = evidence;
  const { given, received } = netOf(reading.nets, actor);
  const debt = [
    ...(type === "borrow" ? debtOf(received, reading.minted) : []),
    ...(type === "repay" ? debtOf(given, reading.burnt) : []),
  ];
  const fee = feeOf(type, given);
  const chosen = { ...choice, told };
  const { protocol, source } = protocolOf(reading, chosen) ?? { protocol: null, source: null };
  return {
    ...{
      type,
      category: categoryOf(reading, evidence),
      actor,
      protocol,
      protocol_source: source,
      venue: venueOf(reading, chosen, protocol),
    },
    ...{
      given: without(given, [...debt, ...fee]),
      received: without(received, debt),
      fee,
      debt,
      basis,
      confidence: confidenceOf(reading, actor, evidence),
      evidence: says,
    },
  };
};

/** Act of a party, without names and amounts. */
export type HeadlineAct = Pick<Headline, "type" | "category">;

/**
 * The act of one party in a transaction of which only its own part is known: its movements, the call, and `facts` from
 * its events. It applies the rule of the headline, so that both agree; null when the part gives no evidence.
 */
export const actOf = (given_case: HeadlineCase, actor: Hex, facts: readonly HeadlineEvidence[]): HeadlineAct | null => {
  const reading = readingOf(given_case);
  if (!reading.transaction.succeeded) return null;
  const choice = choose(reading, [...calledEvidenceOf(reading), ...facts], [actor]);
  return choice === null ? null : { type: choice.evidence.type, category: categoryOf(reading, choice.evidence) };
};
