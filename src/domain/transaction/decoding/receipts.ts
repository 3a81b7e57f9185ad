import type { Hex } from "../../../lib/bytes.ts";

/** Net amount of one token that a party gave or received in an exchange. */
export interface ExchangeSide {
  readonly token: Hex;
  /** Base units, positive. */
  readonly amount: bigint;
  /** Null when unknown. */
  readonly decimals: number | null;
  /** Value in USD; null without a price. */
  readonly usd: number | null;
  /** Minted for its receiver, or burned by its giver. */
  readonly is_issued: boolean;
  /** Receivers of a given amount, or givers of a received one. */
  readonly peers: readonly Hex[];
}

export interface SupplyChange {
  /** Either everything received was minted for it, or everything given was burned for it. */
  readonly way: "made" | "destroyed";
  /** The token represents the deposit; otherwise it was bought from its issuer or sold back to it. */
  readonly is_receipt: boolean;
}

/** Shares of vaults and stakes that grow for years are worth less than this multiple of the deposit. */
const ALIKE = 4n;

/** Similar numbers of whole tokens, up to four times more or less. A token without decimals is not compared. */
const isAlike = (a: ExchangeSide, b: ExchangeSide): boolean => {
  if (a.decimals === null || b.decimals === null) return true;
  const [mine, other] = [a.amount * 10n ** BigInt(b.decimals), b.amount * 10n ** BigInt(a.decimals)];
  return mine <= ALIKE * other && other <= ALIKE * mine;
};

/** Loans are worth less than their collateral: markets require at least 110 %. */
const LENT_SHARE = 0.92;

/** The share is worth less than the deposit. */
const isLent = (share: ExchangeSide, asset: ExchangeSide): boolean =>
  share.usd !== null && asset.usd !== null && share.usd < asset.usd * LENT_SHARE;

/**
 * Decides whether an exchange without further evidence is a receipt. Everything received was minted for it, or
 * everything given was burned for it, and not both. With one token on each side it is a receipt when the token's own
 * contract holds the deposit, when the amounts are similar, or when the token is worth less than the deposit (a loan
 * against collateral). Otherwise it is a trade: a curve mints tokens at a price, for coins that it holds elsewhere.
 * Null when neither side or both sides were issued.
 */
export const issueIn = (given: readonly ExchangeSide[], received: readonly ExchangeSide[]): SupplyChange | null => {
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
