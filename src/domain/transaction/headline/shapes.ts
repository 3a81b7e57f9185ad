import { INTERFACES } from "../../../knowledge/names.gen.ts";
import type { Bytes, Hex } from "../../../lib/bytes.ts";
import { WORD_BYTES } from "../../../lib/words.ts";
import { selectorOf } from "../../abi.ts";
import type { TokenAmount } from "../actions/action.ts";
import { issueIn } from "../decoding/receipts.ts";
import type { HeadlineReading } from "./case.ts";
import type { HeadlineEvidence } from "./evidence.ts";
import { netOf } from "./nets.ts";
import { isMinted, sidesOf } from "./sides.ts";
import type { HeadlineType } from "./types.ts";

const SCORES = {
  wrapped: 95,
  routed: 82,
  traded: 50,
  receipt: 47,
  bridge: 60,
  relayed: 70,
  plain: 97,
  claimed: 38,
  piece: 43,
} as const;

interface HeadlineShape {
  readonly type: HeadlineType;
  readonly score: number;
  readonly says: string;
}

/** Wraps and unwraps at the wrapped coin's own contract. */
const wrapShape = ({ nets, recipient, wrapped_native }: HeadlineReading, actor: Hex): readonly HeadlineShape[] => {
  const { given, received } = netOf(nets, actor);
  const [out, into] = [given[0], received[0]];
  if (wrapped_native === null || recipient !== wrapped_native || given.length !== 1 || received.length !== 1) return [];
  if (out?.token === "" && into?.token === wrapped_native)
    return [{ type: "wrap", score: SCORES.wrapped, says: "wrapped coin" }];
  return out?.token === wrapped_native && into?.token === ""
    ? [{ type: "unwrap", score: SCORES.wrapped, says: "wrapped coin" }]
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
  { nets, transaction, tokens, asked, movements }: HeadlineReading,
  actor: Hex,
): readonly HeadlineShape[] => {
  const { given, received } = netOf(nets, actor);
  if (given.length === 0 || received.length > 0) return [];
  if (transaction.input.length === 0 && transaction.logs.length === 0 && movements.length === 1)
    return [{ type: "transfer", score: SCORES.plain, says: "a call without data" }];
  const is_own =
    asked.length > 0 &&
    asked.every(({ selector, callee }) => TRANSFERS.includes(selector) && callee !== null && tokens.has(callee));
  return is_own && movements.length === asked.length
    ? [{ type: "transfer", score: SCORES.plain, says: "a token's own transfer" }]
    : [];
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
  if (is_routed && has_swap) return [{ type: "swap", score: SCORES.routed, says: "traded through a router" }];
  if (is_routed) return [{ type: "swap", score: SCORES.traded + 4, says: "given and got through a router" }];
  return has_swap ? [{ type: "swap", score: SCORES.traded, says: "given for got, with a trade in a pool" }] : [];
};

const isPiece = ({ token_id }: TokenAmount): boolean => token_id !== null;

/** Shares minted for a deposit or burned for a withdrawal; tokens sold and bought back by their issuer. */
const receiptShape = (reading: HeadlineReading, actor: Hex): readonly HeadlineShape[] => {
  const { given, received } = netOf(reading.nets, actor);
  if (given.length === 0 || received.length === 0 || [...given, ...received].some(isPiece)) return [];
  const issue = issueIn(sidesOf(reading, actor, "given"), sidesOf(reading, actor, "received"));
  if (issue === null) return [];
  const is_made = issue.way === "made";
  if (!issue.is_receipt)
    return [
      { type: "swap", score: SCORES.receipt, says: is_made ? "bought from who makes it" : "sold to who destroys it" },
    ];
  return is_made
    ? [{ type: "deposit", score: SCORES.receipt, says: "shares made for what was given" }]
    : [{ type: "withdraw", score: SCORES.receipt, says: "shares destroyed for what was got" }];
};

/** NFTs minted for the actor, bought or sold. */
const pieceShape = (reading: HeadlineReading, actor: Hex): readonly HeadlineShape[] => {
  const { given, received } = netOf(reading.nets, actor);
  const is_bought = received.length > 0 && received.every(isPiece);
  if (is_bought && received.every(({ token }) => isMinted(reading, token)))
    return [{ type: "mint", score: SCORES.piece, says: "pieces made for the actor" }];
  const is_paid = given.length > 0 && !given.some(isPiece);
  if (is_bought && is_paid) return [{ type: "nft_purchase", score: SCORES.piece, says: "money for pieces" }];
  const is_sold = given.length > 0 && given.every(isPiece) && received.length > 0 && !received.some(isPiece);
  return is_sold ? [{ type: "nft_sale", score: SCORES.piece, says: "pieces for money" }] : [];
};

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
    return [{ type: "bridge_in", score: SCORES.relayed, says: "paid out by a bridge's relayer" }];
  if (!has_bridge || given.length > 0 === received.length > 0) return [];
  return given.length > 0
    ? [{ type: "bridge_out", score: SCORES.bridge, says: "given to a contract of a bridge" }]
    : [{ type: "bridge_in", score: SCORES.bridge, says: "got from a contract of a bridge" }];
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
    ? [{ type: "claim_reward", score: SCORES.claimed, says: "paid out by the contract called, against a proof" }]
    : [];
};

/** Shapes of an exchange, and of one-sided movements. */
const shapesIn = (reading: HeadlineReading, actor: Hex, has_swap: boolean): readonly HeadlineShape[] => {
  const { given, received } = netOf(reading.nets, actor);
  if (given.length > 0 && received.length > 0)
    return [
      ...wrapShape(reading, actor),
      ...tradeShape(reading, actor, has_swap),
      ...receiptShape(reading, actor),
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
  shapesIn(reading, actor, has_swap).map(({ type, score, says }) => ({
    type,
    score,
    says,
    actor,
    protocol: null,
    contract: reading.recipient,
    names: [],
    needs: null,
    confidence: "movements",
  }));
