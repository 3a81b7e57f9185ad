import type { Chain } from "../../../chains/chain.ts";
import { fromBase58, fromBase58Check } from "../../../lib/base58.ts";
import type { FieldKind } from "../../../tools/fields.ts";

/** A text in a field for an address, and the networks that could have meant it. */
export interface StrayText {
  readonly value: string;
  readonly kind: FieldKind;
  /** Enabled networks that the tool serves. */
  readonly served: readonly Chain[];
  /** Every enabled network. */
  readonly enabled: readonly Chain[];
}

const NETWORKS_SHOWN_MAX = 3;

const idsOf = (chains: readonly Chain[]): string =>
  chains
    .slice(0, NETWORKS_SHOWN_MAX)
    .map(({ network }) => `'${network.id}'`)
    .join(" or ");

const describingTool = (kind: FieldKind): string => (kind === "token" ? "get_token_info" : "get_wallet_account_meta");

/** The address of an enabled network that the call did not name. */
const ofOtherNetwork = ({ value, kind, served, enabled }: StrayText): string | null => {
  const fitting = enabled.filter((chain) => chain.parseAddress(value) !== null);
  if (fitting.length === 0) return null;
  const usable = fitting.filter((chain) => served.includes(chain));
  if (usable.length > 0) return `it is an address of network ${idsOf(usable)}`;
  const tool = describingTool(kind);
  return `it is an address of network ${idsOf(fitting)}, which this tool does not serve; ${tool} describes it`;
};

const HEX_ADDRESS = /^0x[0-9a-fA-F]{40}$/;
const TRON_ADDRESS = /^T[1-9A-HJ-NP-Za-km-z]{33}$/;
const BASE58 = /^[1-9A-HJ-NP-Za-km-z]{32,88}$/;
const ACCOUNT_BYTES = 32;
const SIGNATURE_BYTES = 64;

const lengthOfBase58 = (value: string): number | null =>
  BASE58.test(value) ? (fromBase58(value)?.length ?? null) : null;

/** The address of a family of which no network is enabled. */
const ofFamilyThatIsOff = (value: string): string | null => {
  if (HEX_ADDRESS.test(value)) return "an EVM network";
  if (TRON_ADDRESS.test(value) && fromBase58Check(value) !== null) return "Tron";
  return lengthOfBase58(value) === ACCOUNT_BYTES ? "Solana" : null;
};

const isTransactionHash = (value: string): boolean =>
  /^(?:0x)?[0-9a-fA-F]{64}$/.test(value) || lengthOfBase58(value) === SIGNATURE_BYTES;

const HAS_ENDING = /^[^\s/:]+\.[\p{L}\p{N}-]{2,}$/u;
const WORD = /^\$?[\p{L}\p{N}][\p{L}\p{N}._+-]{0,15}$/u;
/** Digits of an address or of a number, in whole or in part. */
const DIGITS = /^(?:0x[0-9a-fA-F]*|[0-9]+)$/;

/** Says what the text is instead of an address, and what takes it; null when it resembles nothing. */
export const adviceFor = (stray: StrayText): string | null => {
  const { value } = stray;
  const other = ofOtherNetwork(stray);
  if (other !== null) return other;
  // On an EVM network, only a wrong checksum brings hex digits of an address here.
  const has_evm = stray.enabled.some((chain) => chain.parseAddress(value.toLowerCase()) !== null);
  const off = has_evm ? null : ofFamilyThatIsOff(value);
  if (off !== null) return `it is an address of ${off}, and no such network is enabled here`;
  if (isTransactionHash(value)) return "it is a transaction hash, which analyze_transaction takes";
  if (HAS_ENDING.test(value)) return "it is a name; resolve_name finds its address";
  if (WORD.test(value) && !DIGITS.test(value))
    return "it may be a symbol, whose contract resolve_token_symbol finds, or a name without its ending, which resolve_name needs";
  return null;
};
