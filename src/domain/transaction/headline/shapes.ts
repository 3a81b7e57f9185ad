import { INTERFACES } from "../../../knowledge/names.gen.ts";
import type { Bytes, Hex } from "../../../lib/bytes.ts";
import { WORD_BYTES } from "../../../lib/words.ts";
import { selectorOf } from "../../abi.ts";
import type { TokenAmount } from "../actions/action.ts";
import { issueIn, type SupplyChange } from "../decoding/receipts.ts";
import { uninvolvedParties } from "./actors.ts";
import type { HeadlineReading } from "./case.ts";
import type { HeadlineEvidence } from "./evidence.ts";
import { netOf } from "./nets.ts";
import { isBurnt, isMinted, sidesOf } from "./sides.ts";
import type { HeadlineType } from "./types.ts";

const SCORES = {
  wrapped: 95,
  routed: 82,
  given: 54,
  traded: 50,
  exchanged: 30,
  zapped: 48,
  converted: 40,
  receipt: 47,
  issued: 47,
  bridge: 60,
  relayed: 70,
  plain: 97,
  claimed: 38,
  piece: 43,
} as const;

/** How often the act is what the shape suggests. Chosen below what the recorded transactions show. */
const CONFIDENCES: Readonly<Record<keyof typeof SCORES, number>> = {
  wrapped: 0.99,
  routed: 0.95,
  given: 0.85,
  traded: 0.85,
  exchanged: 0.75,
  zapped: 0.75,
  converted: 0.75,
  receipt: 0.8,
  issued: 0.7,
  bridge: 0.85,
  relayed: 0.85,
  plain: 0.97,
  claimed: 0.75,
  piece: 0.8,
};

interface HeadlineShape {
  readonly type: HeadlineType;
  readonly by: keyof typeof SCORES;
  readonly says: string;
}

/** Wraps and unwraps at the wrapped coin's own contract. */
const wrapShape = ({ nets, recipient, wrapped_native }: HeadlineReading, actor: Hex): readonly HeadlineShape[] => {
  const { given, received } = netOf(nets, actor);
  const [out, into] = [given[0], received[0]];
  if (wrapped_native === null || recipient !== wrapped_native || given.length !== 1 || received.length !== 1) return [];
  if (out?.token === "" && into?.token === wrapped_native)
    return [{ type: "wrap", by: "wrapped", says: "wrapped coin" }];
  return out?.token === wrapped_native && into?.token === ""
    ? [{ type: "unwrap", by: "wrapped", says: "wrapped coin" }]
    : [];
};

/** transfer, safeTransferFrom of NFTs. Sources: ERC-20, ERC-721, ERC-1155. */
const TRANSFERS: readonly Hex[] = [
  ...[INTERFACES.erc20.transfer, INTERFACES.erc721.safeTransferFrom],
  ...[INTERFACES.erc721.safeTransferFrom_data, INTERFACES.erc1155.safeTransferFrom],
  ...[INTERFACES.erc20.transferFrom],
].map(selectorOf);

/** Coins or tokens sent without any other call. */
const transferShape = (
  { nets, transaction, tokens, asked, movements, name, emitters }: HeadlineReading,
  actor: Hex,
): readonly HeadlineShape[] => {
  const { given, received } = netOf(nets, actor);
  if (given.length === 0 || received.length > 0) return [];
  const is_bridged = movements.length > 0 && movements.every(({ destination }) => name(destination)?.role === "bridge");
  if (is_bridged) return [{ type: "bridge_out", by: "plain", says: "sent to the address of a bridge" }];
  if (transaction.input.length === 0 && transaction.logs.length === 0 && movements.length === 1)
    return [{ type: "transfer", by: "plain", says: "a call without data" }];
  // A receiver that logs does more than receive.
  const is_quiet = [...emitters].every((address) => tokens.has(address));
  const is_own =
    is_quiet &&
    asked.length > 0 &&
    asked.every(({ selector, callee }) => TRANSFERS.includes(selector) && callee !== null && tokens.has(callee));
  return is_own && movements.length === asked.length
    ? [{ type: "transfer", by: "plain", says: "a token's own transfer" }]
    : [];
};

/** A trade on the way into shares, or out of them, is a step of a deposit or withdrawal. */
const zapShapes = ({ actions }: HeadlineReading, { way, is_receipt }: SupplyChange): readonly HeadlineShape[] => {
  const [of_pool, of_vault, says] =
    way === "made"
      ? (["add_liquidity", "deposit", "a trade, and shares made for what was given"] as const)
      : (["remove_liquidity", "withdraw", "shares destroyed, and a trade for what was got"] as const);
  if (actions.some(({ type }) => type === of_pool)) return [{ type: of_pool, by: "zapped", says }];
  return is_receipt ? [{ type: of_vault, by: "zapped", says }] : [];
};

/** Prices of an hour differ from prices of a trade. */
const EVEN = 0.1;

/** One asset for one other of the same value. A loan is worth less than its collateral, and a fee less than a claim. */
const isEven = (
  { usd, transaction }: HeadlineReading,
  given: readonly TokenAmount[],
  received: readonly TokenAmount[],
) => {
  const [out, into] = [given[0], received[0]];
  // Without its logs, such an exchange may as well be a deposit.
  if (out === undefined || into === undefined || given.length + received.length > 2) return false;
  if (transaction.logs.length === 0) return false;
  const [paid, got] = [usd(out.token, out.amount), usd(into.token, into.amount)];
  return paid !== null && got !== null && paid > 0 && Math.abs(got - paid) <= EVEN * paid;
};

const tradeShape = (reading: HeadlineReading, actor: Hex, has_swap: boolean): readonly HeadlineShape[] => {
  const { given, received } = netOf(reading.nets, actor);
  if (given.length === 0 || received.length === 0) return [];
  const callees = [reading.recipient, ...reading.asked.map(({ callee }) => callee)];
  const is_routed = callees.some((callee) => {
    const role = callee === null ? null : (reading.name(callee)?.role ?? null);
    return role === "router" || (role === "bridge" && has_swap);
  });
  const is_plain =
    received.every(({ token_id }) => token_id === null) && given.every(({ token_id }) => token_id === null);
  if (!is_plain) return [];
  if (is_routed && has_swap) return [{ type: "swap", by: "routed", says: "traded through a router" }];
  if (is_routed) return [{ type: "swap", by: "given", says: "given and got through a router" }];
  const issue = issueIn(sidesOf(reading, actor, "given"), sidesOf(reading, actor, "received"));
  if (issue !== null) return has_swap ? zapShapes(reading, issue) : [];
  if (has_swap) return [{ type: "swap", by: "traded", says: "given for got, with a trade in a pool" }];
  return isEven(reading, given, received) ? [{ type: "swap", by: "exchanged", says: "one asset for its value" }] : [];
};

/** The coin and its wrapped token. */
const isSameCoin = ({ wrapped_native }: HeadlineReading, a: Hex, b: Hex): boolean =>
  a === b || [a, b].every((token) => token === "" || token === wrapped_native);

const isPiece = ({ token_id }: TokenAmount): boolean => token_id !== null;

const CONVERTED: HeadlineShape = { type: "swap", by: "converted", says: "one token destroyed, another made for it" };

/** One token burned and one other minted for it: a conversion or migration. */
const isConverted = (reading: HeadlineReading, given: readonly TokenAmount[], received: readonly TokenAmount[]) =>
  given.length + received.length === 2 &&
  given.every(({ token }) => isBurnt(reading, token)) &&
  received.every(({ token }) => isMinted(reading, token));

/** Shares minted for a deposit or burned for a withdrawal; tokens sold and bought back by their issuer. */
const receiptShape = (reading: HeadlineReading, actor: Hex, has_swap: boolean): readonly HeadlineShape[] => {
  const { given, received } = netOf(reading.nets, actor);
  if (given.length === 0 || received.length === 0 || [...given, ...received].some(isPiece)) return [];
  const issue = issueIn(sidesOf(reading, actor, "given"), sidesOf(reading, actor, "received"));
  if (issue === null) return isConverted(reading, given, received) ? [CONVERTED] : [];
  const is_made = issue.way === "made";
  // With a trade on the way, the token may be a share as well as a purchase.
  if (!issue.is_receipt && has_swap) return [];
  const is_conversion = [...given, ...received].every(({ token }) => reading.is_dollar(token));
  if (!issue.is_receipt || is_conversion)
    return [{ type: "swap", by: "issued", says: is_made ? "bought from who makes it" : "sold to who destroys it" }];
  return is_made
    ? [{ type: "deposit", by: "receipt", says: "shares made for what was given" }]
    : [{ type: "withdraw", by: "receipt", says: "shares destroyed for what was got" }];
};

/** The party on the other side of the pieces is on the other side of the money too. A pledge goes elsewhere. */
const isDealt = ({ nets }: HeadlineReading, pieces: readonly TokenAmount[], side: "given" | "received"): boolean =>
  pieces.every((piece) =>
    [...nets.values()].some((net) => {
      const [with_piece, with_money] = side === "given" ? [net.given, net.received] : [net.received, net.given];
      const has_piece = with_piece.some(({ token, token_id }) => token === piece.token && token_id === piece.token_id);
      return has_piece && with_money.some((one) => !isPiece(one));
    }),
  );

/** NFTs minted for the actor, bought or sold. */
const pieceShape = (reading: HeadlineReading, actor: Hex): readonly HeadlineShape[] => {
  const { given, received } = netOf(reading.nets, actor);
  const is_bought = received.length > 0 && received.every(isPiece);
  if (is_bought && received.every(({ token }) => isMinted(reading, token))) {
    // Claims, locks and requests have receipts in the form of pieces; a sale of pieces is a call of their contract.
    const is_sold_here =
      received.every(({ token }) => token === reading.recipient) && given.every(({ token }) => token === "");
    return is_sold_here ? [{ type: "mint", by: "piece", says: "pieces made for the actor" }] : [];
  }
  const is_paid = given.length > 0 && !given.some(isPiece);
  if (is_bought && is_paid && isDealt(reading, received, "given"))
    return [{ type: "nft_purchase", by: "piece", says: "money for pieces" }];
  if (given.length === 0 || !given.every(isPiece) || received.length === 0 || received.some(isPiece)) return [];
  if (given.every(({ token }) => isBurnt(reading, token)))
    return [{ type: "withdraw", by: "piece", says: "pieces destroyed for what was got" }];
  if (received.every(({ token }) => isMinted(reading, token)))
    return [{ type: "deposit", by: "piece", says: "shares made for pieces" }];
  return isDealt(reading, given, "received") ? [{ type: "nft_sale", by: "piece", says: "pieces for money" }] : [];
};

/** Parties without a part in the transaction got what the actor gave: it paid out for a bridge. */
const isPassedOn = (reading: HeadlineReading, actor: Hex): boolean =>
  netOf(reading.nets, actor).given.every(({ token, amount }) =>
    uninvolvedParties(reading).some((party) =>
      netOf(reading.nets, party).received.some((got) => isSameCoin(reading, got.token, token) && got.amount <= amount),
    ),
  );

/** Coins that leave or arrive through a contract of a bridge. */
const bridgeShape = (reading: HeadlineReading, actor: Hex): readonly HeadlineShape[] => {
  const { given, received } = netOf(reading.nets, actor);
  const roleOf = (address: Hex) => reading.name(address)?.role ?? null;
  const involved = [...(reading.recipient === null ? [] : [reading.recipient]), ...reading.emitters];
  const has_bridge =
    involved.some((address) => !reading.tokens.has(address) && roleOf(address) === "bridge") ||
    (reading.recipient !== null && roleOf(reading.recipient) === "relayer");
  const from_relayer = roleOf(reading.sender) === "relayer" && actor !== reading.sender;
  if (received.length > 0 && given.length === 0 && from_relayer)
    return [{ type: "bridge_in", by: "relayed", says: "paid out by a bridge's relayer" }];
  if (!has_bridge || given.length > 0 === received.length > 0) return [];
  if (given.length > 0 && isPassedOn(reading, actor)) return [];
  return given.length > 0
    ? [{ type: "bridge_out", by: "bridge", says: "given to a contract of a bridge" }]
    : [{ type: "bridge_in", by: "bridge", says: "got from a contract of a bridge" }];
};

/** A list of hashes in the data of a call: a Merkle proof. */
const PROOF_MIN = 3;
const HASH_LEAD = 2;

const hasProof = (data: Bytes): boolean => {
  const count = Math.floor(data.length / WORD_BYTES);
  let run = 0;
  for (let n = 0; n < count; n += 1) {
    const lead = data.subarray(n * WORD_BYTES, n * WORD_BYTES + HASH_LEAD);
    run = lead.some((byte) => byte !== 0) ? run + 1 : 0;
    if (run >= PROOF_MIN) return true;
  }
  return false;
};

/** Tokens from the called contract to its caller, which presented a proof and gave nothing. */
const claimShape = (reading: HeadlineReading, actor: Hex): readonly HeadlineShape[] => {
  const { given, received } = netOf(reading.nets, actor);
  if (given.length > 0 || received.length === 0 || actor !== reading.sender || reading.recipient === null) return [];
  const payers = reading.movements.filter(({ destination }) => destination === actor).map(({ source }) => source);
  const is_paid = payers.every((payer) => payer === reading.recipient || payer === "");
  return is_paid && reading.asked.some(({ data }) => hasProof(data))
    ? [{ type: "claim_reward", by: "claimed", says: "paid out by the contract called, against a proof" }]
    : [];
};

/** Shapes of an exchange, and of one-sided movements. */
const shapesIn = (reading: HeadlineReading, actor: Hex, has_swap: boolean): readonly HeadlineShape[] => {
  const { given, received } = netOf(reading.nets, actor);
  if (given.length > 0 && received.length > 0)
    return [
      ...wrapShape(reading, actor),
      ...tradeShape(reading, actor, has_swap),
      ...receiptShape(reading, actor, has_swap),
      ...pieceShape(reading, actor),
    ];
  return [
    ...(has_swap ? [] : transferShape(reading, actor)),
    ...pieceShape(reading, actor),
    ...bridgeShape(reading, actor),
    ...claimShape(reading, actor),
  ];
};

/** Evidence from the movements of one party alone. */
export const shapesOf = (reading: HeadlineReading, actor: Hex, has_swap: boolean): readonly HeadlineEvidence[] =>
  shapesIn(reading, actor, has_swap).map(({ type, by, says }) => ({
    type,
    says,
    score: SCORES[by],
    confidence: CONFIDENCES[by],
    actor,
    protocol: null,
    contract: reading.recipient,
    names: [],
    needs: null,
    basis: "movements",
  }));
