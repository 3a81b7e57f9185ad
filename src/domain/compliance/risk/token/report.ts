import type { Evidence } from "../../../context.ts";
import type { Severity } from "../../../token/verdict/verdict.ts";

/** Results of a token's risk check. */

/** A finding about one risk. */
export interface Alert {
  code: string;
  severity: Severity;
  title: string;
  description: string;
  evidence: Evidence[];
}

/** Powers of a token that is a contract; null when unknown. */
export interface Flags {
  is_honeypot: boolean | null;
  cannot_buy: boolean | null;
  cannot_sell_all: boolean | null;
  is_verified: boolean | null;
  is_proxy: boolean | null;
  is_upgradeable: boolean | null;
  is_mintable: boolean | null;
  can_take_back_ownership: boolean | null;
  owner_can_change_balance: boolean | null;
  hidden_owner: boolean | null;
  has_selfdestruct: boolean | null;
  has_external_call: boolean | null;
  transfer_pausable: boolean | null;
  has_blacklist: boolean | null;
  has_whitelist: boolean | null;
  tax_modifiable: boolean | null;
  per_wallet_tax: boolean | null;
  trading_cooldown: boolean | null;
  anti_whale: boolean | null;
  anti_whale_modifiable: boolean | null;
  trading_not_enabled: boolean | null;
  creator_honeypot_history: boolean | null;
  fake_of_known_token: boolean | null;
  airdrop_scam: boolean | null;
  hidden_characters: boolean | null;
  instruction_text: boolean | null;
  gas_abuse: boolean | null;
  rebasing: boolean | null;
  fee_on_transfer: boolean | null;
  caller_pays_energy: boolean | null;
}

/** One pool of the token. */
export interface TokenPoolRow {
  dex: string;
  address: string;
  liquidity_usd: number | null;
  lp_locked_percent: number | null;
  lp_burned_percent: number | null;
  lock_until: string | null;
  lp_holders: { address: string; label: string | null; share_percent: number }[];
}
