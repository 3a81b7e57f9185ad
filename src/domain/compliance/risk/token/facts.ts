import type { Chain } from "../../../../chains/chain.ts";
import type { TokenTraits } from "../../../../chains/token_accounts.ts";
import { INTERFACES } from "../../../../knowledge/names.gen.ts";
import type { Hex } from "../../../../lib/bytes.ts";
import type { ContractOwner, OwnerType } from "../../../token/contracts/capabilities/power.ts";
import type { CapabilityScan } from "../../../token/contracts/capabilities/scan.ts";
import type { Capability } from "../../../token/contracts/capabilities/selectors.ts";
import type { Rugs } from "../../../token/developer/rugs.ts";
import type { EffectKind } from "../../../token/powers/effects.ts";
import type { NoPowers, Power, PowersFound } from "../../../token/powers/power.ts";
import type { HolderReplay } from "../../../token/simulation/replay.ts";
import type { NoSends, SendSimulation } from "../../../token/simulation/sends.ts";
import type { NoSimulation, Simulation } from "../../../token/simulation/simulate.ts";
import type { HolderFacts } from "./holders.ts";
import type { TokenLiquidity } from "./liquidity.ts";

/** How much of the token's life the index has. */
export interface IndexedLife {
  /** All of its pools and movements are indexed: no block of its life is missing. */
  readonly is_life_indexed: boolean;
  /** Its creation was before the indexed blocks, or inside a call that was not indexed. */
  readonly is_creation_missing: boolean;
}

/** Facts about a token from holders, pools and the index, for every kind of token. */
export interface MarketFacts {
  readonly chain: Chain;
  readonly token: Hex;
  /** The block whose state was read, with its time in unix seconds. */
  readonly block: { readonly number: number; readonly time: number };
  readonly holders: HolderFacts;
  readonly liquidity: TokenLiquidity;
  readonly creator: Hex | null;
  /** Unix seconds; null when the index does not cover its creation. */
  readonly created_at: number | null;
  readonly history: IndexedLife;
  /** A stablecoin or wrapped coin of the network's registry, whose issuer is known. */
  readonly is_listed: boolean;
  /** Null when only a deep market could excuse its words, and markets are not read. */
  readonly is_fake: boolean | null;
  /** Its pools lost their liquidity (developer/drained.ts). */
  readonly is_drained: boolean;
  /** The most receivers in one transaction; null when its transfers are not read. */
  readonly receivers_max: number | null;
  /** Its name is a lure: a site's address, words like "claim". Null as `is_fake` is. */
  readonly is_luring: boolean | null;
  /** Its name or symbol contains instructions for the program that reads it. */
  readonly is_instructing: boolean;
  /** Its name or symbol contains hidden characters. */
  readonly has_hidden: boolean;
  /** Its own end, and other tokens of its creator that ended in a rug; null when the creator is not known. */
  readonly creator_rugs: Rugs | null;
}

/** Facts about a token that is a contract, the input of its judgement. */
export interface TokenRiskFacts extends MarketFacts {
  readonly scan: CapabilityScan;
  /** Powers that were used in a simulation. */
  readonly powers: PowersFound | NoPowers;
  /** The kinds of the accounts that used them. */
  readonly power_holders: ReadonlyMap<Hex, ContractOwner>;
  /** Signatures in the verified sources, by selector. */
  readonly signatures: ReadonlyMap<Hex, string>;
  readonly simulation: Simulation | NoSimulation;
  readonly replay: HolderReplay;
  /** Percent of a call's energy that callers pay; null on networks without energy. */
  readonly caller_energy_percent: number | null;
  readonly is_verified: boolean | null;
  /** Why that is not known. */
  readonly verified_gap: string | null;
}

/** Facts about a token that is an account with authorities over it. */
export interface PowerFacts extends MarketFacts {
  readonly traits: TokenTraits;
  /** The mint authority is an account whose key one person may hold; null without a mint authority. */
  readonly is_minter_alone: boolean | null;
  /** Results of transfers of real holders, as a node simulates them. */
  readonly sends: SendSimulation | NoSends;
}

/** Null when no transfer was simulated. */
export const sendsIn = ({ sends }: PowerFacts): SendSimulation | null => (typeof sends === "string" ? null : sends);

/** Null when nothing was simulated. */
export const simulationOf = ({ simulation }: TokenRiskFacts): Simulation | null =>
  typeof simulation === "string" ? null : simulation;

/** The kind of account with a power: `renounced` when it was given up, `unknown` when no account was found. */
export type PowerHolder = OwnerType | "unknown" | "anyone";

/** Effects that prove a power. */
const EFFECTS: Readonly<Partial<Record<Capability, readonly EffectKind[]>>> = {
  mint: ["mints"],
  pause: ["stops_transfers"],
  blacklist: ["blocks_holder"],
  fee: ["raises_tax"],
  fee_of_wallet: ["taxes_holder"],
  take_back: ["takes_ownership"],
  balance_change: ["takes_coins", "drains_pool", "takes_allowance"],
  upgrade: ["replaces_code"],
  rebase: ["rebases"],
  sales_stop: ["stops_sales"],
  purchases_stop: ["stops_purchases"],
};

/** The proofs of a power; null when no function was tried. */
export const provedIn = ({ powers }: TokenRiskFacts, capability: Capability): readonly Power[] | null => {
  if (typeof powers === "string") return null;
  const kinds = EFFECTS[capability] ?? [];
  return powers.powers.filter(({ kind }) => kinds.includes(kind));
};

/** A settable tax below this percent is no power over holders. */
const HARMFUL_TAX_PERCENT = 20;

/** Uses of powers over holders by accounts that the contract does not name: it has no owner, and no view of roles. */
export const hiddenPowers = ({ scan, powers }: TokenRiskFacts): readonly Power[] =>
  typeof powers === "string" || !scan.names_no_account
    ? []
    : powers.powers.filter(
        ({ caller, percent }) => caller !== null && (percent === null || percent >= HARMFUL_TAX_PERCENT),
      );

/** Functions that holders of coins may have too (with an allowance): they count when another account was accepted. */
const AMBIGUOUS: readonly string[] = [INTERFACES.erc20_supply.burn, INTERFACES.erc20_supply.burnFor];

/**
 * Functions whose name is that of a power; none where trials show its effect. Null when the code does not show its
 * functions.
 */
export const namedIn = ({ scan, powers }: TokenRiskFacts, capability: Capability) => {
  const { functions, lets } = scan;
  if (functions === null) return null;
  // Trials decide: what none of them reached is unknown.
  if (EFFECTS[capability] !== undefined && typeof powers !== "string") return [];
  return functions.filter(
    (found) =>
      found.capability === capability &&
      (!AMBIGUOUS.includes(found.signature) || lets.some((one) => one.found.signature === found.signature)),
  );
};

/** Why it is not known whether a token has a power without a proof; null when it has none. */
export const powersGap = ({ scan, powers }: TokenRiskFacts): string | null => {
  if (scan.functions === null) return "the code does not show its functions";
  if (typeof powers === "string") return NOT_TRIED[powers];
  if (powers.unreached.length > 0) return `${powers.unreached.length} functions rejected every trial`;
  return powers.is_played_later ? null : "the node does not simulate later blocks, in which a call may have its effect";
};

const NOT_TRIED: Readonly<Record<NoPowers, string>> = {
  no_overrides: "the node does not support state overrides, so no function was tried",
  no_functions: "the code does not show its functions",
  no_holders: "no holder is known for the trials of its functions",
  not_run: "the node did not run the trials of its functions",
};

/** Weakest first: an account that nothing guards. */
const WEAKEST: readonly PowerHolder[] = ["anyone", "eoa", "unknown", "contract", "multisig", "timelock", "renounced"];

/** The kind of account that used a power. */
const holderOf = ({ power_holders }: TokenRiskFacts, { caller }: Power): PowerHolder =>
  caller === null ? "anyone" : (power_holders.get(caller)?.type ?? "unknown");

/** The kind of account with a power, the least guarded of several; null without the power. */
export const powerOver = (facts: TokenRiskFacts, capability: Capability): PowerHolder | null => {
  const proved = (provedIn(facts, capability) ?? []).map((power) => holderOf(facts, power));
  const weakest = WEAKEST.find((kind) => proved.includes(kind));
  if (weakest !== undefined) return weakest;
  const named = namedIn(facts, capability);
  if (named === null || named.length === 0) return null;
  const { scan } = facts;
  const let_in = scan.lets.find(({ found }) => found.capability === capability);
  return (let_in === undefined ? scan.owner : scan.powers.get(let_in.caller))?.type ?? "unknown";
};
