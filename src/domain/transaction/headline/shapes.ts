import { type Hex, toHex } from "../../../lib/bytes.ts";
import type { TokenAmount } from "../actions/action.ts";
import { issueIn, type SupplyChange } from "../decoding/receipts.ts";
import { figuresIn, type HeadlineReading } from "./case.ts";
import type { HeadlineEvidence } from "./evidence.ts";
import { netOf } from "./nets.ts";
import { bridgeShape, claimShape, sentShapes } from "./one_sided.ts";
import { CONFIDENCES, type HeadlineShape, SCORES } from "./shape_scores.ts";
import { isBurnt, isMinted, isNested, sidesOf } from "./sides.ts";

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

/** A trade on the way into shares, or out of them, is a step of a deposit or withdrawal. */
const zapShapes = (
  reading: HeadlineReading,
  actor: Hex,
  { way, is_receipt }: SupplyChange,
): readonly HeadlineShape[] => {
  const [of_pool, of_vault, says] =
    way === "made"
      ? (["add_liquidity", "deposit", "a trade, and shares made for what was given"] as const)
      : (["remove_liquidity", "withdraw", "shares destroyed, and a trade for what was got"] as const);
  // Shares of a vault that holds shares of the pool.
  if (isNested(reading, actor, way)) return [{ type: of_vault, by: "zapped", says }];
  if (reading.actions.some(({ type }) => type === of_pool)) return [{ type: of_pool, by: "zapped", says }];
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

/** The called contract took the one and gave the other, and states both amounts in one event without another meaning. */
const isStated = (
  { transaction, recipient, movements, sender }: HeadlineReading,
  given: readonly TokenAmount[],
  received: readonly TokenAmount[],
): boolean => {
  const [out, into] = [given[0], received[0]];
  if (out === undefined || into === undefined || given.length + received.length > 2) return false;
  // A contract that takes or gives its own token may do so for a deposit.
  if ([out.token, into.token].includes(recipient ?? "")) return false;
  const is_direct = movements.every(({ source, destination }) => [source, destination].includes(recipient ?? ""));
  const is_own = movements.some(({ source }) => source === sender);
  return (
    is_direct &&
    is_own &&
    transaction.logs.some((log) => {
      const figures = toHex(log.address) === recipient ? figuresIn(log) : [];
      return figures.includes(out.amount) && figures.includes(into.amount);
    })
  );
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
  if (issue !== null) return has_swap ? zapShapes(reading, actor, issue) : [];
  if (has_swap) return [{ type: "swap", by: "traded", says: "given for got, with a trade in a pool" }];
  if (isEven(reading, given, received)) return [{ type: "swap", by: "exchanged", says: "one asset for its value" }];
  return isStated(reading, given, received)
    ? [{ type: "swap", by: "exchanged", says: "both amounts in one event of the contract called" }]
    : [];
};

const isPiece = ({ token_id }: TokenAmount): boolean => token_id !== null;

const CONVERTED: HeadlineShape = { type: "swap", by: "converted", says: "one token destroyed, another made for it" };

/** One token burned and one other minted for it: a conversion or migration. */
const isConverted = (reading: HeadlineReading, given: readonly TokenAmount[], received: readonly TokenAmount[]) =>
  given.length + received.length === 2 &&
  given.every(({ token }) => isBurnt(reading, token)) &&
  received.every(({ token }) => isMinted(reading, token));

/** No coin is worth so many dollars: tokens that are made in such numbers for it are no loan. */
const CHEAP = 1_000_000;

const isCheap = (
  { decimals }: HeadlineReading,
  [issued]: readonly TokenAmount[],
  [other]: readonly TokenAmount[],
): boolean => {
  const places = [issued, other].map((one) => (one === undefined ? null : decimals(one.token)));
  if (issued === undefined || other === undefined || places.includes(null)) return false;
  const [many = 0, few = 0] = [issued, other].map(({ amount }, n) => Number(amount) / 10 ** (places[n] ?? 0));
  return many > CHEAP * few;
};

/** Makers of dollars lend them against other assets. Without prices, a loan of an unknown token looks like its purchase. */
const issuedShape = (reading: HeadlineReading, actor: Hex, is_made: boolean): readonly HeadlineShape[] => {
  const { given, received } = netOf(reading.nets, actor);
  const isDollar = ({ token }: TokenAmount): boolean => reading.is_dollar(token);
  const [issued, others] = is_made ? [received, given] : [given, received];
  if (issued.every(isDollar) && !others.some(isDollar))
    return is_made ? [{ type: "borrow", by: "issued", says: "dollars made for an asset" }] : [];
  const is_sale = isEven(reading, given, received) || isCheap(reading, issued, others);
  if (!issued.every(isDollar) && !is_sale) return [];
  return [{ type: "swap", by: "issued", says: is_made ? "bought from who makes it" : "sold to who destroys it" }];
};

/** A coin of the same value, such as another dollar, looks like a share of one. */
const isConversion = (reading: HeadlineReading, actor: Hex, is_made: boolean): boolean => {
  const [given, received] = [sidesOf(reading, actor, "given"), sidesOf(reading, actor, "received")];
  const [[share], [asset]] = is_made ? [received, given] : [given, received];
  if (share === undefined || asset === undefined || given.length + received.length > 2) return false;
  if (asset.token === "" || asset.peers.every((peer) => peer === share.token)) return false;
  const [shared, put] = [share, asset].map(({ amount, decimals }) => Number(amount) / 10 ** (decimals ?? 0));
  return reading.is_dollar(asset.token) || shared === put;
};

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
  if (!issue.is_receipt || is_conversion) return issuedShape(reading, actor, is_made);
  if (isConversion(reading, actor, is_made)) return [];
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
    ...(has_swap ? [] : sentShapes(reading, actor)),
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
