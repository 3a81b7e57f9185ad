/**
 * Values of tokens that represent other tokens. Pure. Contracts may lie, so their own statements never establish a
 * value.
 */
import type { Hex } from "../../../lib/bytes.ts";
import { type SalePrice, type WorthLimit, worthOfRaw } from "../../valuation/worth.ts";

export type PositionKind = "pool_share" | "vault_share" | "lending_receipt" | "debt" | "staked_coins";

/** Base units of a token. */
export interface ClaimPart {
  readonly token: Hex;
  readonly amount: bigint;
}

/** The tokens behind a held token, as its contract and the pool's events report them. */
export interface TokenClaim {
  readonly token: Hex;
  readonly kind: PositionKind;
  readonly protocol: string;
  /** Lending market of a receipt or debt when the market itself names the token; null otherwise. */
  readonly market: Hex | null;
  /** Null when no source reports them. */
  readonly parts: readonly ClaimPart[] | null;
}

/** Prices, decimals and backing of the tokens behind claims. */
export interface ClaimFacts {
  /** Price of a whole coin; null for unpriced tokens and spam. */
  readonly priceOf: (token: Hex) => SalePrice | null;
  readonly decimals: (token: Hex) => number | null;
  /** Base units of `token` that `contract` holds on chain; null when unknown. */
  readonly held: (contract: Hex, token: Hex) => bigint | null;
}

/** USD of a part, or of all parts of a claim. */
export interface ClaimWorth {
  /** USD that pools pay for each part alone. */
  readonly usd_value: number | null;
  /** Price times amount. */
  readonly spot_value_usd: number | null;
  readonly value_limit: WorthLimit | null;
}

export interface ValuedPart extends ClaimPart, ClaimWorth {}

export interface ValuedClaim extends ClaimWorth {
  readonly claim: TokenClaim;
  readonly parts: readonly ValuedPart[];
  /** Reason of a missing value. */
  readonly reason: string | null;
}

export const SILENT = "its underlying tokens are unknown at this block";
export const UNBACKED = "its contract holds less of the underlying token than it claims";
export const UNPRICED = "an underlying token has no price";
export const UNNAMED_DEBT = "no lending market that the wallet uses names it as a debt";
export const TOO_MUCH_DEBT = "the debts exceed the wallet's known loans to that market";

const NO_VALUE: ClaimWorth = { usd_value: null, spot_value_usd: null, value_limit: null };

const sumOfParts = (parts: readonly ValuedPart[]): ClaimWorth => {
  const usd_value = parts.reduce((sum, part) => sum + (part.usd_value ?? 0), 0);
  const spot_value_usd = parts.reduce((sum, part) => sum + (part.spot_value_usd ?? 0), 0);
  const is_limited = parts.some(({ value_limit }) => value_limit !== null);
  return { usd_value, spot_value_usd, value_limit: limitOf(usd_value, is_limited) };
};

const limitOf = (usd_value: number, is_limited: boolean): WorthLimit | null => {
  if (!is_limited) return null;
  return usd_value === 0 ? "not_sellable" : "low_liquidity";
};

const valueOfPart = ({ token, amount }: ClaimPart, known: ClaimFacts): ValuedPart => {
  const decimals = known.decimals(token);
  const worth = decimals === null ? null : worthOfRaw(amount, decimals, known.priceOf(token));
  if (worth === null) return { token, amount, ...NO_VALUE };
  return {
    token,
    amount,
    usd_value: worth.value_usd,
    spot_value_usd: worth.spot_value_usd,
    value_limit: worth.limit,
  };
};

const isBacked = (contract: Hex, parts: readonly ClaimPart[], known: ClaimFacts): boolean =>
  parts.every(({ token, amount }) => (known.held(contract, token) ?? -1n) >= amount);

const valueOne = (claim: TokenClaim, known: ClaimFacts): ValuedClaim => {
  const parts = (claim.parts ?? []).map((part) => valueOfPart(part, known));
  const without = (reason: string): ValuedClaim => ({ claim, parts, ...NO_VALUE, reason });
  if (claim.parts === null) return without(SILENT);
  if (claim.kind !== "debt" && !isBacked(claim.token, claim.parts, known)) return without(UNBACKED);
  if (parts.some(({ usd_value }) => usd_value === null)) return without(UNPRICED);
  return { claim, parts, ...sumOfParts(parts), reason: null };
};

const sumOf = (valued: readonly ValuedClaim[], market: Hex, kind: PositionKind): number =>
  valued
    .filter(({ claim }) => claim.market === market && claim.kind === kind)
    .reduce((sum, { usd_value }) => sum + (usd_value ?? 0), 0);

/**
 * Values claims in their order. An asset counts when its contract holds the underlying tokens. A debt counts when its
 * market names it and the wallet lends at least as much there: markets lend against collateral, so sending made-up debt
 * tokens to a stranger must not lower the stranger's worth.
 */
export const valueClaims = (claims: readonly TokenClaim[], known: ClaimFacts): readonly ValuedClaim[] => {
  const valued = claims.map((claim) => valueOne(claim, known));
  const debtReason = ({ market }: TokenClaim): string | null => {
    if (market === null || sumOf(valued, market, "lending_receipt") === 0) return UNNAMED_DEBT;
    return sumOf(valued, market, "debt") > sumOf(valued, market, "lending_receipt") ? TOO_MUCH_DEBT : null;
  };
  return valued.map((found) => {
    const reason = found.claim.kind === "debt" && found.reason === null ? debtReason(found.claim) : found.reason;
    return reason === null ? found : { ...found, ...NO_VALUE, reason };
  });
};

/** Share `share` / `total` of `whole`, rounded down as contracts do; null without shares. */
export const shareOf = (whole: bigint, share: bigint, total: bigint): bigint | null =>
  total <= 0n || share > total ? null : (whole * share) / total;
