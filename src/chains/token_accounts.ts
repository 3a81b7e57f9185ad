import type { Bytes, Hex } from "../lib/bytes.ts";

/** Tokens with accounts of their own (`can.token_accounts`): their balances, and the powers that the token grants. */

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
  /** The account that may take `delegated` base units of it, or null. */
  readonly delegate: Hex | null;
  readonly delegated: bigint;
}

export interface TokenHoldings {
  readonly token: Hex;
  /** Null if the address is no token. */
  readonly powers: TokenPowers | null;
  /** By address. */
  readonly accounts: readonly TokenAccount[];
}

/** The accounts with power over a token; null: no account has it. */
export interface TokenPowers {
  readonly mint_authority: Hex | null;
  readonly freeze_authority: Hex | null;
  /** May move and burn the tokens of any holder. */
  readonly permanent_delegate: Hex | null;
  readonly pause_authority: Hex | null;
  readonly is_paused: boolean;
  /** New accounts of the token begin frozen. */
  readonly opens_frozen: boolean;
}

/** Share of every transfer that is withheld for the token's authority. */
export interface TransferFee {
  /** Hundredths of a percent. */
  readonly bps: number;
  /** Base units; the most of one transfer. */
  readonly max_raw: bigint;
  /** The announced fee; null if no change is announced. */
  readonly next_bps: number | null;
  /** The first epoch with that fee. */
  readonly next_epoch: number | null;
  /** Base units withheld in the token's own account; amounts withheld in holders' accounts move there. */
  readonly withheld_raw: bigint;
  /** The account that may change it, or null. */
  readonly authority: Hex | null;
}

export interface TokenTraits extends TokenPowers {
  readonly decimals: number;
  readonly supply: bigint;
  readonly transfer_fee: TransferFee | null;
  /** The program that every transfer calls; null if none is set. */
  readonly hook_program: Hex | null;
  /** The account that may set that program, or null. */
  readonly hook_authority: Hex | null;
  readonly is_transferable: boolean;
  /** May close the token itself once its supply is zero. */
  readonly close_authority: Hex | null;
  /** May change the factor by which balances are shown (interest, scaled amounts). */
  readonly display_authority: Hex | null;
  /** Names of extensions in the order of the account's data; an unknown one is `extension_<number>`. */
  readonly extensions: readonly string[];
  /** Null if the token has no description. */
  readonly description: TokenDescription | null;
}

/** A token's own description. */
export interface TokenDescription {
  /** Cleaned text, or null. */
  readonly uri: string | null;
  /** Null if unknown. */
  readonly is_mutable: boolean | null;
  readonly update_authority: Hex | null;
}

/** Tokens of one wallet that an authority of the token froze or thawed. */
export interface Freeze {
  readonly effect: "freeze" | "unfreeze";
  readonly token: Bytes;
  /** The wallet. */
  readonly account: Bytes;
  /** The wallet's account of that token. */
  readonly holding: Bytes;
}

/** A spender may take up to an amount from one of the owner's accounts of a token. */
export interface AccountApproval {
  readonly token: Bytes;
  readonly owner: Bytes;
  readonly spender: Bytes;
  readonly amount: bigint;
}

export interface LiveTokenMetadata {
  readonly token: Hex;
  /**
   * `erc20`, `trc20`, `spl`, `trc10`, `erc721`, `erc1155`, `erc404` (a coin whose whole units are pieces); null if the
   * contract has none of these interfaces.
   */
  readonly standard: string | null;
  /** Cleaned text; null if the contract has none. */
  readonly name: string | null;
  readonly symbol: string | null;
  readonly decimals: number | null;
  readonly total_supply: bigint | null;
  /** Its name or symbol contained hidden characters, which were removed. Omitted means no. */
  readonly has_hidden?: boolean;
  /** The address is an account that runs foreign code (EIP-7702): never a token. Omitted means no. */
  readonly is_account?: boolean;
}
