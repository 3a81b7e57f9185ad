import type { Hex } from "../../../lib/bytes.ts";

/** What a party gave or got of one token in an exchange, net. */
export interface ExchangeSide {
  readonly token: Hex;
  /** Base units, positive. */
  readonly amount: bigint;
  /** Null: not known. */
  readonly decimals: number | null;
  /** Worth of it; null without a price. */
  readonly usd: number | null;
  /** Made for who got it, destroyed for who gave it. */
  readonly is_issued: boolean;
  /** Who got it of the giver, or gave it to the receiver. */
  readonly peers: readonly Hex[];
}

export interface Issue {
  /** All that came was made for it, or all that was given was destroyed for what came. */
  readonly way: "made" | "destroyed";
  /** It stands for what was given; else it was bought from whoever makes it, or sold to whoever destroys it. */
  readonly is_receipt: boolean;
}

/** Shares of vaults and stakes that grow for years are worth less than this many times what was given for one. */
const ALIKE = 4n;

/** As many whole tokens, four times more or less. What does not tell its decimals is not compared. */
const isAlike = (a: ExchangeSide, b: ExchangeSide): boolean => {
  if (a.decimals === null || b.decimals === null) return true;
  const [mine, other] = [a.amount * 10n ** BigInt(b.decimals), b.amount * 10n ** BigInt(a.decimals)];
  return mine <= ALIKE * other && other <= ALIKE * mine;
};

/** Loans are worth less than what is deposited for them: 110 % of them is the least that is asked for anywhere. */
const LENT_SHARE = 0.92;

/** Against a deposit of more than it is worth. */
const isLent = (share: ExchangeSide, asset: ExchangeSide): boolean =>
  share.usd !== null && asset.usd !== null && share.usd < asset.usd * LENT_SHARE;

/**
 * The rule of receipts, where nothing else says what an exchange was. All that came was made for it, or all that was given was
 * destroyed for what came, and not both. Of one thing for one other it is a receipt when the token's own contract keeps what it
 * stands for, when there is about as much of both, or when it is worth less than that (a loan on a deposit). Else it is a trade: a
 * curve makes tokens at a price, for coins that it keeps elsewhere. Null: nothing was issued, or both sides were.
 */
export const issueIn = (given: readonly ExchangeSide[], received: readonly ExchangeSide[]): Issue | null => {
  if (given.length === 0 || received.length === 0) return null;
  const [destroyed, made] = [given, received].map((sides) => sides.every(({ is_issued }) => is_issued));
  if (made === destroyed) return null;
  const [issued, others] = made === true ? [received, given] : [given, received];
  const [share, asset] = [issued[0], others[0]];
  const way = made === true ? "made" : "destroyed";
  if (share === undefined || asset === undefined || issued.length + others.length > 2) return { way, is_receipt: true };
  const is_kept = asset.peers.length > 0 && asset.peers.every((peer) => peer === share.token);
  return { way, is_receipt: is_kept || isAlike(share, asset) || isLent(share, asset) };
};
