import type { CheckVerdict } from "../verdict_symbols.ts";
import { worded } from "../words.ts";

/** Texts of a check: passed, failed, and the subject while it is unknown. */
const WORDS: Readonly<Record<string, readonly [passed: string, failed: string, asked: string]>> = {
  is_honeypot: ["can be sold", "honeypot: cannot be sold", "can it be sold"],
  cannot_buy: ["can be bought", "cannot be bought", "can it be bought"],
  cannot_sell_all: ["all can be sold", "not all can be sold", "can all be sold"],
  is_verified: ["source verified", "source not verified", "source verified"],
  is_proxy: ["no proxy", "proxy", "proxy"],
  is_upgradeable: ["not upgradeable", "upgradeable", "upgradeable"],
  is_mintable: ["no new coins", "can be minted", "can be minted"],
  can_take_back_ownership: [
    "renounced ownership is final",
    "renounced ownership can be restored",
    "ownership restored",
  ],
  owner_can_change_balance: ["balances are safe", "balances can be changed", "balances can be changed"],
  hidden_owner: ["no hidden owner", "hidden owner", "hidden owner"],
  has_selfdestruct: ["no self-destruct", "can self-destruct", "self-destruct"],
  has_external_call: ["no external calls", "calls other contracts", "external calls"],
  transfer_pausable: ["transfers cannot stop", "transfers can be stopped", "transfers can be stopped"],
  has_blacklist: ["no blacklist", "blacklist", "blacklist"],
  has_whitelist: ["no whitelist", "whitelist", "whitelist"],
  tax_modifiable: ["tax is fixed", "tax can be changed", "tax can be changed"],
  per_wallet_tax: ["one tax for all", "tax for single holders", "tax for single holders"],
  trading_cooldown: ["no cooldown", "cooldown after buying", "cooldown"],
  anti_whale: ["no largest holding", "largest trade or holding", "largest trade or holding"],
  anti_whale_modifiable: ["limits are fixed", "limits can be changed", "limits can be changed"],
  trading_not_enabled: ["trading is open", "trading not opened", "trading is open"],
  creator_honeypot_history: ["creator's past is clean", "creator's past: scams", "creator's past"],
  fake_of_known_token: ["no copy of another", "copies a known token", "copy of a known token"],
  airdrop_scam: ["not sent unsolicited", "sent unsolicited", "sent unsolicited"],
  hidden_characters: ["nothing hidden in its name", "hidden in its name", "hidden in its name"],
  instruction_text: ["no instruction in its name", "instruction in its name", "instruction in its name"],
  gas_abuse: ["usual gas", "abuses gas", "abuses gas"],
  rebasing: ["no rebasing", "rebasing", "rebasing"],
  fee_on_transfer: ["no fee on transfer", "fee on transfer", "fee on transfer"],
  caller_pays_energy: ["maker pays energy", "caller pays all energy", "who pays energy"],
  mint_authority: ["minting is disabled", "tokens can be minted", "can be minted"],
  freeze_authority: ["freezing is disabled", "holders can be frozen", "can be frozen"],
  permanent_delegate: ["no delegate", "permanent delegate", "permanent delegate"],
  transfer_fee: ["no transfer fee", "transfer fee", "transfer fee"],
  transfer_hook: ["no transfer hook", "transfer hook", "transfer hook"],
  default_account_state_frozen: ["accounts begin free", "accounts begin frozen", "accounts begin frozen"],
  non_transferable: ["can be sent", "cannot be sent", "can be sent"],
  closable: ["cannot be closed", "can be closed", "can be closed"],
  pausable: ["cannot be paused", "can be paused", "can be paused"],
  metadata_mutable: ["name is fixed", "name can be changed", "name can be changed"],
  balance_mutable_authority: ["balances are safe", "balances can be changed", "balances can be changed"],
  trusted_token: ["in the registry of coins", "in no registry of coins", "in the registry of coins"],
};

export const flagWords = (flag: string, verdict: CheckVerdict): string => {
  const [passed, failed, asked] = WORDS[flag] ?? [];
  const found = verdict === "passed" ? passed : verdict === "failed" ? failed : asked;
  return found ?? worded(flag.replace(/^(is|has)_/, ""));
};
