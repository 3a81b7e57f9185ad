import type { Bytes, Hex } from "../lib/bytes.ts";

/** Where tokens lie in accounts of their own (`can.token_accounts`): what is in one, and what the token lets whom do. */

export interface HolderTokens {
  readonly holder: Hex;
  readonly tokens: readonly Hex[];
}

/** One account of a token. */
export interface TokenAccount {
  readonly account: Hex;
  /** Base units. */
  readonly amount: bigint;
  readonly is_frozen: boolean;
  /** Who may take `delegated` base units of it; null when nobody may. */
  readonly delegate: Hex | null;
  readonly delegated: bigint;
}

export interface HeldAccounts {
  readonly token: Hex;
  /** Null where the token is none. */
  readonly powers: TokenPowers | null;
  /** By address. */
  readonly accounts: readonly TokenAccount[];
}

/** Who has which power over a token; null: nobody has it. */
export interface TokenPowers {
  readonly mint_authority: Hex | null;
  readonly freeze_authority: Hex | null;
  /** May move and burn what anybody holds. */
  readonly permanent_delegate: Hex | null;
  readonly pause_authority: Hex | null;
  readonly is_paused: boolean;
  /** New accounts of the token begin frozen. */
  readonly opens_frozen: boolean;
}

/** Of every transfer, withheld for the token's authority. */
export interface TransferFee {
  /** Hundredths of a percent. */
  readonly bps: number;
  /** Base units; the most of one transfer. */
  readonly max_raw: bigint;
  /** What it will be; null when no change is on its way. */
  readonly next_bps: number | null;
  /** The first epoch with that. */
  readonly next_epoch: number | null;
  /** Base units that lie withheld in the token's own account; what lies in holders' accounts comes to it. */
  readonly withheld_raw: bigint;
  /** Who may change it; null when nobody may. */
  readonly authority: Hex | null;
}

export interface TokenTraits extends TokenPowers {
  readonly decimals: number;
  readonly supply: bigint;
  readonly transfer_fee: TransferFee | null;
  /** The program that every transfer asks; null when none is set. */
  readonly hook_program: Hex | null;
  /** Who may set that program. */
  readonly hook_authority: Hex | null;
  readonly is_transferable: boolean;
  /** May close the token itself once nothing of it is left. */
  readonly close_authority: Hex | null;
  /** May change by which factor balances are shown (interest, scaled amounts). */
  readonly display_authority: Hex | null;
  /** Names of extensions in the order in which they stand; an unknown one is `extension_<number>`. */
  readonly extensions: readonly string[];
  /** Null where the token says nothing of itself. */
  readonly description: TokenDescription | null;
}

/** What a token says of itself. */
export interface TokenDescription {
  /** Cleaned; null when there is none. */
  readonly uri: string | null;
  /** Null when that is not told. */
  readonly is_mutable: boolean | null;
  readonly update_authority: Hex | null;
}

/** Tokens of one wallet that an authority of the token locked, or let go again. */
export interface Freeze {
  readonly effect: "freeze" | "unfreeze";
  readonly token: Bytes;
  /** The wallet. */
  readonly account: Bytes;
  /** Which of the wallet's accounts of that token. */
  readonly holding: Bytes;
}

/** Somebody may take up to an amount of one of the owner's accounts of a token. */
export interface Approval {
  readonly token: Bytes;
  readonly owner: Bytes;
  readonly spender: Bytes;
  readonly amount: bigint;
}

export interface LiveTokenMetadata {
  readonly token: Hex;
  /** `erc20`, `trc20`, `spl`, `trc10`, `erc721`, `erc1155`; null when the contract answers like none of them. */
  readonly standard: string | null;
  /** Cleaned text; null when the contract has none. */
  readonly name: string | null;
  readonly symbol: string | null;
  readonly decimals: number | null;
  readonly total_supply: bigint | null;
  /** Its name or symbol, before it was cleaned, held characters that are not shown. Omitted means no. */
  readonly has_hidden?: boolean;
}
