/**
 * Powers that the authorities and extensions of a mint grant (spl-token state.rs; token-2022 interface/src/extension).
 * An authority of 32 zeros means none.
 */
import { type Bytes, type Hex, toHex } from "../../lib/bytes.ts";
import type { TokenPowers, TransferFee } from "../token_accounts.ts";
import type { Extensions, Mint } from "./account_data.ts";
import { keyAt, u16At, u64At } from "./integers.ts";

/** Numbers of the extensions of mints and of accounts (extension/mod.rs, ExtensionType). */
const NAMES: readonly string[] = [
  "uninitialized",
  "transfer_fee",
  "transfer_fee_amount",
  "mint_close_authority",
  "confidential_transfer",
  "confidential_transfer_account",
  "default_account_state",
  "immutable_owner",
  "memo_transfer",
  "non_transferable",
  "interest_bearing",
  "cpi_guard",
  "permanent_delegate",
  "non_transferable_account",
  "transfer_hook",
  "transfer_hook_account",
  "confidential_transfer_fee",
  "confidential_transfer_fee_amount",
  "metadata_pointer",
  "token_metadata",
  "group_pointer",
  "token_group",
  "group_member_pointer",
  "token_group_member",
  "confidential_mint_burn",
  "scaled_ui_amount",
  "pausable",
  "pausable_account",
  "permissioned_burn",
];

const numberOf = (name: string): number => NAMES.indexOf(name);
const FROZEN = 2;

const extensionNames = (extensions: Extensions): string[] =>
  [...extensions.keys()].map((type) => NAMES[type] ?? `extension_${type}`);

/** An authority at an offset of an extension; null for 32 zeros and without the extension. */
const authorityIn = (extensions: Extensions, name: string, at = 0): Hex | null => {
  const data = extensions.get(numberOf(name));
  return data === undefined ? null : keyOrNobody(data, at);
};

/** Null for 32 zeros. */
const keyOrNobody = (data: Bytes, at: number): Hex | null => {
  const key = keyAt(data, at);
  return key === null || key.every((byte) => byte === 0) ? null : toHex(key);
};

const hexOrNull = (key: Bytes | null): Hex | null => (key === null ? null : toHex(key));

export const powersOf = ({ mint_authority, freeze_authority, extensions }: Mint): TokenPowers => ({
  mint_authority: hexOrNull(mint_authority),
  freeze_authority: hexOrNull(freeze_authority),
  permanent_delegate: authorityIn(extensions, "permanent_delegate"),
  pause_authority: authorityIn(extensions, "pausable"),
  is_paused: extensions.get(numberOf("pausable"))?.[32] === 1,
  opens_frozen: extensions.get(numberOf("default_account_state"))?.[0] === FROZEN,
});

/**
 * Authority and withdrawer (64 bytes), withheld amount, then the older and the newer fee: epoch, maximum, basis points.
 */
const [WITHHELD, OLDER_FEE, NEWER_FEE] = [64, 72, 90];

/** The transfer fee in an epoch; null without the extension. */
export const transferFeeOf = (extensions: Extensions, epoch: number): TransferFee | null => {
  const data = extensions.get(numberOf("transfer_fee"));
  if (data === undefined) return null;
  const feeAt = (at: number) => ({ from: u64At(data, at), max_raw: u64At(data, at + 8), bps: u16At(data, at + 16) });
  const [older, newer] = [feeAt(OLDER_FEE), feeAt(NEWER_FEE)];
  const is_new = newer.from !== null && BigInt(epoch) >= newer.from;
  const { bps, max_raw } = is_new ? newer : older;
  const withheld_raw = u64At(data, WITHHELD);
  if (bps === null || max_raw === null || withheld_raw === null) return null;
  const next = is_new
    ? { next_bps: null, next_epoch: null }
    : { next_bps: newer.bps, next_epoch: newer.from === null ? null : Number(newer.from) };
  return { bps, max_raw, ...next, withheld_raw, authority: keyOrNobody(data, 0) };
};

/** Traits that the mint's own bytes state. */
export const ownTraits = (mint: Mint, epoch: number) => {
  const { extensions, decimals, supply } = mint;
  return {
    ...powersOf(mint),
    decimals,
    supply,
    transfer_fee: transferFeeOf(extensions, epoch),
    hook_authority: authorityIn(extensions, "transfer_hook"),
    hook_program: authorityIn(extensions, "transfer_hook", 32),
    is_transferable: !extensions.has(numberOf("non_transferable")),
    close_authority: authorityIn(extensions, "mint_close_authority"),
    display_authority: authorityIn(extensions, "interest_bearing") ?? authorityIn(extensions, "scaled_ui_amount"),
    extensions: extensionNames(extensions),
  };
};
