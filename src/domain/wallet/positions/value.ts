/**
 * Values of tokens that represent other tokens. Pure. Contracts may lie, so their own statements never establish a
 * value.
 */
import type { Hex } from "../../../lib/bytes.ts";
import { toAmount } from "../../../lib/money.ts";

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
  /** USD per whole coin; null for unpriced tokens and spam. */
  readonly price_usd: (token: Hex) => number | null;
  readonly decimals: (token: Hex) => number | null;
  /** Base units of `token` that `contract` holds on chain; null when unknown. */
  readonly held: (contract: Hex, token: Hex) => bigint | null;
}

export interface ValuedPart extends ClaimPart {
  readonly usd_value: number | null;
}

export interface ValuedClaim {
  readonly claim: TokenClaim;
  readonly parts: readonly ValuedPart[];
  readonly usd_value: number | null;
  /** Reason of a missing value. */
  readonly reason: string | null;
}

export const SILENT = "its underlying tokens are unknown at this block";
export const UNBACKED = "its contract holds less of the underlying token than it claims";
export const UNPRICED = "an underlying token has no price";
export const UNNAMED_DEBT = "no lending market that the wallet uses names it as a debt";
export const TOO_MUCH_DEBT = "the debts exceed the wallet's known loans to that market";

const valueOfPart = ({ token, amount }: ClaimPart, known: ClaimFacts): ValuedPart => {
  const [decimals, price] = [known.decimals(token), known.price_usd(token)];
  const usd_value = decimals === null || price === null ? null : toAmount(amount, decimals) * price;
  return { token, amount, usd_value };
};

const isBacked = (contract: Hex, parts: readonly ClaimPart[], known: ClaimFacts): boolean =>
  parts.every(({ token, amount }) => (known.held(contract, token) ?? -1n) >= amount);

const valueOne = (claim: TokenClaim, known: ClaimFacts): ValuedClaim => {
  const parts = (claim.parts ?? []).map((part) => valueOfPart(part, known));
  const without = (reason: string): ValuedClaim => ({ claim, parts, usd_value: null, reason });
  if (claim.parts === null) return without(SILENT);
  if (claim.kind !== "debt" && !isBacked(claim.token, claim.parts, known)) return without(UNBACKED);
  if (parts.some(({ usd_value }) => usd_value === null)) return without(UNPRICED);
  return { claim, parts, usd_value: parts.reduce((sum, { usd_value }) => sum + (usd_value ?? 0), 0), reason: null };
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
    return reason === null ? found : { ...found, usd_value: null, reason };
  });
};

/** Share `share` / `total` of `whole`, rounded down as contracts do; null without shares. */
export const shareOf = (whole: bigint, share: bigint, total: bigint): bigint | null =>
  total <= 0n || share > total ? null : (whole * share) / total;
