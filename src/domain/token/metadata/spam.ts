import type { Network } from "../../../chains/chain.ts";
import type { Hex } from "../../../lib/bytes.ts";
import { DAY_S } from "../../../lib/time.ts";
import { skeletonOf } from "../../lookalikes.ts";
import type { PriceConfidence } from "../../valuation/prices/price_now.ts";
import { isInstruction } from "./instructions.ts";

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
/** Time after a real peer during which its look-alike is suspected. */
export const LOOKALIKE_WINDOW_S = DAY_S;
/** A peer is real when the wallet itself dealt with it, or when it moved at least this much. */
export const REAL_PEER_USD = 1;

const WEB_ADDRESS =
  /https?:\/\/|www\.|t\.me\/|(?:^|[^a-z0-9])[a-z0-9-]{2,}\.(?:com|net|org|io|xyz|app|site|online|finance|fi|pro|live|club|info|top|vip|gift|events?|claims?|link|me|cc|co|dev|eth\.limo)(?![a-z0-9])/iu;
const CLAIM = /(?<!\p{L})(?:claim|airdrop|voucher|redeem|giveaway|bonus|visit)(?!\p{L})/iu;

export interface TokenMetadata {
  /** '' is the native coin. */
  readonly token: Hex;
  readonly name: string | null;
  readonly symbol: string | null;
  /** Name or symbol contained characters that are not shown. Omitted means no. */
  readonly has_hidden?: boolean;
}

export interface Impersonation {
  /** '' when the native coin is imitated. */
  readonly canonical: Hex;
  readonly symbol: string;
}

const bare = (symbol: string): string => skeletonOf(symbol).replace(/[\s$]/gu, "");

/** Symbols with a rightful owner on a network. */
interface SymbolRegistry {
  readonly canonical: ReadonlySet<Hex>;
  /** Each with the skeleton of its symbol. */
  readonly entries: readonly (readonly [look: string, Impersonation])[];
}

const registries = new WeakMap<Network, SymbolRegistry>();

/** Stablecoins, native coin, wrapped native coin. A wallet's history calls it once for each of thousands of tokens. */
const registry = (network: Network): SymbolRegistry => {
  const known = registries.get(network);
  if (known !== undefined) return known;
  const { native, wrapped_native, stablecoins } = network;
  const all: readonly Impersonation[] = [
    { canonical: "", symbol: native.symbol },
    ...(wrapped_native === null ? [] : [{ canonical: wrapped_native, symbol: `W${native.symbol}` }]),
    ...stablecoins.map(({ address, symbol }) => ({ canonical: address, symbol })),
  ];
  const canonical = new Set(all.map((entry) => entry.canonical));
  const found: SymbolRegistry = { canonical, entries: all.map((entry) => [bare(entry.symbol), entry]) };
  registries.set(network, found);
  return found;
};

/** Registry entries whose symbol looks like this one. */
export const canonicalFor = (network: Network, symbol: string): readonly Impersonation[] => {
  const look = bare(symbol);
  return registry(network).entries.flatMap(([own, entry]) => (own === look ? [entry] : []));
};

/** The registry's own entry for this address: native coin, wrapped native coin or a stablecoin. */
export const isCanonical = (network: Network, token: Hex): boolean => registry(network).canonical.has(token);

/**
 * The registry entry whose symbol this token imitates, by look, without being in the registry itself. Null without one.
 */
export const impersonated = (network: Network, { token, symbol }: TokenMetadata): Impersonation | null => {
  if (symbol === null || isCanonical(network, token)) return null;
  return canonicalFor(network, symbol)[0] ?? null;
};

/** Flags of a token's own words: of its name and of its symbol, each as it is and as a reader perceives it. */
const wordReasons = ({ name, symbol }: TokenMetadata): readonly SpamReason[] => {
  const texts = [name ?? "", symbol ?? ""].flatMap((text) => [text, skeletonOf(text)]);
  const reasons: SpamReason[] = [];
  if (texts.some((text) => WEB_ADDRESS.test(text))) reasons.push("url_in_name");
  if (texts.some((text) => CLAIM.test(text))) reasons.push("claim_wording");
  return reasons;
};

/**
 * Flags from a token's metadata. A token with a market of medium depth may have a URL for a name (yearn.finance); a
 * copied symbol is a copy at any depth, and no depth excuses words for machines and hidden characters.
 */
export const faceReasons = (
  network: Network,
  face: TokenMetadata,
  confidence: PriceConfidence | null,
): readonly SpamReason[] => {
  const reasons: SpamReason[] = [];
  const traded = confidence === "medium" || confidence === "high";
  if (!isCanonical(network, face.token)) {
    if (!traded) reasons.push(...wordReasons(face));
    if ([face.name, face.symbol].some((text) => text !== null && isInstruction(text))) reasons.push("instruction_text");
    if (face.has_hidden === true) reasons.push("hidden_characters");
  }
  if (impersonated(network, face) !== null) reasons.push("symbol_copy");
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

/** First and last four hex digits: the part of an address that a wallet shows. */
export const lookalikeKey = (address: Hex): string => address.slice(0, 4) + address.slice(-4);
