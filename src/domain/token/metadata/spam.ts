import { skeletonOf } from "../../lookalikes.ts";
import type { PriceConfidence } from "../../valuation/prices/price_now.ts";
import { isInstruction } from "./instructions.ts";
import { impersonated, type TokenRegistry, type TokenWords } from "./registry.ts";

/** Why a row or a token is flagged. Flags alone never drop a row. */
export type SpamReason =
  | "zero_value_transfer"
  | "lookalike_peer"
  | "mass_airdrop"
  | "url_in_name"
  | "claim_wording"
  | "instruction_text"
  | "hidden_characters"
  | "symbol_copy"
  | "unrequested_outflow";

/** An airdrop is "mass" when one transaction sends the token to more addresses than this. */
export const MASS_RECEIVERS = 100;

const WEB_ADDRESS =
  /https?:\/\/|www\.|t\.me\/|(?:^|[^a-z0-9])[a-z0-9-]{2,}\.(?:com|net|org|io|xyz|app|site|online|finance|fi|pro|live|club|info|top|vip|gift|events?|claims?|link|me|cc|co|dev|eth\.limo)(?![a-z0-9])/iu;
const CLAIM = /(?<!\p{L})(?:claim|airdrop|voucher|redeem|giveaway|bonus|visit)(?!\p{L})/iu;

export interface TokenMetadata extends TokenWords {
  /** Name or symbol contained characters that are not shown. Omitted means no. */
  readonly has_hidden?: boolean;
}

/** Flags of a token's own words: of its name and of its symbol, each as it is and as a reader perceives it. */
const wordReasons = ({ name, symbol }: TokenMetadata): readonly SpamReason[] => {
  const texts = [name ?? "", symbol ?? ""].flatMap((text) => [text, skeletonOf(text)]);
  const reasons: SpamReason[] = [];
  if (texts.some((text) => WEB_ADDRESS.test(text))) reasons.push("url_in_name");
  if (texts.some((text) => CLAIM.test(text))) reasons.push("claim_wording");
  return reasons;
};

/** A market of medium depth: a coincidence of words is more likely than a copy. */
export const isDeep = (confidence: PriceConfidence | null): boolean => confidence === "medium" || confidence === "high";

/**
 * Flags from a token's metadata. A token with a market of medium depth may have a URL for a name (yearn.finance); a
 * copied coin is a copy at any depth, and no depth excuses words for machines and hidden characters.
 */
export const faceReasons = (
  registry: TokenRegistry,
  face: TokenMetadata,
  confidence: PriceConfidence | null,
): readonly SpamReason[] => {
  const reasons: SpamReason[] = [];
  const is_traded = isDeep(confidence);
  if (!registry.originals.has(face.token)) {
    if (!is_traded) reasons.push(...wordReasons(face));
    if ([face.name, face.symbol].some((text) => text !== null && isInstruction(text))) reasons.push("instruction_text");
    if (face.has_hidden === true) reasons.push("hidden_characters");
  }
  if (impersonated(registry, face, { is_traded }) !== null) reasons.push("symbol_copy");
  return reasons;
};

export interface SpamMovement {
  readonly direction: "in" | "out" | "self";
  /** True for fungible tokens; false for the native coin, wraps and collectibles. */
  readonly is_fungible_token: boolean;
  readonly is_token: boolean;
  readonly amount: bigint;
  readonly is_priced: boolean;
  /** The wallet signed the transaction. */
  readonly is_sent_by_wallet: boolean;
  /** A contract never signs, so its transfers are no sign of theft. */
  readonly is_wallet_contract: boolean;
  /** Distinct receivers of this token in this transaction. */
  readonly receivers: number;
  readonly is_lookalike: boolean;
  /** In the same transaction the wallet received, repaid or redeemed something: another account settled for it. */
  readonly is_settlement: boolean;
}

/** Flags of one movement, without the flags of its token's metadata. */
export const movementReasons = (moved: SpamMovement): readonly SpamReason[] => {
  if (moved.is_sent_by_wallet) return [];
  const reasons: SpamReason[] = [];
  const inbound = moved.direction === "in";
  if (moved.is_fungible_token && moved.amount === 0n) reasons.push("zero_value_transfer");
  if (moved.is_lookalike) reasons.push("lookalike_peer");
  if (moved.is_token && !moved.is_priced && inbound && moved.receivers > MASS_RECEIVERS) reasons.push("mass_airdrop");
  const outflow = moved.direction === "out" && moved.is_fungible_token && moved.amount > 0n && !moved.is_settlement;
  if (outflow && !moved.is_priced && !moved.is_wallet_contract) reasons.push("unrequested_outflow");
  return reasons;
};
