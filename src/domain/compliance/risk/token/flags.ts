import type { Capability } from "../../../token/contracts/capabilities/selectors.ts";
import { MASS_RECEIVERS } from "../../../token/metadata/spam.ts";
import type { Simulation } from "../../../token/simulation/simulate.ts";
import {
  hiddenPowers,
  type MarketFacts,
  namedIn,
  powerOver,
  powersGap,
  provedIn,
  simulationOf,
  type TokenRiskFacts,
} from "./facts.ts";
import type { NameFlags } from "./market_findings.ts";
import type { Flags } from "./report.ts";

/** A trade that uses more gas counts as abusive. */
const GAS_MAX = 2_000_000;

type FlagValue = boolean | null;

/** True when a part is true, false when all are false, else undecided. */
const either = (...parts: readonly FlagValue[]): FlagValue => {
  if (parts.includes(true)) return true;
  return parts.includes(null) ? null : false;
};

/** True with a known rug; false only when all of the creator's other tokens were judged. */
const historyOf = ({ creator_rugs }: MarketFacts): FlagValue => {
  if (creator_rugs === null) return null;
  if (creator_rugs.found.length > 0) return true;
  return creator_rugs.gap === null ? false : null;
};

/** By the names of functions. */
const namedFlag = (facts: TokenRiskFacts, capability: Capability): FlagValue => {
  const named = namedIn(facts, capability);
  return named === null ? null : named.length > 0;
};

/** By the effects of functions; a name counts where the function was not reached. */
const powerFlag = (facts: TokenRiskFacts, capability: Capability): FlagValue => {
  if ((provedIn(facts, capability) ?? []).length > 0) return true;
  if (namedFlag(facts, capability) === true) return true;
  return powersGap(facts) === null ? false : null;
};

const canChangeBalance = (facts: TokenRiskFacts): FlagValue => {
  const has = powerFlag(facts, "balance_change");
  return has === true ? powerOver(facts, "balance_change") !== "renounced" : has;
};

/** A function was used by an account although the contract names none. */
const hasHiddenOwner = (facts: TokenRiskFacts): FlagValue => {
  const { hidden_owners } = facts.scan;
  // An accepted call is no power yet; where functions were tried, their effects decide.
  if (typeof facts.powers !== "string") return hiddenPowers(facts).length > 0;
  return hidden_owners === null ? null : hidden_owners.length > 0;
};

/** A purchase is rejected now: it may succeed in a later block, or after an account opens trading. */
const isNotOpen = (facts: TokenRiskFacts, simulation: Simulation | null): FlagValue => {
  if (simulation === null) return null;
  if (!simulation.cannot_buy) return false;
  if (simulation.is_locked_now === true) return true;
  const power = powerOver(facts, "trading_switch");
  if (power !== null && power !== "renounced") return true;
  return simulation.is_locked_now;
};

const hasLimit = (simulation: Simulation | null): FlagValue => {
  const limits = simulation?.limits ?? null;
  return limits === null ? null : limits.max_tx_raw !== null || limits.max_wallet_raw !== null;
};

const takesMuchGas = (simulation: Simulation | null): FlagValue => {
  const used = [simulation?.buyer.buy_gas, simulation?.buyer.sell_gas].flatMap((gas) => gas ?? []);
  return used.length === 0 ? null : used.some((gas) => gas > GAS_MAX);
};

const isTaxed = (simulation: Simulation | null): FlagValue => {
  if (simulation === null) return null;
  const { buy_tax_percent, sell_tax_percent, transfer_tax_percent } = simulation.buyer;
  return either(
    ...[buy_tax_percent, sell_tax_percent, transfer_tax_percent].map((tax) => (tax === null ? null : tax > 0)),
  );
};

const simulatedFlags = (facts: TokenRiskFacts) => {
  const simulation = simulationOf(facts);
  return {
    is_honeypot: simulation?.is_honeypot ?? null,
    cannot_buy: simulation?.cannot_buy ?? null,
    cannot_sell_all: simulation?.buyer.cannot_sell_all ?? null,
    trading_cooldown: simulation?.trading_cooldown ?? (namedFlag(facts, "cooldown") === true ? true : null),
    anti_whale: either(hasLimit(simulation), namedFlag(facts, "max_tx")),
    trading_not_enabled: isNotOpen(facts, simulation),
    gas_abuse: takesMuchGas(simulation),
    fee_on_transfer: isTaxed(simulation),
  };
};

const isScam = ({ receivers_max, is_luring, is_listed, liquidity }: MarketFacts): FlagValue => {
  if (is_listed || liquidity.price !== null) return is_luring;
  return either(is_luring, receivers_max === null ? null : receivers_max > MASS_RECEIVERS);
};

export const faceFlagsOf = (facts: MarketFacts): NameFlags => ({
  creator_honeypot_history: historyOf(facts),
  fake_of_known_token: facts.is_fake,
  airdrop_scam: isScam(facts),
  hidden_characters: facts.has_hidden,
  instruction_text: facts.is_instructing,
});

export const flagsOf = (facts: TokenRiskFacts): Flags => {
  const { scan, holders } = facts;
  return {
    ...simulatedFlags(facts),
    is_verified: facts.is_verified,
    is_proxy: scan.proxy_evidence !== null,
    is_upgradeable: (provedIn(facts, "upgrade") ?? []).length > 0 ? true : scan.is_upgradeable,
    is_mintable: powerFlag(facts, "mint"),
    can_take_back_ownership: powerFlag(facts, "take_back"),
    owner_can_change_balance: canChangeBalance(facts),
    hidden_owner: hasHiddenOwner(facts),
    has_selfdestruct: scan.traits.has_selfdestruct,
    has_external_call: scan.traits.has_external_call,
    transfer_pausable: powerFlag(facts, "pause"),
    has_blacklist: powerFlag(facts, "blacklist"),
    has_whitelist: namedFlag(facts, "whitelist"),
    tax_modifiable: powerFlag(facts, "fee"),
    per_wallet_tax: powerFlag(facts, "fee_of_wallet"),
    anti_whale_modifiable: namedFlag(facts, "max_tx"),
    ...faceFlagsOf(facts),
    caller_pays_energy: facts.caller_energy_percent === null ? null : facts.caller_energy_percent === 100,
    rebasing: either(powerFlag(facts, "rebase"), holders.is_rebasing),
  };
};
