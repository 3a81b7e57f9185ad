import type { TokenRiskFacts } from "../src/domain/compliance/risk/token/facts.ts";
import type { CapabilityScan } from "../src/domain/token/contracts/capabilities/scan.ts";
import type { Capability } from "../src/domain/token/contracts/capabilities/selectors.ts";
import type { Rug } from "../src/domain/token/developer/rugs.ts";
import type { Power } from "../src/domain/token/powers/power.ts";
import type { Simulation } from "../src/domain/token/simulation/simulate.ts";
import type { Buyer } from "../src/domain/token/simulation/verdict.ts";
import { hex } from "../src/lib/bytes.ts";
import { fixedChain } from "./fixed_chain.ts";

const TOKEN = hex("aa".repeat(20));
const CREATOR = hex("bb".repeat(20));
export const OWNER = hex("cc".repeat(20));
const POOL = hex("dd".repeat(20));
export const NOW = 1_800_000_000;

export type OwnerType = NonNullable<CapabilityScan["owner"]>["type"];
export const owned = (type: OwnerType) => ({ address: OWNER, type, threshold: null, owner_count: null, delay_s: null });

const BUYER: Buyer = {
  can_buy: true,
  can_sell: true,
  has_proceeds: true,
  cannot_sell_all: false,
  buy_tax_percent: 0,
  sell_tax_percent: 0,
  transfer_tax_percent: 0,
  rebate_or_rebase: false,
  buy_gas: 100_000,
  sell_gas: 100_000,
  buy_failure: null,
  sell_failure: null,
};

export const simulated = (more: Partial<Buyer>, other: Partial<Simulation> = {}): Simulation => {
  const buyer = { ...BUYER, ...more };
  return {
    pools: [POOL],
    contract_buyer: buyer,
    eoa_buyer: buyer,
    buyer,
    is_honeypot: false,
    cannot_buy: false,
    is_locked_now: false,
    trading_cooldown: false,
    caller_dependent: false,
    differences: [],
    router: null,
    limits: { max_tx_raw: null, max_wallet_raw: null, tried_raw: 1n },
    ...other,
  };
};

export const SCAN: CapabilityScan = {
  code_addresses: [TOKEN],
  proxy_evidence: null,
  is_upgradeable: false,
  upgrader: null,
  functions: [],
  traits: { selectors: new Set(), has_selfdestruct: false, has_delegatecall: false, has_external_call: false },
  codes: [],
  stored: [],
  owner: null,
  lets: [],
  powers: new Map(),
  names_no_account: false,
  hidden_owners: [],
  is_fee_uncapped: null,
};
export const able = (capability: Capability, type: OwnerType, signature = "f()"): CapabilityScan => ({
  ...SCAN,
  functions: [{ capability, signature, selector: hex("00000000") }],
  owner: owned(type),
});

const USED = { at: TOKEN, selector: hex("00000000"), types: "" } as const;

/** A trial in which OWNER, an account of this type, used a function with this effect. */
export const used = (
  kind: Power["kind"],
  type: OwnerType,
  percent: number | null = null,
): Pick<TokenRiskFacts, "powers" | "power_holders"> => ({
  powers: {
    powers: [{ kind, percent, by: USED, after: null, names_pool: false, caller: OWNER, wait: null }],
    ...{ unreached: [], judges: [], is_played_later: true, tried: 1, callers: [OWNER], block: 100 },
  },
  power_holders: new Map([[OWNER, owned(type)]]),
});

/** The function of `able` rejected every trial. */
export const UNREACHED: TokenRiskFacts["powers"] = {
  ...{ powers: [], unreached: [USED], judges: [], is_played_later: true, tried: 1, callers: [OWNER], block: 100 },
};

/** The end of a token that still trades. */
export const ALIVE = { outcome: "alive", is_open: false } as const;

/** A token with nothing to find. */
export const CLEAN: TokenRiskFacts = {
  chain: fixedChain(),
  token: TOKEN,
  block: { number: 100, time: NOW },
  scan: SCAN,
  powers: { powers: [], unreached: [], judges: [], is_played_later: true, tried: 0, callers: [], block: 100 },
  power_holders: new Map(),
  signatures: new Map(),
  simulation: simulated({}),
  replay: { holders_tested: 10, holders_failed: 0, fail_percent: 0, first_failure: null },
  holders: {
    count: 10,
    top10_percent_adjusted: 20,
    percentOf: () => 0,
    people: [],
    largest: null,
    is_rebasing: false,
    is_told: true,
    doubt: null,
  },
  liquidity: {
    ...{ total_usd: 100_000, total_reason: null, unknown_pools: 0, rows: [], markets: [], price: null },
    deepestShareOf: () => 0,
    kept_percent: 100,
    lock_gap: "",
  },
  creator: CREATOR,
  created_at: NOW - 30 * 86_400,
  history: { is_life_indexed: true, is_creation_missing: false },
  is_listed: false,
  is_fake: false,
  is_drained: false,
  receivers_max: 1,
  is_luring: false,
  ...{ is_instructing: false, has_hidden: false },
  is_verified: true,
  caller_energy_percent: null,
  verified_gap: null,
  creator_rugs: { own_end: ALIVE, own: null, found: [], tokens_count: 0, gap: null },
};

export const RUG: Rug = {
  token: OWNER,
  cause: "honeypot",
  evidence: [{ kind: "call", ref: "transfer", observed_at: "2026-01-01T00:00:00Z" }],
};
